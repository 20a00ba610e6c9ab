package import BatonSeams

/// The questions to one source, with threads, limits and deadlines of their own. A source that hangs or is overloaded blocks
/// only its own lane.
///
/// A question waits while `mostRunning` others run, and its time limit includes that wait. When `mostLate` questions have
/// timed out and are still running, the source is considered hung, and further questions are refused at once.
///
/// A lane without any answer for `patience` is silent. One slow answer among others does not make it silent.
@Loop
package final class SourceLane {
    private let threads: any TaskExecutor
    private let reactor: any Reactor
    private let whenSilent: (@Loop () -> Void)?
    private var waiting: [Waiting] = []
    private(set) var running = 0
    /// Questions that wait for their answers, by number.
    private var open: [Int: any OpenQuestion] = [:]
    private var numbers = 0
    /// Number of answers so far.
    private var answers = 0
    private var watch: (any Alarm)?
    /// Running questions that have timed out, and those that were cancelled.
    private(set) var late = 0
    private var cancelled = 0

    /// Number of questions that one source gets at once, each on a thread of its own.
    package nonisolated static let mostRunning = 8
    static let mostWaiting = 64
    /// Below `mostRunning`, so that a disk that hangs on a few questions leaves the rest of its source usable.
    static let mostLate = 6
    private static let patience = Duration.seconds(1)
    /// The limit for a source that has answered a check meanwhile.
    private static let longPatience = Duration.seconds(5)

    /// A question in the queue. It is skipped when it was given up before its turn.
    private struct Waiting {
        let question: any OpenQuestion
        let begin: @Loop () -> Void
    }

    /// The faults that the lane reports for its source. Each is made when it is needed, which is hardly ever.
    struct Sentences {
        let connector: any Connector

        var late: SourceFault {
            var late = SourceFault(.unavailable, "The source “\(connector.about.name)” takes too long to answer.")
            late.isLate = true
            return late
        }
        var busy: SourceFault {
            SourceFault(
                .unavailable, "The source “\(connector.about.name)” has too many questions to answer just now. Ask again in a moment.")
        }
    }

    /// Makes a lane. `whenSilent` is called repeatedly while the lane is silent.
    init(threads: any TaskExecutor, reactor: any Reactor, whenSilent: (@Loop () -> Void)? = nil) {
        self.threads = threads
        self.reactor = reactor
        self.whenSilent = whenSilent
    }

    /// Asks a question. Throws at once when the source hangs or its queue is full. With `outlastsSilence` the question ends
    /// only at its own time limit.
    func ask<Answer: Sendable>(
        within limit: Duration, _ sentences: Sentences, outlastsSilence: Bool = false,
        _ body: @escaping @Sendable () async throws(SourceFault) -> Answer
    ) throws(SourceFault) -> Question<Answer> {
        guard !hangs else { throw sentences.late }
        waiting.removeAll { $0.question.isSettled }
        guard waiting.count < Self.mostWaiting else { throw sentences.busy }
        let question = Question<Answer>()
        question.wait(within: limit, reactor, orElse: sentences.late)
        let begin: @Loop () -> Void = { [self] in self.begin(question, outlastsSilence: outlastsSilence, body) }
        if running < Self.mostRunning {
            begin()
        } else {
            waiting.append(Waiting(question: question, begin: begin))
        }
        return question
    }

    /// Checks the source at once, even when it is considered hung or its lane is full.
    func check(
        within limit: Duration, _ sentences: Sentences, _ body: @escaping @Sendable () async throws(SourceFault) -> Void
    ) -> Question<Void> {
        let question = Question<Void>()
        question.wait(within: limit, reactor, orElse: sentences.late)
        begin(question, outlastsSilence: true, body)
        return question
    }

    /// Ends all questions, in the order in which they were asked, since the source is down.
    func release(_ fault: SourceFault) {
        let ended = open.sorted { $0.key < $1.key }.map(\.value) + waiting.map(\.question)
        open = [:]
        waiting = []
        for question in ended { question.release(fault) }
    }

    /// True when the source hangs. Cancelled questions usually return soon, so they count only when they fill the lane.
    private var hangs: Bool { late >= Self.mostLate || late + cancelled >= Self.mostRunning }

    private func begin<Answer: Sendable>(
        _ question: Question<Answer>, outlastsSilence: Bool, _ body: @escaping @Sendable () async throws(SourceFault) -> Answer
    ) {
        running += 1
        numbers += 1
        let number = numbers
        if !outlastsSilence { open[number] = question }
        question.begin(in: threads, of: self, as: number, body)
        beginWatch(for: Self.patience)
    }

    /// Counts a running question that was given up, or that has returned since.
    func count(_ reason: GivingUp, _ change: Int) {
        switch reason {
        case .late: late += change
        case .cancelled: cancelled += change
        }
    }

    /// Handles the end of a question's body.
    func ended(_ number: Int, _ reason: GivingUp?) {
        running -= 1
        open[number] = nil
        if let reason { count(reason, -1) } else { answers += 1 }
        while running < Self.mostRunning, !waiting.isEmpty {
            let next = waiting.removeFirst()
            if !next.question.isSettled { next.begin() }
        }
        guard running == 0 else { return }
        watch?.cancel()
        watch = nil
    }

    private func beginWatch(for time: Duration) {
        guard let whenSilent, watch == nil, running > 0 else { return }
        let before = answers
        watch = reactor.after(time) { [weak self] in
            guard let self else { return }
            watch = nil
            let isSilent = answers == before
            if isSilent { whenSilent() }
            beginWatch(for: isSilent ? Self.longPatience : Self.patience)
        }
    }
}

/// A question with any type of answer.
@Loop
private protocol OpenQuestion: AnyObject {
    var isSettled: Bool { get }
    func release(_ fault: SourceFault)
}

extension Question: OpenQuestion {}
