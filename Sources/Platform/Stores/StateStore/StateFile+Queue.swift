/// Queues on disk: a row for each entry, the order as one value, and the last edits.
///
/// An edit writes its new rows and the order. Rows are never deleted with an edit, because its undo needs them; they are deleted in batches
/// once nothing refers to them.
import BatonCore
import BatonSeams
import SQLite

extension StateFile {
    /// Number of unused rows that one commit deletes.
    private static let sweptAtOnce = 64

    func apply(_ step: QueueStep, in room: RoomID, _ notes: inout Notes) throws(DatabaseError) {
        for change in step.changes {
            switch change {
            case .inserted(let new, _), .replaced(let new):
                for entry in new { try insert(entry) }
                if !notes.doomed.isEmpty { notes.doomed.subtract(new.lazy.map(\.id)) }
            case .described(let entry): try describe(entry)
            case .forgotten(let ids): notes.doomed.formUnion(ids)
            case .removed, .moved, .restored, .current: break
            }
        }
        let queue = step.result
        if step.changes.isEmpty || step.changes.contains(where: \.isOfOrder) { try write(orderOf: queue, in: room) }
        try write(queue.history, of: room, &notes)
    }

    private func write(orderOf queue: PlaybackQueue, in room: RoomID) throws(DatabaseError) {
        var order = Packer()
        order.put(queue.entries.map(\.id))
        var plain: Packer?
        if let unshuffled = queue.unshuffled {
            plain = Packer()
            plain?.put(unshuffled)
        }
        try database.run(
            // An update does not touch the index; replacing the row would.
            """
            INSERT INTO play_order (room, entries, unshuffled) VALUES (?, ?, ?)
            ON CONFLICT (room) DO UPDATE SET entries = excluded.entries, unshuffled = excluded.unshuffled
            """,
            [.text(room.text), .blob(order.bytes), plain.map { .blob($0.bytes) } ?? .null])
    }

    /// Writes only the differences: usually one row is added and one is deleted. Edits are in the order of their numbers on both sides.
    private func write(_ history: QueueHistory, of room: RoomID, _ notes: inout Notes) throws(DatabaseError) {
        let edits = history.edits
        var there = (notes.edits[room] ?? [])[...]
        var written: [Notes.Edit] = []
        written.reserveCapacity(edits.count)
        for place in edits.indices {
            let edit = Notes.Edit(number: edits[place].number, canUndo: edits[place].canUndo)
            while let gone = there.first, gone.number < edit.number {
                try delete(there.removeFirst(), of: room)
            }
            if there.first?.number != edit.number {
                try insert(edits[place], of: room)
            } else if there.removeFirst().canUndo, !edit.canUndo {
                try database.run("UPDATE edit SET undo = NULL WHERE room = ? AND n = ?", [.text(room.text), .int(edit.number)])
            }
            written.append(edit)
        }
        for gone in there { try delete(gone, of: room) }
        notes.edits[room] = written
    }

    private func delete(_ edit: Notes.Edit, of room: RoomID) throws(DatabaseError) {
        try database.run("DELETE FROM edit WHERE room = ? AND n = ?", [.text(room.text), .int(edit.number)])
    }

    private func insert(_ edit: QueueEdit, of room: RoomID) throws(DatabaseError) {
        try database.run(
            "INSERT OR REPLACE INTO edit (room, n, kind, author, at_ms, clock_ms, entries, undo) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            [
                .text(room.text), .int(edit.number), .text(edit.kind.rawValue), .maybe(edit.author), .time(edit.atMs), .time(edit.steadyMs),
                .int(edit.count),
                edit.undo.map { .blob($0.packed) } ?? .null,
            ])
    }

    func deleteQueue(of room: RoomID, _ notes: inout Notes) throws(DatabaseError) {
        notes.doomed.formUnion(try storedQueue(of: room, rows: [:]).names)
        try database.run("DELETE FROM play_order WHERE room = ?", [.text(room.text)])
        try database.run("DELETE FROM edit WHERE room = ?", [.text(room.text)])
        notes.edits[room] = nil
        notes.steady[room] = nil
    }

    func sweep(_ notes: inout Notes) throws(DatabaseError) {
        for id in notes.doomed.prefix(Self.sweptAtOnce) {
            try database.run("DELETE FROM entry WHERE id = ?", [.id(id)])
            notes.doomed.remove(id)
        }
    }

    // MARK: - Reading

    struct StoredQueue {
        var order: [EntryID] = []
        var unshuffled: [EntryID]?
        var edits: [QueueEdit] = []

        /// Every entry whose row is still needed.
        var names: Set<EntryID> { Set(order).union(edits.lazy.compactMap(\.undo).flatMap(\.runs).flatMap(\.ids)) }
    }

    func storedQueue(of room: RoomID, rows: [EntryID: QueueEntry]) throws(DatabaseError) -> StoredQueue {
        var queue = StoredQueue()
        let found = try database.first("SELECT entries, unshuffled FROM play_order WHERE room = ?", [.text(room.text)]) { row in
            (order: row.entries(0), plain: row.isNull(1) ? nil : row.entries(1))
        }
        if let found {
            guard let order = found.order else { throw .mismatch("the order of \(room) cannot be read") }
            queue.order = order
            queue.unshuffled = found.plain
        }
        try database.each(
            "SELECT n, kind, author, at_ms, clock_ms, entries, undo FROM edit WHERE room = ? ORDER BY n", [.text(room.text)]
        ) { row in
            guard let kind = QueueEdit.Kind(rawValue: row.text(1)) else { return }
            queue.edits.append(
                QueueEdit(
                    number: row.int(0), kind: kind, author: row.maybeText(2), atMs: row.time(3), steadyMs: max(0, row.time(4)),
                    count: row.int(5), undo: row.isNull(6) ? nil : Undo(packed: row.blob(6), of: kind, rows: rows)))
        }
        return queue
    }

    /// All queues, and the data needed for the next commit.
    func recoveredRooms() throws(DatabaseError) -> [RecoveredRoom] {
        let rows = try entries()
        var orphans = Set(rows.keys)
        var notes = Notes()
        var recovered: [RecoveredRoom] = []
        for (room, deletion) in try rooms() {
            let kept = try storedQueue(of: room.id, rows: rows)
            orphans.subtract(kept.names)
            notes.edits[room.id] = kept.edits.map { Notes.Edit(number: $0.number, canUndo: $0.canUndo) }
            let queue = PlaybackQueue(
                entries: kept.order.compactMap { rows[$0] }, current: room.current, revision: room.queueRevision,
                unshuffled: kept.unshuffled, history: QueueHistory(kept.edits))
            recovered.append(RecoveredRoom(room: room, queue: queue, deletion: deletion))
        }
        notes.doomed = orphans
        self.notes = notes
        return recovered
    }
}

/// Data about the file that the model does not have.
struct Notes {
    /// Rows that nothing refers to.
    var doomed: Set<EntryID> = []
    /// The edits of each room, in the order of their numbers.
    var edits: [RoomID: [Edit]] = [:]
    /// The parts of rooms that seldom change, as they were last written by this process.
    var steady: [RoomID: SteadyParts] = [:]

    struct Edit {
        let number: Int
        let canUndo: Bool
    }

    struct SteadyParts: Equatable {
        let presence: RoomPresence
        let links: RoomLinks
    }
}

extension Row {
    fileprivate func entries(_ column: Int32) -> [EntryID]? {
        var unpacker = Unpacker(blob(column))
        return unpacker.entries()
    }
}
