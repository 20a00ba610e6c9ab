/// A queue as it was sent to a session, for interpreting places in it.
///
/// Clients refer to entries by places and the hub by ids. A place is looked up in the queue that the session got last, so that after
/// another person's edit it still means the same entry, or none.
import BatonCore

struct SentQueue: Equatable {
    /// The number by which a session refers to it. The same entries in the same order keep their number.
    var number: Int
    /// The last revision of the queue with these entries.
    var revision: Int
    var entries: [EntryID]

    func entry(at place: Int) throws(RoomRefusal) -> EntryID {
        guard entries.indices.contains(place) else {
            throw RoomRefusal(400, "There is no place \(place) in the queue: it has \(entries.count) entries.")
        }
        return entries[place]
    }

    func entries(at places: [Int]) throws(RoomRefusal) -> [EntryID] {
        var found: [EntryID] = []
        var seen = Set<EntryID>()
        for place in places {
            let entry = try entry(at: place)
            if seen.insert(entry).inserted { found.append(entry) }
        }
        return found
    }

    /// Target of an insertion at this place. If the entry there is gone, the target is the end.
    func insertion(at place: Int?) throws(RoomRefusal) -> InsertionPoint {
        guard let place else { return .end }
        guard place <= entries.count else {
            throw RoomRefusal(400, "Nothing can stand at place \(place): the queue has \(entries.count) entries.")
        }
        return place == 0 ? .after(nil) : .after(entries[place - 1], orEnd: true)
    }

    /// The entry to move, and its target once it was taken out.
    func move(from: Int, to: Int) throws(RoomRefusal) -> (EntryID, InsertionPoint) {
        let entry = try entry(at: from)
        guard entries.indices.contains(to) else {
            throw RoomRefusal(400, "There is no place \(to) in the queue: it has \(entries.count) entries.")
        }
        let anchor = to <= from ? to - 1 : to
        return (entry, .after(anchor < 0 ? nil : entries[anchor]))
    }
}

/// Recently sent queues of one room. A session stores a number only, so that many sessions cost little.
struct SentQueues: Equatable {
    private var kept: [SentQueue] = []

    /// Number of queues that are held. A client that missed more edits must read the queue again.
    static let most = 64

    var newest: SentQueue? { kept.last }

    mutating func note(_ entries: [EntryID], revision: Int) -> SentQueue {
        if var last = kept.last, last.entries == entries {
            last.revision = revision
            kept[kept.count - 1] = last
            return last
        }
        let queue = SentQueue(number: (kept.last?.number ?? 0) + 1, revision: revision, entries: entries)
        kept.append(queue)
        if kept.count > Self.most { kept.removeFirst() }
        return queue
    }

    subscript(number: Int) -> SentQueue? { kept.last { $0.number == number } }
}
