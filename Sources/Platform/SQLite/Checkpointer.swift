/// Moves the write-ahead log into the database, in parallel to the loop.
///
/// Copying and syncing may take long, so they run on a thread and a connection of their own, one at a time. PASSIVE never waits for the
/// writer and never makes it wait; the next checkpoint finishes what it could not.
import Synchronization
import Threads

package final class Checkpointer: Sendable {
    private let path: String
    /// Signalled by the running checkpoint when it is done.
    private let underWay = Mutex<Semaphore?>(nil)

    package init(_ path: String) { self.path = path }

    package var isIdle: Bool { underWay.withLock { $0 == nil } }

    /// Starts a checkpoint unless one is running.
    package func begin() {
        underWay.withLock { underWay in
            guard underWay == nil else { return }
            let done = Semaphore()
            // If no thread is available now, the next commit tries again.
            if OwnThread.tryStart({ [self] in work(done) }) { underWay = done }
        }
    }

    /// Returns when no checkpoint is running.
    package func finish() {
        guard let done = underWay.withLock({ $0 }) else { return }
        done.wait()
        // Passes the signal on to other threads that wait for the same checkpoint.
        done.signal()
    }

    private func work(_ done: Semaphore) {
        // A failure here loses nothing: the log keeps its content, and the loop's own commits report a disk that is full or gone.
        if let database = try? Database(path) { try? database.execute("PRAGMA wal_checkpoint(PASSIVE)") }
        underWay.withLock { $0 = nil }
        done.signal()
    }
}
