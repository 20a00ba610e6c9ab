/// Which sound goes when the store is full. BT-GEN-010
import BatonCore
import Testing

struct SoundStoreTests {
    @Test func `what was heard longest ago goes first, and nothing that is protected`() {
        let sounds = [
            StoredSound("a", bytes: 10, usedMs: 5), StoredSound("b", bytes: 10, usedMs: 1, isProtected: true),
            StoredSound("c", bytes: 10, usedMs: 3), StoredSound("d", bytes: 10, usedMs: 9),
        ]
        #expect(StoredSound.excess(of: sounds, limit: 40).isEmpty)
        #expect(StoredSound.excess(of: sounds, limit: 39) == ["c"])
        #expect(StoredSound.excess(of: sounds, limit: 20) == ["c", "a"])
        #expect(StoredSound.excess(of: sounds, limit: 0) == ["c", "a", "d"])
    }

    @Test(arguments: seeds) func `it fits afterwards, or only what is protected is left`(seed: UInt64) {
        var random = SeededGenerator(seed)
        let sounds = (0..<random.number(0..<30)).map {
            StoredSound(
                "\($0)", bytes: Int64(random.number(1..<100)), usedMs: Milliseconds(random.number(0..<9)), isProtected: random.chance(20))
        }
        let limit = Int64(random.number(0..<1_500))
        let gone = Set(StoredSound.excess(of: sounds, limit: limit))
        let left = sounds.filter { !gone.contains($0.id) }
        #expect(left.reduce(0) { $0 + $1.bytes } <= limit || left.allSatisfy(\.isProtected), "\(seed)")
        #expect(sounds.allSatisfy { !$0.isProtected || !gone.contains($0.id) }, "\(seed)")
    }
}
