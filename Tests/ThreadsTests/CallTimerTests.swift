/// Calls that take longer than their limit, and results from a thread of one's own.
import Synchronization
import Testing
import Threads

@Suite struct CallTimerTests {
    @Test func `a call within its limit expires nothing, however many there are`() {
        let expired = Atomic(0)
        let timer = CallTimer(limitMs: 60_000) { expired.add(1, ordering: .relaxed) }
        for _ in 0..<1_000 {
            timer.begin()
            #expect(!timer.end())
        }
        timer.close()
        #expect(expired.load(ordering: .relaxed) == 0)
    }

    @Test func `a call beyond its limit is cut while it runs, and the next one starts afresh`() {
        let cut = Semaphore()
        let timer = CallTimer(limitMs: 5) { cut.signal() }

        timer.begin()
        cut.wait()
        #expect(timer.end())

        #expect(!timer.hasExpired)
        timer.begin()
        cut.wait()
        #expect(timer.hasExpired && timer.end())
        timer.close()
    }

    @Test func `nothing expires once a call has ended`() {
        let running = Atomic(false)
        let late = Atomic(0)
        let timer = CallTimer(limitMs: 1) { if !running.load(ordering: .sequentiallyConsistent) { late.add(1, ordering: .relaxed) } }
        for round in 0..<500 {
            running.store(true, ordering: .sequentiallyConsistent)
            timer.begin()
            if round.isMultiple(of: 5) { _ = Semaphore().wait(ms: 1) }
            _ = timer.end()
            running.store(false, ordering: .sequentiallyConsistent)
        }
        timer.close()
        #expect(late.load(ordering: .relaxed) == 0)
    }

    @Test func `a semaphore that is not signalled in time says so, and keeps a signal for later`() {
        let semaphore = Semaphore()
        #expect(!semaphore.wait(ms: 1))
        #expect(!semaphore.wait(ms: -5))
        semaphore.signal()
        #expect(semaphore.wait(ms: 0))
    }

    @Test func `a call on its own thread returns its result`() async {
        let results = await withTaskGroup(of: Int.self) { group in
            for number in 0..<20 { group.addTask { await OwnThread.run { number * 2 } } }
            return await group.reduce(0, +)
        }
        #expect(results == 380)
    }
}
