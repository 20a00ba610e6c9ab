import Synchronization

/// One connection of a store, used by one thread at a time.
package final class LockedConnection<Connection: AnyObject>: Sendable {
    private let lock = Mutex(())
    // Only accessed while the lock is held.
    private nonisolated(unsafe) let connection: Connection

    package init(_ connection: Connection) { unsafe self.connection = connection }

    package func wait<Result: Sendable, Failure>(_ body: (Connection) throws(Failure) -> Result) throws(Failure) -> Result {
        try lock.withLock { _ throws(Failure) in try unsafe body(connection) }
    }

    /// `nil` if another thread uses it.
    package func tryNow<Result: Sendable, Failure>(_ body: (Connection) throws(Failure) -> Result) throws(Failure) -> Result? {
        try lock.withLockIfAvailable { _ throws(Failure) in try unsafe body(connection) }
    }
}

/// Read-only connections of a store: a query uses a free one, or waits for the next in turn.
package final class ReaderConnections<Connection: AnyObject>: Sendable {
    private let readers: [LockedConnection<Connection>]
    private let turn = Atomic(0)

    package init(_ connections: [Connection]) { readers = connections.map { LockedConnection($0) } }

    package func ask<Result: Sendable, Failure>(_ question: (Connection) throws(Failure) -> Result) throws(Failure) -> Result {
        for reader in readers {
            if let result = try reader.tryNow({ connection throws(Failure) in try question(connection) }) { return result }
        }
        let next = turn.wrappingAdd(1, ordering: .relaxed).newValue
        return try readers[abs(next % readers.count)].wait { connection throws(Failure) in try question(connection) }
    }

    /// Calls `body` for each of them when no query uses it.
    package func waitForEach(_ body: (Connection) -> Void) {
        for reader in readers { reader.wait { body($0) } }
    }
}
