package import BatonSeams

/// One source's own queue of questions: its threads, its bounds and its deadlines. A source that hangs, or that is asked more
/// than it can answer, uses up its own lane and no other.
///
/// A question waits while `mostRunning` others run, and its time limit includes that wait. When `mostLate` questions have run
/// out of time and not come back, the source is taken to hang, and further questions are refused at once.
///
/// A lane from which nothing comes back for `patience` is silent. One slow answer among others is not: the source answers.
@Loop
package final class SourceLane {
    private let threads: any TaskExecutor
    private let reactor: any Reactor
    private let whenSilent: (@Loop () -> Void)?
    private var waiting: [Waiting] = []
    package private(set) var running = 0
    /// Questions that wait for their answers, by number.
    private var open: [Int: any OpenQuestion] = [:]
    private var numbers = 0
    /// How many answers have come.
    private var answers = 0
    private var watch: (any Alarm)?
    /// Of those, the ones whose time was over, and the ones that were cancelled.
    package private(set) var late = 0
    private var cancelled = 0

    package nonisolated static let mostRunning = 8
    package static let mostWaiting = 64
    /// Below `mostRunning`, so that a disk that is silent under a few questions leaves the rest of its source usable.
    static let mostLate = 6
    private static let patience = Duration.seconds(1)
    /// The same for a source that has said meanwhile that it is there.
    private static let longPatience = Duration.seconds(5)

    /// A question in the queue; one that is given up before its turn is skipped.
    private struct Waiting {
        let question: any OpenQuestion
        let begin: @Loop () -> Void
    }

    /// What the lane says of its source.
    package struct Sentences {
        package var late: SourceFault
        package var busy: SourceFault
    }

    /// `whenSilent` is called again and again while the lane is silent.
    init(threads: any TaskExecutor, reactor: any Reactor, whenSilent: (@Loop () -> Void)? = nil) {
        self.threads = threads
        self.reactor = reactor
        self.whenSilent = whenSilent
    }

    /// Throws at once when the source hangs or its queue is full. A question that `outlastsSilence` ends at its own time limit only.
    package func ask<Answer: Sendable>(
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

    /// Asks how the source is, at once: also one that is taken to hang, and beside as many questions as may run.
    package func check(
        within limit: Duration, _ sentences: Sentences, _ body: @escaping @Sendable () async throws(SourceFault) -> Void
    ) -> Question<Void> {
        let question = Question<Void>()
        question.wait(within: limit, reactor, orElse: sentences.late)
        begin(question, outlastsSilence: true, body)
        return question
    }

    /// The source is away: nothing waits for it any more. Questions end in the order in which they were asked.
    package func release(_ fault: SourceFault) {
        let ended = open.sorted { $0.key < $1.key }.map(\.value) + waiting.map(\.question)
        open = [:]
        waiting = []
        for question in ended { question.release(fault) }
    }

    /// A question that was cancelled usually comes back soon; only when such questions fill the lane do they count.
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

    /// A question was given up while it runs, or is back after that.
    package func count(_ reason: GivingUp, _ change: Int) {
        switch reason {
        case .late: late += change
        case .cancelled: cancelled += change
        }
    }

    /// The body of this question has ended.
    package func ended(_ number: Int, _ reason: GivingUp?) {
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

/// A question, whatever its answer is.
@Loop
private protocol OpenQuestion: AnyObject {
    var isSettled: Bool { get }
    func release(_ fault: SourceFault)
}

extension Question: OpenQuestion {}
