/// Shuffling of a queue whose order is the order of playing.
///
/// Shuffling produces ordinary `moved` changes, so remotes and the journal need not know about it. Each entry gets a random number from a seed and
/// its own id. So the order of a future pass can be told in advance, and entries that come or go do not change it for the others.
extension PlaybackQueue {
    /// Stores the order and shuffles the entries behind the current one.
    mutating func beginShuffle(by seed: UInt64) -> [QueueChange] {
        unshuffled = entries.map(\.id)
        return shuffleUpcoming(by: seed)
    }

    /// Restores the stored order. The current entry stays current, wherever it is in that order.
    mutating func endShuffle() -> [QueueChange] {
        guard let order = unshuffled else { return [] }
        unshuffled = nil
        return arrange(order, from: 0)
    }

    mutating func shuffleUpcoming(by seed: UInt64) -> [QueueChange] {
        let first = currentIndex.map { $0 + 1 } ?? 0
        return take(Self.draw(entries[first...].map(\.id), by: seed).map { entries[first + $0] }, from: first)
    }

    /// All entries in the order of a new pass. The entry that has just played does not come first.
    func pass(by seed: UInt64) -> [EntryID] {
        var order = Self.draw(entries.map(\.id), by: seed).map { entries[$0].id }
        if order.first == current { order.append(order.removeFirst()) }
        return order
    }

    mutating func beginPass(_ order: [EntryID]) -> [QueueChange] { arrange(order, from: 0) }

    /// Puts new entries into the unshuffled order: behind the same neighbour, or at the end.
    mutating func remember(_ new: [EntryID], behind anchor: EntryID?, atEnd: Bool) {
        guard let order = unshuffled else { return }
        let neighbour = anchor.flatMap(order.firstIndex(of:))
        unshuffled?.insert(contentsOf: new, at: atEnd ? order.count : neighbour.map { $0 + 1 } ?? 0)
    }

    private mutating func arrange(_ order: [EntryID], from first: Int) -> [QueueChange] {
        let indices = EntryIndices(entries[first...].lazy.map(\.id))
        let arranged = order.compactMap { indices[$0].map { entries[first + $0] } }
        precondition(arranged.count == entries.count - first, "An order names each entry once.")
        return take(arranged, from: first)
    }

    private mutating func take(_ arranged: [QueueEntry], from first: Int) -> [QueueChange] {
        guard !arranged.elementsEqual(entries[first...]) else { return [] }
        entries.replaceSubrange(first..., with: arranged)
        revision += 1
        return [.moved(arranged.map(\.id), after: first == 0 ? nil : entries[first - 1].id)]
    }

    /// Indices of `ids` in their shuffled order.
    private static func draw(_ ids: [EntryID], by seed: UInt64) -> [Int] {
        ids.enumerated().map { place, id -> (lot: UInt64, place: Int) in
            var generator = SeededGenerator(seed ^ (id.number &* 0xD6E8_FEB8_6659_FD93))
            return (generator.next(), place)
        }
        .sorted { a, b in a.lot == b.lot ? ids[a.place] < ids[b.place] : a.lot < b.lot }.map(\.place)
    }
}
