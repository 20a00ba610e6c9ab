/// A compact encoding of numbers, for orders and undo steps in one column.
///
/// Each byte holds seven bits, and the last byte of a number has a clear high bit; entries are stored as the difference to the one before.
/// Neighbours in a queue were mostly added together. So ten thousand of them take ten kilobytes in their original order and thirty when
/// shuffled, and are written as one value in a tenth of a millisecond. The alternative, a row with a rank for each entry, took 30 ms for a
/// shuffle.
package import BatonCore

package struct Packer {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func put(_ number: UInt64) {
        var left = number
        while left >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: left) | 0x80)
            left >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: left))
    }

    package mutating func put(_ number: Int) { put(UInt64(max(0, number))) }

    package mutating func put(_ time: Milliseconds) { put(UInt64(max(0, time.count))) }

    package mutating func put(_ entry: EntryID?) { put(entry.map { $0.number &+ 1 } ?? 0) }

    package mutating func put(_ text: String) {
        put(text.utf8.count)
        bytes += text.utf8
    }

    package mutating func put(_ entries: [EntryID]) {
        put(entries.count)
        var last: UInt64 = 0
        for entry in entries {
            // The sign is stored in the lowest bit, so that negative steps are as short as positive ones.
            let step = Int64(bitPattern: entry.number &- last)
            put(UInt64(bitPattern: (step << 1) ^ (step >> 63)))
            last = entry.number
        }
    }
}

/// A reader for the output of `Packer`. A truncated value yields `nil`.
package struct Unpacker {
    private var rest: ArraySlice<UInt8>

    package init(_ bytes: [UInt8]) { rest = bytes[...] }

    package mutating func number() -> UInt64? {
        var number: UInt64 = 0
        var shift: UInt64 = 0
        while let byte = rest.popFirst() {
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return number }
            shift += 7
        }
        return nil
    }

    package mutating func int() -> Int? { number().flatMap { Int(exactly: $0) } }

    package mutating func time() -> Milliseconds? { int().map { Milliseconds($0) } }

    /// The entry, if there is one. The outer optional is `nil` if there was nothing to read.
    package mutating func entry() -> EntryID?? { number().map { $0 == 0 ? nil : EntryID($0 &- 1) } }

    package mutating func text() -> String? {
        guard let count = int(), count <= rest.count else { return nil }
        defer { rest.removeFirst(count) }
        return String(decoding: rest.prefix(count), as: UTF8.self)
    }

    package mutating func entries() -> [EntryID]? {
        guard let count = int(), count <= rest.count else { return nil }
        var entries: [EntryID] = []
        entries.reserveCapacity(count)
        var last: UInt64 = 0
        for _ in 0..<count {
            guard let folded = number() else { return nil }
            last = last &+ ((folded >> 1) ^ (0 &- (folded & 1)))
            entries.append(EntryID(last))
        }
        return entries
    }
}

extension Undo {
    package var packed: [UInt8] {
        var packer = Packer()
        packer.put(current)
        packer.put(successor)
        packer.put(positionMs)
        packer.put(newest)
        packer.put(brought)
        packer.put(runs)
        packer.put(unshuffled == nil ? 0 : 1)
        if let unshuffled { packer.put(unshuffled) }
        if let sender { packer.put(sender.text) }
        return packer.bytes
    }

    /// Removed entries are taken from `rows`; `nil` for an invalid value.
    package init?(packed: [UInt8], of kind: QueueEdit.Kind, rows: [EntryID: QueueEntry]) {
        var unpacker = Unpacker(packed)
        guard let current = unpacker.entry(), let successor = unpacker.entry(), let positionMs = unpacker.time(),
            let newest = unpacker.number(), let brought = unpacker.entries(), let runs = unpacker.runs(), let isShuffled = unpacker.int()
        else { return nil }
        var plain: [Run]?
        if isShuffled == 1 {
            guard let runs = unpacker.runs() else { return nil }
            plain = runs
        }
        // The last field, which is mostly absent; older versions did not write it.
        let sender = unpacker.text().map { RoomID($0) }
        let taken = kind.takesOut ? runs.flatMap(\.ids).compactMap { rows[$0] } : []
        self.init(
            runs: runs, unshuffled: plain, taken: taken, brought: brought, current: current, positionMs: positionMs, successor: successor,
            newest: newest, sender: sender)
    }
}

extension QueueEdit.Kind {
    /// Whether such an edit removes its entries from the queue, so that only its undo holds them.
    fileprivate var takesOut: Bool {
        switch self {
        case .clear, .replace, .remove: true
        case .add, .move, .shuffle, .undo: false
        }
    }
}

extension Packer {
    fileprivate mutating func put(_ runs: [Undo.Run]) {
        put(runs.count)
        for run in runs {
            put(run.after)
            put(run.ids)
        }
    }
}

extension Unpacker {
    fileprivate mutating func runs() -> [Undo.Run]? {
        guard let count = int(), count <= rest.count else { return nil }
        var runs: [Undo.Run] = []
        for _ in 0..<count {
            guard let anchor = entry(), let ids = entries() else { return nil }
            runs.append(Undo.Run(after: anchor, ids: ids))
        }
        return runs
    }
}
