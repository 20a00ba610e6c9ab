/// A worker of a scan that waits for the job of another one.
import BatonSeams
import Testing
import Threads

@testable import BatonLibrary

@Suite(.timeLimit(.minutes(1))) struct `Workers of a scan wait for one another` {
    @Test(arguments: [2, 4]) func `a worker that waits learns of the end of the last job, whenever that comes`(threads: Int) async {
        let pool = BlockingPool(threads: threads)
        for _ in 0..<2_000 {
            let plan = ScanPlan(roots: 1, [ScanPlan.Look(path: "/music", root: 0)])
            let coordinator = ScanCoordinator(plan, expected: nil, clock: .system) { _ in }
            guard let first = await coordinator.next() else {
                Issue.record("There was a folder to look at.")
                return
            }

            // Both at once: the second worker asks while the first one's job ends.
            async let second = Task(executorPreference: pool) { await coordinator.next()?.worker }.value
            async let end: Void = Task(executorPreference: pool) { await coordinator.stored(worker: first.worker) }.value

            await end
            #expect(await second == nil)
        }
    }
}
