/// Moves the write-ahead log into the database, beside the loop.
///
/// Copying and syncing can take as long as the disk likes, so they happen on a thread and a
/// connection of their own, one at a time. PASSIVE never waits for the writer and never makes it wait;
/// what it could not finish, the next one does.
import Glibc
import Synchronization

package final class Checkpointer: Sendable {
    private let path: String
    private let thread = Mutex(State())

    private struct State {
        var id: pthread_t?
        var isDone = true
    }

    package init(_ path: String) { self.path = path }

    // A thread keeps its checkpointer, so whichever thread ends up here, the work is done.
    deinit { if let id = thread.withLock({ $0.id }) { pthread_detach(id) } }

    package var isIdle: Bool { thread.withLock { $0.isDone } }

    /// Starts one unless one is under way.
    package func begin() {
        thread.withLock { state in
            guard state.isDone else { return }
            // The last thread has said that it is done, so this does not wait for the disk.
            if let id = state.id { pthread_join(id, nil) }
            state.id = nil
            let context = unsafe Unmanaged.passRetained(self).toOpaque()
            var id = pthread_t()
            let status = unsafe pthread_create(
                &id, nil,
                { context in
                    unsafe Unmanaged<Checkpointer>.fromOpaque(context!).takeUnretainedValue().work()
                    unsafe Unmanaged<Checkpointer>.fromOpaque(context!).release()
                    return nil
                }, context)
            // Without a thread now, the next commit asks again.
            guard status == 0 else { return unsafe Unmanaged<Checkpointer>.fromOpaque(context).release() }
            state.id = id
            state.isDone = false
        }
    }

    /// Returns when none is under way.
    package func finish() {
        let id = thread.withLock { state in
            defer { state.id = nil }
            return state.id
        }
        if let id { pthread_join(id, nil) }
    }

    private func work() {
        // A failure here loses nothing: the log keeps what it holds, and the loop's own commits
        // report a disk that is full or gone.
        if let database = try? Database(path) { try? database.execute("PRAGMA wal_checkpoint(PASSIVE)") }
        thread.withLock { $0.isDone = true }
    }
}
