import BatonCore
import BatonProtocol
import BatonSeams

/// The last changes of one queue, for clients that follow it.
///
/// One log serves all clients: a session remembers a number, and what it lacks follows from that. A session that
/// lacks more than the log holds is told to read the queue again, so a slow client costs the hub no memory.
///
/// It is a class, so that its revision, which is asked for at each change of a room, is read without the check that nothing changes the log.
final class QueueLog {
    fileprivate struct Step {
        let number: Int
        let from: Int
        let ops: [QueueOps.Op]
        /// Entries with new or changed texts.
        let rows: [EntryID]
    }

    private var steps: [Step] = []
    /// The number of the newest step.
    private(set) var last = 0
    /// The oldest step from which a client can continue; older ones read the queue again.
    private var floor = 0
    /// The revision of the queue at the newest step.
    private(set) var revision: Int
    private let limits: WireLimits
    /// Number of ids above which reading the queue is faster than following it.
    private static let mostIDs = 500

    init(revision: Int, limits: WireLimits) {
        self.revision = revision
        self.limits = limits
    }

    func note(_ changes: [QueueChange], to revision: Int) {
        let ops = changes.compactMap(QueueOps.Op.init)
        let rows = changes.flatMap(\.describedRows)
        guard revision != self.revision || !rows.isEmpty else { return }
        let isWhole = changes.contains { if case .replaced = $0 { true } else { false } }
        if isWhole || ops.reduce(0, { $0 + $1.idCount }) > Self.mostIDs { return startOver(at: revision) }
        last += 1
        steps.append(Step(number: last, from: self.revision, ops: ops, rows: rows))
        self.revision = revision
        var pending = steps.reduce(0) { $0 + $1.ops.count }
        while pending > limits.pendingQueueOps || steps.count > limits.pendingQueueOps {
            let oldest = steps.removeFirst()
            pending -= oldest.ops.count
            floor = oldest.number
        }
    }

    /// The queue became what no step tells.
    func startOver(at revision: Int) {
        last += 1
        floor = last
        steps = []
        self.revision = revision
    }

    /// The changes for a client that has seen all steps up to `number`.
    func news(since number: Int, of room: RoomID, _ queue: PlaybackQueue) -> QueueOps {
        let reset = QueueOps(room: room, revision: revision, isReset: true, length: queue.count)
        guard number >= floor, let first = steps.first(where: { $0.number > number }) else { return reset }
        let due = steps.drop { $0.number < first.number }
        let ids = Set(due.flatMap(\.rows))
        let isInline = ids.count <= limits.inlineRows
        // Changed texts cannot be told in any other way.
        if !isInline, due.contains(where: \.describesOnly) { return reset }
        let rows = isInline ? Self.rows(of: ids, in: queue) : []
        return QueueOps(room: room, from: first.from, revision: revision, ops: due.flatMap(\.ops), rows: rows)
    }

    /// The rows of these entries. Most changes are of one, and a long queue is not hashed for it.
    private static func rows(of ids: Set<EntryID>, in queue: PlaybackQueue) -> [QueueRow] {
        if ids.isEmpty { return [] }
        if ids.count == 1, let only = ids.first { return queue.index(of: only).map { [QueueRow(queue.entries[$0])] } ?? [] }
        return queue.entries.filter { ids.contains($0.id) }.map(QueueRow.init)
    }
}

extension QueueLog.Step {
    fileprivate var describesOnly: Bool { ops.isEmpty }
}

extension QueueOps.Op {
    fileprivate init?(_ change: QueueChange) {
        switch change {
        case .inserted(let entries, let anchor), .restored(let entries, let anchor): self = .insert(after: anchor, entries.map(\.id))
        case .removed(let ids): self = .delete(ids)
        case .moved(let ids, let anchor): self = .move(ids, after: anchor)
        case .current(let entry): self = .current(entry)
        case .replaced, .described, .forgotten: return nil
        }
    }

    fileprivate var idCount: Int {
        switch self {
        case .insert(_, let ids), .delete(let ids), .move(let ids, _): ids.count
        case .current, .unrecognised: 1
        }
    }
}

extension QueueChange {
    fileprivate var describedRows: [EntryID] {
        switch self {
        case .inserted(let entries, _), .restored(let entries, _): entries.map(\.id)
        case .described(let entry): [entry.id]
        case .removed, .moved, .replaced, .current, .forgotten: []
        }
    }
}

extension QueueRow {
    init(_ entry: QueueEntry) {
        self.init(
            entry: entry.id, uri: entry.uri, tags: entry.tags, addedBy: entry.addedBy, addedAtMs: entry.addedAtMs,
            alternatives: entry.alternatives)
    }
}

extension RoomList: QueueReading {
    func step(of room: RoomID) -> Int? { self[room]?.log.last }

    func news(of room: RoomID, since number: Int) -> QueueOps? {
        self[room].map { $0.log.news(since: number, of: room, $0.room.queue) }
    }

    func page(of room: RoomID, from: Int, count: Int) -> QueuePage? { self[room]?.room.queue.page(from: from, count: count) }
}
