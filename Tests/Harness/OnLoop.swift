import BatonSeams
import EventLoop

/// Runs a test's body on the process's one loop, one test at a time, and so that what it calls runs there too: neither another test nor a
/// thread of the machine has a part in what happens.
package func onLoop<Result: Sendable>(_ body: @Loop @Sendable () async throws -> Result) async throws -> Result {
    _ = try await EventLoop.background()
    await Turn.begin()
    do {
        let result = try await withTaskExecutorPreference(Loop.jobs) { try await body() }
        await Turn.end()
        return result
    } catch {
        await Turn.end()
        throw error
    }
}

/// The tests that want the loop, in the order in which they came.
@Loop
private enum Turn {
    private static var isTaken = false
    private static var waiting: [CheckedContinuation<Void, Never>] = []

    static func begin() async {
        guard isTaken else { return isTaken = true }
        await withCheckedContinuation { waiting.append($0) }
    }

    static func end() {
        if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
    }
}
