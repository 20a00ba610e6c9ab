package import BatonCore

/// Waits on the loop for the descriptors and deadlines of an edge. EventLoop implements it; the simulation has one in virtual time.
@Loop
package protocol Reactor: AnyObject {
    /// Microseconds of the hub's monotonic clock. Every time stamp on the wire comes from here.
    var nowUs: Microseconds { get }

    /// Calls `action` on the loop whenever the descriptor is ready. The caller still owns the descriptor, and cancels the watch before closing it.
    func watch(_ descriptor: Int32, for interest: Readiness, _ action: @escaping @Loop (Readiness) -> Void) -> any Watch

    /// Calls `action` once on the loop, not before the time has passed.
    func after(_ delay: Duration, _ action: @escaping @Loop () -> Void) -> any Alarm
}

/// The directions in which a descriptor is ready.
package struct Readiness: OptionSet, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Bytes, or a connection, can be read without waiting.
    package static let readable = Readiness(rawValue: 1)
    /// Bytes can be written without waiting.
    package static let writable = Readiness(rawValue: 2)
    /// An error or a hang-up; always reported.
    package static let broken = Readiness(rawValue: 4)
}

/// A watched descriptor. Dropping this object does not cancel the watch.
@Loop
package protocol Watch: AnyObject {
    /// Waits for other directions from now on.
    func change(to interest: Readiness)
    func cancel()
}

/// A deadline. Cancelling one that has passed does nothing.
@Loop
package protocol Alarm: AnyObject {
    func cancel()
}
