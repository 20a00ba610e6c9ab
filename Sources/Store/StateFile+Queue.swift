/// A queue's order on disk: sparse numbers, so that an insertion writes one row.
///
/// A new entry gets a number between its neighbours'. Where a gap is used up, the entries behind it
/// are spread again, as few as make room: a window of 256 that doubles until its gaps are wide. The
/// alternative, positions 1, 2, 3, would rewrite half the queue for each `play next`.
import BatonCore
import BatonSeams

extension StateFile {
    /// The distance that appending leaves. Halving it 36 times fills a gap; 2^27 appends fill the range.
    static let stride: Int64 = 1 << 36
    private static let range = -(Int64(1) << 61)...(Int64(1) << 61)
    /// A spread leaves at least so much between two entries.
    private static let wideGap: Int64 = 1 << 20

    func apply(_ delta: QueueDelta, in room: RoomID) throws(DatabaseError) {
        switch delta {
        case .inserted(after: let anchor, let rows):
            let places = try places(for: rows.count, after: anchor, in: room)
            for (index, row) in rows.enumerated() { try insert(row, in: room, ord: places[index]) }
        case .removed(let ids):
            for id in ids {
                let gone = try database.run("DELETE FROM entry WHERE id = ? AND room = ?", [.id(id), .text(room.text)])
                guard gone == 1 else { throw .mismatch("\(id) cannot be removed from \(room): it is not there") }
            }
        case .moved(let ids, after: let anchor):
            try move(ids, after: anchor, in: room)
        case .replaced(let rows):
            try database.run("DELETE FROM entry WHERE room = ?", [.text(room.text)])
            for (index, row) in rows.enumerated() { try insert(row, in: room, ord: Int64(index) * Self.stride) }
        case .described(let row):
            try describe(row, in: room)
        }
    }

    private func move(_ ids: [EntryID], after anchor: EntryID?, in room: RoomID) throws(DatabaseError) {
        // Taken out first, so that none of them counts as a neighbour.
        for id in ids {
            let taken = try database.run(
                "UPDATE entry SET ord = NULL WHERE id = ? AND room = ? AND ord IS NOT NULL", [.id(id), .text(room.text)])
            guard taken == 1 else { throw .mismatch("\(id) cannot be moved within \(room): it is not there, or was named twice") }
        }
        let places = try places(for: ids.count, after: anchor, in: room)
        for (index, id) in ids.enumerated() { try put(id, at: places[index]) }
    }

    private func put(_ id: EntryID, at ord: Int64) throws(DatabaseError) {
        try database.run("UPDATE entry SET ord = ? WHERE id = ?", [.int(ord), .id(id)])
    }

    /// Numbers for so many entries behind the anchor, rising.
    private func places(for count: Int, after anchor: EntryID?, in room: RoomID) throws(DatabaseError) -> [Int64] {
        let count = Int64(count)
        while true {
            let low: Int64? = if let anchor { try ord(of: anchor, in: room) } else { nil }
            let high = try ord(above: low, in: room)
            let first: Int64
            let step: Int64
            switch (low, high) {
            case (nil, nil): (first, step) = (0, Self.stride)
            case (let low?, nil): (first, step) = (low + Self.stride, Self.stride)
            case (nil, let high?): (first, step) = (high - count * Self.stride, Self.stride)
            case (let low?, let high?):
                step = (high - low) / (count + 1)
                first = low + step
            }
            if step > 0, Self.range.contains(first), Self.range.contains(first + count * step) {
                return (0..<count).map { first + $0 * step }
            }
            if step > 0 {
                try spreadAll(of: room)
            } else {
                try spread(after: low!, for: count, in: room)  // Without a lower neighbour there is a stride.
            }
        }
    }

    private func ord(of id: EntryID, in room: RoomID) throws(DatabaseError) -> Int64 {
        let found = try database.first(
            "SELECT ord FROM entry WHERE id = ? AND room = ? AND ord IS NOT NULL", [.id(id), .text(room.text)]
        ) { $0.int64(0) }
        guard let found else { throw .mismatch("\(id) cannot be an anchor in \(room): it is not there, or is itself moved") }
        return found
    }

    private func ord(above low: Int64?, in room: RoomID) throws(DatabaseError) -> Int64? {
        try database.first(
            "SELECT ord FROM entry WHERE room = ? AND ord > ? ORDER BY ord LIMIT 1", [.text(room.text), .int(low ?? .min)]
        ) { $0.int64(0) }
    }

    /// Makes room for `count` entries right behind `low`.
    private func spread(after low: Int64, for count: Int64, in room: RoomID) throws(DatabaseError) {
        var window = max(256, 2 * count)
        while true {
            var behind = try entries(above: low, atMost: window + 1, in: room)
            guard behind.count > window else {
                // The end is within reach, and there is as much room as anyone wants.
                return try put(behind.map(\.id), from: low, step: Self.stride)
            }
            let upper = behind.removeLast().ord
            let step = (upper - low) / (window + 1)
            if step / (count + 1) >= Self.wideGap { return try put(behind.map(\.id), from: low, step: step) }
            window *= 2
        }
    }

    private func spreadAll(of room: RoomID) throws(DatabaseError) {
        try put(try entries(above: .min, atMost: -1, in: room).map(\.id), from: -Self.stride, step: Self.stride)
    }

    private func put(_ ids: [EntryID], from low: Int64, step: Int64) throws(DatabaseError) {
        for (index, id) in ids.enumerated() { try put(id, at: low + Int64(index + 1) * step) }
    }

    private func entries(
        above low: Int64, atMost count: Int64, in room: RoomID
    ) throws(DatabaseError) -> [(id: EntryID, ord: Int64)] {
        var found: [(id: EntryID, ord: Int64)] = []
        try database.each(
            "SELECT id, ord FROM entry WHERE room = ? AND ord > ? ORDER BY ord LIMIT ?",
            [.text(room.text), .int(low), .int(count)]
        ) { found.append(($0.id(0), $0.int64(1))) }
        return found
    }
}
