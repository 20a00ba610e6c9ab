package import BatonCore
package import BatonProtocol
package import BatonSeams

/// A journal that keeps everything across a simulated crash of the hub, and fails when told to.
@Loop
package final class MemoryJournal: Journal {
    package var fault: JournalFault?
    package private(set) var commits = 0
    private var rooms: [RoomID: RecoveredRoom] = [:]
    private var order: [RoomID] = []
    private var answers: [String: (kept: StoredAnswer, atMs: Milliseconds)] = [:]
    private var lastRooms: [LastRoom] = []
    private var reserved = 0
    private var nextEntry: UInt64 = 1
    private let epoch: String
    /// The clock by which answers and edits grow old. It outlives the hub, and nothing sets it.
    private let nowMs: @Loop () -> Milliseconds
    /// Hears of everything that was stored, one transaction at a time.
    package var onKept: (([Change]) -> Void)?

    package init(epoch: String = "sim1", nowMs: @escaping @Loop () -> Milliseconds) {
        self.epoch = epoch
        self.nowMs = nowMs
    }

    package func load() throws(JournalFault) -> Recovered {
        var kept = order.compactMap { rooms[$0] }
        // Which entry is current, and the revision, stand with the room.
        for index in kept.indices {
            let (room, queue) = (kept[index].room, kept[index].queue)
            kept[index].queue = PlaybackQueue(
                entries: queue.entries, current: room.current, revision: room.queueRevision, unshuffled: queue.unshuffled,
                history: queue.history)
        }
        return Recovered(rooms: kept, epoch: epoch, revisionFloor: reserved, nextEntry: nextEntry, lastRooms: lastRooms)
    }

    package func commit(_ changes: [Change]) throws(JournalFault) {
        if let fault { throw fault }
        commits += 1
        for change in changes { store(change) }
        onKept?(changes)
    }

    private func store(_ change: Change) {
        switch change.room {
        case .deleted(let id):
            let last = rooms.values.map(\.deletion).max() ?? 0
            rooms[id]?.deletion = last + 1
        case .forgotten(let id):
            rooms[id] = nil
            order.removeAll { $0 == id }
        case .kept(let row):
            var room = rooms[row.id] ?? RecoveredRoom(room: row)
            if rooms[row.id] == nil { order.append(row.id) }
            room.room = row
            room.deletion = 0
            if let step = change.queue {
                room.queue = Self.asOnDisk(step.result)
                note(step.changes)
            }
            rooms[row.id] = room
        }
        nextEntry = max(nextEntry, change.nextEntry)
        if let answer = change.answer { answers["\(answer.device) \(answer.key)"] = (answer, nowMs()) }
    }

    /// What the player learned of a sound, and what went wrong with it, is not kept.
    private static func asOnDisk(_ queue: PlaybackQueue) -> PlaybackQueue {
        let entries = queue.entries.map {
            QueueEntry(
                id: $0.id, uri: $0.uri, tags: $0.tags, addedBy: $0.addedBy, addedAtMs: $0.addedAtMs, trust: $0.trust, share: $0.share)
        }
        return PlaybackQueue(
            entries: entries, current: queue.current, revision: queue.revision, unshuffled: queue.unshuffled, history: queue.history)
    }

    private func note(_ changes: [QueueChange]) {
        for change in changes {
            switch change {
            case .inserted(let new, _), .replaced(let new): for entry in new { nextEntry = max(nextEntry, entry.id.number + 1) }
            default: break
            }
        }
    }

    package func answer(device: String, key: String, to kind: CommandKind) throws(JournalFault) -> StoredAnswer? {
        answers["\(device) \(key)"].flatMap { nowMs() - $0.atMs <= JournalRules.answerLifeMs ? $0.kept : nil }
    }

    package func store(_ lastRoom: LastRoom) throws(JournalFault) {
        if let fault { throw fault }
        lastRooms.removeAll { $0.client == lastRoom.client }
        lastRooms.append(lastRoom)
    }

    package func reserveRevisions(upTo last: Int) throws(JournalFault) {
        if let fault { throw fault }
        reserved = max(reserved, last)
    }

    package var clockMs: Milliseconds { nowMs() }

    package var health: JournalHealth { JournalHealth(trouble: fault) }
}
