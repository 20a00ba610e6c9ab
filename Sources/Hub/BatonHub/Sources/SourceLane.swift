import BatonSeams

/// One source's own queue of questions: its threads, its bounds and its deadlines. A source that hangs, or that is asked more
/// than it can answer, uses up its own lane and no other.
///
/// A question waits while `mostRunning` others run, and its time limit includes that wait. When `mostLate` questions have run
/// out of time and not come back, the source is taken to hang, and further questions are refused at once.
@Loop
final class SourceLane {
    private let threads: any TaskExecutor
    private let reactor: any Reactor
    private var waiting: [Waiting] = []
    private(set) var running = 0
    /// Of those, the ones whose time was over, and the ones that were cancelled.
    private(set) var late = 0
    private var cancelled = 0

    nonisolated static let mostRunning = 8
    static let mostWaiting = 64
    /// Below `mostRunning`, so that a disk that is silent under a few questions leaves the rest of its source usable.
    static let mostLate = 6

    /// A question in the queue; one that is given up before its turn is skipped.
    private struct Waiting {
        let isOver: @Loop () -> Bool
        let begin: @Loop () -> Void
    }

    /// What the lane says of its source.
    struct Sentences {
        var late: SourceFault
        var busy: SourceFault
    }

    init(threads: any TaskExecutor, reactor: any Reactor) {
        self.threads = threads
        self.reactor = reactor
    }

    /// Throws at once when the source hangs or its queue is full.
    func ask<Answer: Sendable>(
        within limit: Duration, _ sentences: Sentences, _ body: @escaping @Sendable () async throws(SourceFault) -> Answer
    ) throws(SourceFault) -> Question<Answer> {
        guard !hangs else { throw sentences.late }
        waiting.removeAll { $0.isOver() }
        guard waiting.count < Self.mostWaiting else { throw sentences.busy }
        return put(within: limit, sentences.late, body)
    }

    /// Asks also a source that is taken to hang: how it is.
    func check(
        within limit: Duration, _ sentences: Sentences, _ body: @escaping @Sendable () async throws(SourceFault) -> Void
    ) -> Question<Void> {
        waiting.removeAll { $0.isOver() }
        return put(within: limit, sentences.late, body)
    }

    /// A question that was cancelled usually comes back soon; only when such questions fill the lane do they count.
    private var hangs: Bool { late >= Self.mostLate || late + cancelled >= Self.mostRunning }

    private func put<Answer: Sendable>(
        within limit: Duration, _ late: SourceFault, _ body: @escaping @Sendable () async throws(SourceFault) -> Answer
    ) -> Question<Answer> {
        let question = Question<Answer>()
        question.wait(within: limit, reactor, orElse: late)
        let begin: @Loop () -> Void = { [self] in
            running += 1
            question.whenGivenUp = { [weak self] in self?.count($0, 1) }
            question.whenBack = { [weak self] in self?.ended($0) }
            question.begin(in: threads, body)
        }
        if running < Self.mostRunning {
            begin()
        } else {
            waiting.append(Waiting(isOver: { question.isSettled }, begin: begin))
        }
        return question
    }

    private func count(_ reason: GivingUp, _ change: Int) {
        switch reason {
        case .late: late += change
        case .cancelled: cancelled += change
        }
    }

    private func ended(_ reason: GivingUp?) {
        running -= 1
        if let reason { count(reason, -1) }
        while running < Self.mostRunning, !waiting.isEmpty {
            let next = waiting.removeFirst()
            if !next.isOver() { next.begin() }
        }
    }
}
