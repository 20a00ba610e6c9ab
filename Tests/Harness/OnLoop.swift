import BatonSeams
import EventLoop

/// Runs a test's body on the process's one loop.
package func onLoop<Result: Sendable>(_ body: @Loop @Sendable () async throws -> Result) async throws -> Result {
    _ = try await EventLoop.background()
    return try await body()
}

/// Returns once no job waits for the loop.
@Loop
package func untilQuiet() async {
    while !Loop.jobs.isEmpty { await Task.yield() }
}
