/// An index from entry ids to their positions in a list.
///
/// Only the hub assigns entry ids, one number after the other, so multiplication spreads them well and clients cannot cause collisions. The hash of
/// the standard library guards against such attacks and costs ten times as much, and an edit of ten thousand entries looks up many ids.
struct EntryIndices: Sendable {
    private let ids: [EntryID]
    /// A position plus one, or 0 for none. At least twice as many slots as entries.
    private var slots: [UInt32]
    private let shift: UInt64

    /// For an id that occurs twice, the first position counts.
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

    /// The slot of the entry, or the empty one where it would go.
    private func slot(of id: EntryID) -> Int {
        var slot = Int(truncatingIfNeeded: (id.number &* 0x9E37_79B9_7F4A_7C15) >> shift)
        while slots[slot] != 0, ids[Int(slots[slot]) - 1] != id { slot = (slot + 1) & (slots.count - 1) }
        return slot
    }
}
