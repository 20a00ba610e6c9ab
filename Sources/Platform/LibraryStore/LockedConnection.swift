import Synchronization

/// One connection to the library, used by one thread at a time.
final class LockedConnection: Sendable {
    private let lock = Mutex(())
    // Only touched while the lock is held.
    private nonisolated(unsafe) let library: LibraryDatabase

    init(_ library: LibraryDatabase) { unsafe self.library = library }

    func wait<Result: Sendable, Failure>(_ body: (LibraryDatabase) throws(Failure) -> Result) throws(Failure) -> Result {
        try lock.withLock { _ throws(Failure) in try unsafe body(library) }
    }

    /// `nil` when another thread uses it.
    func tryNow<Result: Sendable, Failure>(_ body: (LibraryDatabase) throws(Failure) -> Result) throws(Failure) -> Result? {
        try lock.withLockIfAvailable { _ throws(Failure) in try unsafe body(library) }
    }
}
