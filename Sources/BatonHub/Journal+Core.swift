import BatonCore
import BatonSeams

/// How the core's values become the journal's rows, and come back.
extension RoomRow {
    init(_ room: Room, output: String?, at now: Moment) {
        self.init(id: room.id, name: room.name)
        queueRevision = room.queue.revision
        current = room.queue.current
        positionMs = room.positionMs(at: now)
        playing = room.isPlaying
        level = room.volume.level
        muted = room.volume.muted
        modes = room.modes
        floor = room.volume.floor
        ceiling = room.volume.ceiling
        startMax = room.volume.startMax
        self.output = output
    }
}

extension EntryRow {
    init(_ entry: QueueEntry) {
        self.init(id: entry.id, uri: entry.uri, tags: entry.tags, addedBy: entry.addedBy, addedAtMs: entry.addedAtMs)
    }
}

extension QueueEntry {
    init(_ row: EntryRow) {
        self.init(id: row.id, uri: row.uri, tags: row.tags, addedBy: row.addedBy, addedAtMs: row.addedAtMs)
    }
}

extension Room {
    init(_ kept: RecoveredRoom, limits: VolumeRail) {
        let row = kept.room
        var volume = VolumeRail(
            level: row.level, floor: row.floor, ceiling: min(row.ceiling, limits.ceiling), startMax: min(row.startMax, limits.startMax))
        volume.muted = row.muted
        self.init(
            id: row.id, name: row.name,
            queue: PlaybackQueue(entries: kept.entries.map(QueueEntry.init), current: row.current, revision: row.queueRevision),
            modes: row.modes, positionMs: row.positionMs, volume: volume)
    }
}

extension [QueueDelta] {
    init(_ changes: [QueueChange]) {
        self = changes.compactMap { change in
            switch change {
            case .inserted(let entries, let after): .inserted(after: after, entries.map(EntryRow.init))
            case .removed(let ids): .removed(ids)
            case .moved(let ids, let after): .moved(ids, after: after)
            case .replaced(let entries): .replaced(entries.map(EntryRow.init))
            case .described(let entry): .described(EntryRow(entry))
            case .current: nil  // Part of the room's row.
            }
        }
    }
}
