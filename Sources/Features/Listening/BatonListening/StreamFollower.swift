import BatonCore
import BatonKernel
import BatonSeams

/// Keeps the encoder of a stream in step with its room: it chooses the next file, and resolves it in time.
@Loop
final class StreamFollower {
    private let room: RoomID
    private let parts: RoomStream.Parts
    private var plan = StreamPlan()
    /// The encoder's current sound, and the part of it that plays.
    private var sound: StreamSound?
    private var part = 0
    private var isAtNewPart = false
    private(set) var isSilent = true
    private var hasBegun = false
    /// Resolved entries: the current one and the next.
    private var known: [EntryID: StreamSound] = [:]
    /// The entry that is being resolved, and its task.
    private var wanted: EntryID?
    private var looking: Task<Void, Never>?
    /// The time at which an entry that was not on disk is tried again.
    private var retryUs: Microseconds?

    private static let retryUs: Microseconds = 3_000_000

    init(_ room: RoomID, _ parts: RoomStream.Parts) {
        self.room = room
        self.parts = parts
    }

    var title: String { sound?.shownTitle ?? "" }

    /// The sources that the encoder gets before the next piece, in order. Sets `isSilent` if that piece is silence.
    func changes() -> [EncodingSource] {
        guard let live = parts.rooms[room] else {
            isSilent = true
            return []
        }
        if let retryUs, parts.clock.nowUs >= retryUs {
            self.retryUs = nil
            plan.startOver()
        }
        let sight = sight(of: live.room)
        if let feed = sound?.feed, !sight.isPlaying || feed.hasEnded { leaveStation(live.room) }
        let step = plan.step(sight)
        prepare(live.room, sight)
        isSilent = step.isSilence
        switch step {
        case .goOn: return nextPart() + renamed(in: live.room)
        case .silence: return silence(in: live.room)
        case .begin(let id, let fromMs, let isAhead):
            guard let sound = known[id] else {
                isSilent = true
                if let entry = [live.room.currentEntry, live.room.upcoming].compactMap({ $0 }).first(where: { $0.id == id }) {
                    look(for: entry)
                }
                return silence(in: live.room)
            }
            return [begin(id, sound, fromMs: fromMs, isAhead: isAhead)]
        }
    }

    private func begin(_ id: EntryID, _ sound: StreamSound, fromMs: Milliseconds, isAhead: Bool) -> EncodingSource {
        self.sound = sound
        hasBegun = true
        part = sound.part(at: fromMs)
        isAtNewPart = false
        plan.begin(id, fromMs: fromMs, isAhead: isAhead)
        if sound.parts.isEmpty { mute() }
        if sound.isLater { retryUs = parts.clock.nowUs + Self.retryUs }
        // A copy that arrives later needs another look, and a station needs a new feed for each start.
        if sound.isLater || sound.feed != nil { known[id] = nil }
        return sound.source(part, fromMs: fromMs)
    }

    /// Leaves a station that has ended, or that the room has paused. It is live, so the room hears its current sound after
    /// the pause. A station that has ended may come back.
    private func leaveStation(_ room: Room) {
        sound = room.currentEntry.map { StreamSound(silent: $0) }
        plan.startOver()
    }

    private func nextPart() -> [EncodingSource] {
        guard isAtNewPart, let sound, sound.parts.indices.contains(part) else { return [] }
        isAtNewPart = false
        return [sound.source(part, fromMs: sound.parts[part].fromMs)]
    }

    /// New names of the current entry. Its tags may be found after its start, and a station sends titles while it plays.
    private func renamed(in room: Room) -> [EncodingSource] {
        guard let entry = room.currentEntry, entry.id == plan.entry, let fresh = sound?.renamed(as: entry) else { return [] }
        sound = fresh
        return [fresh.names]
    }

    /// Silence with its title. Every stream begins with a header, also when nothing plays.
    private func silence(in room: Room) -> [EncodingSource] {
        guard !hasBegun else { return sound?.parts.isEmpty == true ? renamed(in: room) : [] }
        hasBegun = true
        sound = room.currentEntry.map { StreamSound(silent: $0) }
        return [sound?.source(0, fromMs: 0) ?? EncodingSource(title: "", artist: "")]
    }

    private func sight(of room: Room) -> StreamPlan.Sight {
        .init(
            entry: room.queue.current, positionMs: room.positionMs(at: parts.clock.now), durationMs: room.currentEntry?.tags.durationMs,
            speed: room.timeline.rate, isPlaying: room.timeline.state == .playing,
            isLive: sound?.feed != nil, next: room.pausesAfterCurrent ? nil : room.upcoming?.id)
    }

    // MARK: Results

    func note(_ piece: EncodedPiece) {
        guard let sound else { return }
        let isLast = part + 1 >= sound.parts.count
        plan.note(atMs: sound.position(part, atMs: piece.atMs), hasEnded: piece.hasEnded && isLast)
        guard piece.hasEnded, !isLast else { return }
        part += 1
        isAtNewPart = true
    }

    /// Marks the current source as one without decodable sound.
    func mute() {
        plan.mute()
        isSilent = true
    }

    /// Starts over with a new encoder after the old one failed.
    func startOver() {
        plan.startOver()
        (sound, hasBegun, isAtNewPart) = (nil, false, false)
    }

    // MARK: Looking up

    /// Resolves the next entry ahead of time, so that there is no silence between two entries.
    private func prepare(_ room: Room, _ sight: StreamPlan.Sight) {
        let wanted = [room.currentEntry, room.upcoming].compactMap { $0 }
        known = known.filter { known in wanted.contains { $0.id == known.key } }
        guard sight.isPlaying, sight.durationMs != nil, plan.isNearEnd(sight), let next = room.upcoming, known[next.id] == nil else {
            return
        }
        look(for: next)
    }

    private func look(for entry: QueueEntry) {
        guard wanted != entry.id else { return }
        looking?.cancel()
        wanted = entry.id
        looking = Task(executorPreference: Loop.jobs) { [weak self] in await self?.lookUp(entry) }
    }

    private func lookUp(_ entry: QueueEntry) async {
        let sound = await sound(of: entry)
        // Another entry may be in progress by now.
        guard !Task.isCancelled else { return }
        known[entry.id] = sound
        wanted = nil
    }

    private func sound(of entry: QueueEntry) async -> StreamSound {
        do throws(SourceFault) {
            // Adding an entry to the queue was permitted before, so the room may play it.
            let playable = try await parts.sources.playable(of: entry.uri, trust: entry.trust)
            guard case .bytes(let bytes) = playable.location else { return StreamSound(entry, playable) }
            if playable.isLive { return await station(entry, bytes) }
            return StreamSound(entry, await parts.sources.kept(entry.uri) ?? playable)
        } catch {
            parts.log(.debug, "The stream of room \(room) is silent: \(error.sentence)")
            return StreamSound(silent: entry)
        }
    }

    private func station(_ entry: QueueEntry, _ bytes: NamedBytes) async -> StreamSound {
        guard let growing = parts.encoding.growingFile() else { return StreamSound(silent: entry) }
        let feed = LiveFeed(bytes, into: growing, on: parts.blockingPool)
        return await feed.hasSound(parts.clock) ? StreamSound(entry, feed) : StreamSound(silent: entry, isLater: true)
    }

    func close() {
        looking?.cancel()
        (sound, known) = (nil, [:])
    }

    func wait() async { await looking?.value }
}

extension StreamPlan.Step {
    fileprivate var isSilence: Bool { self == .silence }
}
