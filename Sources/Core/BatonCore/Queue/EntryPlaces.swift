/// Where each of some entries stands among them.
///
/// Entries are named by the hub alone, one number after the other, so a multiplication spreads them
/// well, and clients cannot choose numbers that collide. The library's own sets guard against that with a
/// hash that costs ten times as much, and an edit of ten thousand entries asks many times.
struct EntryPlaces: Sendable {
    private let ids: [EntryID]
    /// A place and one, or 0 for none; twice as many as there are entries at least.
    private var slots: [UInt32]
    private let shift: UInt64

    /// Of an entry that is named twice the first place counts.
    init(_ ids: [EntryID]) {
        self.ids = ids
        let bits = max(1, Int.bitWidth - (2 * ids.count).leadingZeroBitCount)
        shift = UInt64(UInt64.bitWidth - bits)
        slots = Array(repeating: 0, count: 1 << bits)
        for (place, id) in ids.enumerated() {
            let slot = slot(of: id)
            if slots[slot] == 0 { slots[slot] = UInt32(place + 1) }
        }
    }

    init(_ ids: some Sequence<EntryID>) { self.init(Array(ids)) }

    subscript(id: EntryID) -> Int? {
        let found = slots[slot(of: id)]
        return found == 0 ? nil : Int(found) - 1
    }

    func contains(_ id: EntryID) -> Bool { slots[slot(of: id)] != 0 }

    /// The slot that is its own, or the one where it would be put.
    private func slot(of id: EntryID) -> Int {
        var slot = Int(truncatingIfNeeded: (id.number &* 0x9E37_79B9_7F4A_7C15) >> shift)
        while slots[slot] != 0, ids[Int(slots[slot]) - 1] != id { slot = (slot + 1) & (slots.count - 1) }
        return slot
    }
}
