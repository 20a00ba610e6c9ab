import BatonCore
import Harness
import Testing

/// What `Tests/Fuzz` looks for by the hour, for a second: attempts to pair, honest and crooked, in any order. BT-PAIR-006 BT-PAIR-007
@Suite struct PairingNoiseTests {
    @Test(arguments: UInt64(0)..<40) func `whatever strangers do, nobody is let in but by the code, and whoever knows it is`(seed: UInt64)
        async throws
    {
        var random = SeededGenerator(seed)
        // Often what leads somewhere, and in between whatever there is.
        let usual: [UInt8] = [0, 1, 2, 4, 6]
        let script = (0..<120).flatMap { _ in
            [random.next() % 3 == 0 ? UInt8(random.next() % 16) : usual[Int(random.next() % 5)], UInt8(random.next() % 256)]
        }

        try await onLoop { try PairingDialogue.play(script) }
    }
}
