/// Waits whose end comes before they have begun to wait.
import BatonSeams
import Harness
import Testing

@testable import BatonHub

@Suite(.timeLimit(.minutes(5))) struct `A wait ends when its reason is over` {
    /// Virtual time stands still, so no time limit ends this wait.
    @Test func `a player that names its devices at once is not waited for`() async throws {
        try await onLoop {
            let search = OutputSearch({ [] }, reactor: VirtualTime())

            #expect(await search.look())
        }
    }

    @Test func `a search that ends while the hub closes does not keep the hub`() async throws {
        try await onLoop {
            let search = OutputSearch({ [] }, reactor: VirtualTime())
            search.begin()

            await search.close()
        }
    }
}
