import BatonCore
package import BatonSeams

/// A journal that keeps everything across a simulated crash of the hub, and fails when told to.
@Loop
package final class MemoryJournal: Journal {
    package var fault: JournalFault?
    package private(set) var commits = 0
    private var rooms: [RoomID: RecoveredRoom] = [:]
    private var order: [RoomID] = []
    private var answers: [String: KeptAnswer] = [:]
    private var reserved = 0
    private var nextEntry: UInt64 = 1
    private let epoch: String
    /// Hears of everything that was kept, one transaction at a time.
    package var onKept: (([Change]) -> Void)?

    package init(epoch: String = "sim1") { self.epoch = epoch }

    package func load() throws(JournalFault) -> Recovered {
        Recovered(rooms: order.compactMap { rooms[$0] }, epoch: epoch, revisionFloor: reserved, nextEntry: nextEntry)
    }

    package func commit(_ changes: [Change]) throws(JournalFault) {
        if let fault { throw fault }
        commits += 1
        for change in changes { keep(change) }
        onKept?(changes)
    }

    private func keep(_ change: Change) {
        switch change.room {
        case .deleted(let id):
            rooms[id] = nil
            order.removeAll { $0 == id }
        case .kept(let row):
            var room = rooms[row.id] ?? RecoveredRoom(room: row)
            if rooms[row.id] == nil { order.append(row.id) }
            room.room = row
            for delta in change.queue { apply(delta, to: &room.entries) }
            rooms[row.id] = room
        }
        if let answer = change.answer { answers["\(answer.device) \(answer.key)"] = answer }
    }

    private func apply(_ delta: QueueDelta, to entries: inout [EntryRow]) {
        switch delta {
        case .inserted(let anchor, let new):
            entries.insert(contentsOf: new, at: place(behind: anchor, in: entries))
            note(new)
        case .removed(let ids): entries.removeAll { ids.contains($0.id) }
        case .moved(let ids, let anchor):
            let moved = ids.compactMap { id in entries.first { $0.id == id } }
            entries.removeAll { ids.contains($0.id) }
            entries.insert(contentsOf: moved, at: place(behind: anchor, in: entries))
        case .replaced(let new):
            entries = new
            note(new)
        case .described(let entry):
            if let at = entries.firstIndex(where: { $0.id == entry.id }) { entries[at] = entry }
        }
    }

    private func place(behind anchor: EntryID?, in entries: [EntryRow]) -> Int {
        anchor.map { id in (entries.firstIndex { $0.id == id } ?? entries.count - 1) + 1 } ?? 0
    }

    private func note(_ entries: [EntryRow]) {
        for entry in entries { nextEntry = max(nextEntry, entry.id.number + 1) }
    }

    package func answer(device: String, key: String, nowMs: Int64) throws(JournalFault) -> KeptAnswer? {
        answers["\(device) \(key)"].flatMap { nowMs - $0.atMs <= JournalRules.answerLifeMs ? $0 : nil }
    }

    package func reserveRevisions(upTo last: Int) throws(JournalFault) {
        if let fault { throw fault }
        reserved = max(reserved, last)
    }

    package var health: JournalHealth { JournalHealth(trouble: fault) }
}
