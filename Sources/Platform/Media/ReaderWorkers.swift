import BatonSeams
import Glibc
import Synchronization

/// The pool of idle readers, and the number of all readers.
///
/// A caller takes one and returns it. If all are in use a new one is started, since callers are few: one scan, and a few threads that scale
/// pictures. A killed reader that does not end is blocked on a disk that does not answer; with too many of them, no more are started until
/// they are gone.
final class ReaderWorkers: Sendable {
    private let program: ReaderProgram
    private let state = Mutex(State())

    private struct State {
        var idle: [ReaderProcess] = []
        var alive = 0
        var isClosed = false
    }

    /// Limit of readers, including those that were killed and have not ended.
    private static let most = 16

    enum Lack: Error {
        /// The system cannot start one.
        case noneToBeHad
        /// Too many are blocked on a disk, or the hub is closing.
        case tooMany
    }

    init(_ program: ReaderProgram) { self.program = program }

    /// An idle reader, or a new one.
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

    /// Returns a reader for the next caller.
    func giveBack(_ worker: Worker) {
        let isKept = state.withLock { state in
            guard !state.isClosed else { return false }
            state.idle.append(worker.process)
            return true
        }
        if !isKept { worker.process.end() }
    }

    /// Ends the idle ones; those in use are ended by their callers.
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

    /// A reader that a caller has taken.
    struct Worker {
        let process: ReaderProcess
        let line: ReaderLine

        fileprivate init(_ process: ReaderProcess) {
            self.process = process
            line = ReaderLine(process)
        }
    }
}
