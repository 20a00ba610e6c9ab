/// The queue under every pool of threads: bounded, in order, and without threads when there is no work.
import Synchronization
import Testing
import Threads

@Suite struct WorkQueueTests {
    private func until(_ isSo: () -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(20)
        while !isSo(), ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(2)) }
        #expect(isSo())
    }

    @Test func `jobs are done in the order in which they came`() {
        let queue = WorkQueue(WorkQueue.Limits(threads: 1))
        let order = Mutex<[Int]>([])
        let done = Semaphore()

        for number in 0..<100 { #expect(queue.add { order.withLock { $0.append(number) } } != nil) }
        _ = queue.add { done.signal() }
        done.wait()

        #expect(order.withLock { $0 } == Array(0..<100))
    }

    @Test func `a job beyond the bound is refused and not run, and there is room again when one has begun`() async throws {
        let queue = WorkQueue(WorkQueue.Limits(threads: 1, waiting: 2))
        let (begun, released, done) = (Semaphore(), Semaphore(), Semaphore())
        let runs = Atomic(0)
        _ = queue.add {
            begun.signal()
            released.wait()
        }
        begun.wait()

        #expect(queue.add { runs.add(1, ordering: .relaxed) } != nil)
        #expect(queue.add { runs.add(1, ordering: .relaxed) } != nil)
        #expect(queue.add { runs.add(100, ordering: .relaxed) } == nil)
        released.signal()
        try await until { runs.load(ordering: .relaxed) == 2 }

        #expect(queue.add { done.signal() } != nil)
        done.wait()
        #expect(runs.load(ordering: .relaxed) == 2)
    }

    @Test func `a job that waits can be withdrawn, and one that has begun cannot`() throws {
        let queue = WorkQueue(WorkQueue.Limits(threads: 1))
        let (begun, released, done) = (Semaphore(), Semaphore(), Semaphore())
        let runs = Atomic(0)
        let first = try #require(
            queue.add {
                begun.signal()
                released.wait()
            })
        begun.wait()
        let second = try #require(queue.add { runs.add(1, ordering: .relaxed) })

        #expect(!queue.withdraw(first))
        #expect(queue.withdraw(second))
        #expect(!queue.withdraw(second))
        _ = queue.add { done.signal() }
        released.signal()
        done.wait()

        #expect(runs.load(ordering: .relaxed) == 0)
    }

    @Test func `a job that blocks holds up no other while there is a thread, and all threads end afterwards`() async throws {
        let queue = WorkQueue(WorkQueue.Limits(threads: 2, idleMs: 20, stackBytes: 128 << 10))
        let (released, done) = (Semaphore(), Semaphore())
        _ = queue.add { released.wait() }

        for _ in 0..<50 {
            #expect(queue.add { done.signal() } != nil)
            done.wait()
        }

        #expect(queue.threadCount <= 2)
        released.signal()
        try await until { queue.threadCount == 0 }
    }
}
