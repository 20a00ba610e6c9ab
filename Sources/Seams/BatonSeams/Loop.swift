/// The single thread that owns all live state: sockets, sessions, rooms.
///
/// A global actor whose executor is a queue that an event loop drains. The module EventLoop connects it to the service loop of libwebsockets; nothing
/// here knows of that. Code marked `@Loop` needs no lock and, when it is called from a socket callback, no thread hop.
@globalActor
package actor Loop {
    /// The one instance, which `@Loop` refers to.
    package static let shared = Loop()

    /// The executor itself, for the event loop that drains it.
    package static let jobs = JobQueue()

    /// The executor that runs everything marked `@Loop`.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { Self.jobs.asUnownedSerialExecutor() }

    /// Runs `body` at once. The caller must be on the loop thread, which is checked: C callbacks run there, and the compiler cannot know it.
    package static func assumeIsolated<Result>(_ body: @Loop () throws -> Result) rethrows -> Result {
        precondition(jobs.isCurrent, "This must run on the loop thread.")
        typealias Plain = () throws -> Result
        // A global actor is not part of a closure's representation; MainActor.assumeIsolated does the same.
        return try withoutActuallyEscaping(body) { try unsafeBitCast($0, to: Plain.self)() }
    }
}
