import BatonSeams
import Glibc
import Synchronization

/// The readers that wait for work, and how many there are.
///
/// A caller takes one out and puts it back; with all at work a new one is started, since callers
/// are few: one scan, and the few threads that make pictures. A reader that was ended and does not
/// end sits on a disk that does not answer; when too many do, no more are started until they are gone.
final class ReaderWorkers: Sendable {
    private let program: ReaderProgram
    private let state = Mutex(State())

    private struct State {
        var idle: [ReaderProcess] = []
        var alive = 0
        var isClosed = false
    }

    /// Of which some may have been given up.
    private static let most = 16

    enum Lack: Error {
        /// The system has nothing to start it with.
        case noneToBeHad
        /// Too many wait for a disk, or the hub is closing.
        case tooMany
    }

    init(_ program: ReaderProgram) { self.program = program }

    /// One that is ready, an old one or a new one.
    func take() throws(Lack) -> Worker {
        while let process = state.withLock({ $0.idle.popLast() }) {
            let worker = Worker(process)
            if worker.line.isReady { return worker }
            process.end()
        }
        return try fresh()
    }

    func fresh() throws(Lack) -> Worker {
        let hasRoom = state.withLock { state in
            guard !state.isClosed, state.alive < Self.most else { return false }
            state.alive += 1
            return true
        }
        guard hasRoom else { throw .tooMany }
        guard let process = ReaderProcess.start(program, onEnd: { [weak self] in self?.hasEnded() }) else {
            hasEnded()
            throw .noneToBeHad
        }
        return Worker(process)
    }

    /// For the next one who asks.
    func giveBack(_ worker: Worker) {
        let isKept = state.withLock { state in
            guard !state.isClosed else { return false }
            state.idle.append(worker.process)
            return true
        }
        if !isKept { worker.process.end() }
    }

    /// Ends those that wait; those at work are ended by their callers.
    func close() {
        let idle = state.withLock { state in
            state.isClosed = true
            defer { state.idle = [] }
            return state.idle
        }
        for process in idle { process.end() }
    }

    var isClosed: Bool { state.withLock(\.isClosed) }

    private func hasEnded() { state.withLock { $0.alive -= 1 } }

    /// A reader that a caller has taken out.
    struct Worker {
        let process: ReaderProcess
        let line: ReaderLine

        fileprivate init(_ process: ReaderProcess) {
            self.process = process
            line = ReaderLine(process)
        }
    }
}
