import BatonCore
import Harness
import Testing

/// What `Tests/Fuzz` looks for by the hour, for a second: attempts to pair, honest and crooked, in any order. BT-PAIR-006 BT-PAIR-007
@Suite struct PairingNoiseTests {
    @Test(arguments: UInt64(0)..<12) func `whatever strangers do, nobody is let in but by the code, and whoever knows it is`(seed: UInt64)
        async throws
    {
        var random = SeededGenerator(seed)
        // A guest who does not know the code, one who does, the owner, and whatever else there is, as PairingDialogue counts.
        let script = (0..<60).flatMap { _ -> [UInt8] in
            let who = UInt8(random.next() % 3)
            switch random.next() % 20 {
            case 0: return [1, who]
            case 1..<10: return [0, who, 3, who, 4, who, 8, 2]
            case 10..<12: return [0, who, 2, who, 4, who, 6, who]
            default: return [UInt8(random.next() % 16), UInt8(random.next() % 256)]
            }
        }

        try await onLoop { try PairingDialogue.play(script) }
    }
}
