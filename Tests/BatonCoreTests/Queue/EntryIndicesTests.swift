import Testing

@testable import BatonCore

struct EntryIndicesTests {
    @Test(arguments: 0..<50) func `each entry is found where it stands, and no other`(seed: UInt64) {
        var random = SeededGenerator(seed)
        let count = Int.random(in: 0...300, using: &random)
        let numbers = (0..<count).map { _ in UInt64.random(in: 1...(seed.isMultiple(of: 2) ? 400 : .max), using: &random) }
        let ids = numbers.map(EntryID.init)

        let places = EntryIndices(ids)

        for id in ids { #expect(places[id] == ids.firstIndex(of: id)) }
        for number in UInt64(1)...500 { #expect(places.contains(EntryID(number)) == ids.contains(EntryID(number))) }
    }
}
