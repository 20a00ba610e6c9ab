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

/// Returns once no job waits for the loop, and then nothing happens any more before time passes; or as soon as this is so. A world in
/// virtual time has no job anywhere else, since its pools are `Loop.jobs` or a `HeldPool`.
@Loop
package func untilQuiet(or isSo: @Loop () -> Bool = { false }) async {
    var turns = 0
    while !Loop.jobs.isEmpty, !isSo() {
        await Task.yield()
        turns += 1
        // A hub that asks again and again without a pause, for which a test would wait for ever.
        precondition(turns < 1_000_000, "Jobs follow each other without end at one moment of virtual time.")
    }
}
