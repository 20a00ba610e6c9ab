/// Moves the write-ahead log into the database, beside the loop.
///
/// Copying and syncing can take as long as the disk likes, so they happen on a thread and a
/// connection of their own, one at a time. PASSIVE never waits for the writer and never makes it wait;
/// what it could not finish, the next one does.
import Synchronization
import Threads

package final class Checkpointer: Sendable {
    private let path: String
    /// Signalled by the checkpoint that is under way when it is done.
    private let underWay = Mutex<Semaphore?>(nil)

    package init(_ path: String) { self.path = path }

    package var isIdle: Bool { underWay.withLock { $0 == nil } }

    /// Starts one unless one is under way.
    package func begin() {
        underWay.withLock { underWay in
            guard underWay == nil else { return }
            let done = Semaphore()
            // Without a thread now, the next commit asks again.
            if OwnThread.tryStart({ [self] in work(done) }) { underWay = done }
        }
    }

    /// Returns when none is under way.
    package func finish() {
        guard let done = underWay.withLock({ $0 }) else { return }
        done.wait()
        // For another thread that waits for the same one.
        done.signal()
    }

    private func work(_ done: Semaphore) {
        // A failure here loses nothing: the log keeps what it holds, and the loop's own commits
        // report a disk that is full or gone.
        if let database = try? Database(path) { try? database.execute("PRAGMA wal_checkpoint(PASSIVE)") }
        underWay.withLock { $0 = nil }
        done.signal()
    }
}
