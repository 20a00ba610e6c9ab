/// Asynchronous work on a thread that waits for it.
import Glibc
import Synchronization
import Testing

@testable import Threads

@Suite struct WaitingThreadTests {
    private final class Flag: Sendable {
        let value = Mutex(false)
    }

    @Test func `the waiting thread does the work itself, however often it is interrupted`() async {
        await withCheckedContinuation { done in
            OwnThread.start {
                let waiting = WaitingThread()
                let own = pthread_self()
                for number in 0..<100 {
                    let (answer, thread) = waiting.wait {
                        for _ in 0..<3 { await Task.yield() }
                        return (number, pthread_self())
                    }
                    #expect(answer == number && pthread_equal(thread, own) != 0)
                }
                done.resume()
            }
        }
    }

    @Test func `what is cancelled from elsewhere ends, and so does what comes after`() async {
        await withCheckedContinuation { done in
            let waiting = WaitingThread()
            let hasBegun = Flag()
            OwnThread.start {
                for _ in 0..<2 {
                    let isCancelled = waiting.wait { () async -> Bool in
                        hasBegun.value.withLock { $0 = true }
                        while !Task.isCancelled { await Task.yield() }
                        return true
                    }
                    #expect(isCancelled)
                }
                done.resume()
            }
            while !hasBegun.value.withLock({ $0 }) { usleep(100) }
            waiting.cancel()
        }
    }
}
