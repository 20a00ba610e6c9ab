package import BatonCore
package import BatonSeams

/// Conversion between rooms and the journal's rows.
extension RoomRow {
    /// The stored form of a room. The position is the one that a restart would continue from.
    package init(_ room: Room, output: String?, at now: Moment) {
        self.init(id: room.id, name: room.name)
        queueRevision = room.queue.revision
        current = room.queue.current
        positionMs = room.storedPositionMs(at: now)
        playing = room.isPlaying
        level = room.volume.level
        muted = room.volume.muted
        modes = room.modes
        floor = room.volume.floor
        ceiling = room.volume.ceiling
        startMax = room.volume.startMax
        self.output = output
        sleep = room.sleep?.wish(at: now)
        resumption = room.resumption
        speeds = room.speeds
        sleepPositions = room.sleepPositions
        presence = room.presence
        links = room.links
    }
}

extension QueueStep {
    /// The step to store for a queue; `nil` when the queue has not changed. `whole` stores all of it, after steps that could
    /// not be stored.
    package init?(_ outcome: Outcome, in room: Room, whole: Bool) {
        guard whole || outcome.hasNewQueue else { return nil }
        self.init(whole ? [.replaced(room.queue.entries)] : outcome.changes, result: room.queue)
    }
}

extension Room {
    /// The room as it was stored, with a volume within the present limits.
    package init(_ kept: RecoveredRoom, limits: VolumeRail, at now: Moment) {
        let row = kept.room
        var volume = VolumeRail(
            level: row.level, floor: row.floor, ceiling: min(row.ceiling, limits.ceiling), startMax: min(row.startMax, limits.startMax))
        volume.muted = row.muted
        self.init(
            id: row.id, name: row.name, queue: kept.queue, modes: row.modes, positionMs: row.positionMs, volume: volume, sleep: row.sleep,
            resumption: row.resumption, speeds: row.speeds, sleepPositions: row.sleepPositions, presence: row.presence,
            links: row.links, at: now)
    }
}
