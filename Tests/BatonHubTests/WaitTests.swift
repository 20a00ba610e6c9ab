/// Waits whose end comes before they have begun to wait.
import BatonSeams
import Harness
import Synchronization
import Testing

@testable import BatonHub
@testable import BatonKernel

@Suite struct `A wait ends when its reason is over` {
    /// What came of it; `nil` while it still waits. Virtual time stands still, so no time limit ends it.
    @Loop
    private func outcome(of wait: @escaping @Loop @Sendable () async -> Bool) async -> Bool? {
        let outcome = Mutex(Bool?.none)
        Task(executorPreference: Loop.jobs) {
            let answer = await wait()
            outcome.withLock { $0 = answer }
        }
        await untilQuiet()
        return outcome.withLock { $0 }
    }

    @Test func `a player that names its devices at once is not waited for`() async throws {
        try await onLoop {
            let search = OutputSearch({ [] }, reactor: VirtualTime())
            let found = await outcome(of: { await search.look() })
            #expect(found == true)
        }
    }

    @Test func `a search that ends while the hub closes does not keep the hub`() async throws {
        try await onLoop {
            let search = OutputSearch({ [] }, reactor: VirtualTime())
            search.begin()
            let isClosed = await outcome(of: {
                await search.close()
                return true
            })
            #expect(isClosed == true)
        }
    }
}
