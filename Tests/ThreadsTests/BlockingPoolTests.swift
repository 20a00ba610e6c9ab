/// Threads for work that blocks: there when they are needed, gone when they are not.
import Glibc
import Testing

@testable import Threads

@Suite struct `Threads of a blocking pool` {
    private func work(on blockingPool: BlockingPool, _ number: Int) async -> Int {
        await Task(executorPreference: blockingPool) { number }.value
    }

    private func until(_ isSo: () -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(20)
        while !isSo(), ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(2)) }
        #expect(isSo())
    }

    @Test func `end when there is nothing for them, and come again`() async throws {
        let blockingPool = BlockingPool(threads: 4, idleMs: 20)
        for round in 0..<3 {
            let done = await withTaskGroup(of: Int.self) { group in
                for number in 0..<20 { group.addTask { await work(on: blockingPool, number) } }
                return await group.reduce(0, +)
            }
            #expect(done == 190, "in round \(round)")
            #expect(blockingPool.threadCount <= 4)
            try await until { blockingPool.threadCount == 0 }
        }
    }

    @Test(arguments: [(false, 0), (true, OwnThread.quietness)])
    func `let all others go first when they are quiet`(isQuiet: Bool, priority: CInt) async {
        let blockingPool = BlockingPool(threads: 1, isQuiet: isQuiet)

        let found = await Task(executorPreference: blockingPool) { getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) }.value

        #expect(found == priority)
    }

    /// Work that comes while the last thread is about to end has one.
    @Test func `leave nothing undone that comes in their last moment`() async {
        let blockingPool = BlockingPool(threads: 2, idleMs: 1)
        for number in 0..<2_000 {
            #expect(await work(on: blockingPool, number) == number)
            if number.isMultiple(of: 3) { try? await Task.sleep(for: .milliseconds(1)) }
        }
    }
}
