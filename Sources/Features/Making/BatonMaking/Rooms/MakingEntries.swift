import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// The entries of pieces in the making, in all queues. They get title and length when their piece is ready, and when the last
/// entry of a job is removed, the job is cancelled.
@Loop
final class MakingEntries: MakingObserver {
    private let rooms: RoomList
    private let changes: RoomChanges
    /// Jobs that have an entry, by their items.
    private var watched: [ItemURI: String] = [:] { didSet { isWatching = !watched.isEmpty } }
    private var isWatching = false
    private var alarm: (any Alarm)?
    /// The revision at which the queue of each room was last read.
    private var looked: [RoomID: Int] = [:]
    /// One of those, which is found without a search: the room that has changed last.
    private var lately: (room: RoomID, revision: Int) = (RoomID(""), 0)
    private var isOpen = false
    private let waits: MakingWaits
    private let jobs: MakingJobs

    /// Time for a move between rooms, and for a person who undoes a removal at once.
    private static let patience = Duration.seconds(2)

    init(jobs: MakingJobs, rooms: RoomList, changes: RoomChanges, items: ItemExpansion) {
        self.jobs = jobs
        self.rooms = rooms
        self.changes = changes
        waits = MakingWaits(changes, items)
    }

    func hear(_ news: MakingNews) {
        switch news {
        case .opened: opened()
        case .waits(let job): watch(job)
        case .made(let job): made(job)
        case .unmade(let job, let reason): note(job.uri, reason)
        default: break
        }
    }

    /// Begins to watch the queues, since the jobs are known.
    private func opened() {
        for job in jobs.queue.jobs.values where !job.state.isOver { watch(job) }
        isOpen = true
        for live in rooms.all { complete(live) }
    }

    /// Completes entries. Their piece may have been finished while the hub ended, or while the entry or its room was removed.
    /// An entry whose piece will not be made gets the reason.
    private func complete(_ live: LiveRoom) {
        looked[live.id] = live.room.queue.revision
        for entry in live.room.queue.entries where !entry.isMade {
            switch jobs.queue.knowledge(of: entry.uri) {
            case .made(let tags): live.perform(changes.update(live) { room, now in room.describe(entry.uri, tags, at: now) })
            case .unmade(let reason): live.perform(changes.update(live) { room, now in room.note(entry.uri, reason, at: now) })
            case .coming: break
            }
        }
    }

    func close() async {
        alarm?.cancel()
        await waits.close()
        watched = [:]
    }

    private func watch(_ job: GenerationJob) {
        guard job.room != nil else { return }
        watched[job.uri] = job.id
        look(after: Self.patience)
    }

    /// Called after every change of a room, so it does next to nothing.
    func roomChanged(_ live: LiveRoom) {
        // A look is on its way: nothing is asked for.
        if alarm == nil, isWatching || isOpen && !isLooked(at: live.id, live.room.queue.revision) { look(after: Self.patience) }
        waits.roomChanged(live)
    }

    private func isLooked(at room: RoomID, _ revision: Int) -> Bool {
        if lately == (room, revision) { return true }
        guard looked[room] == revision else { return false }
        lately = (room, revision)
        return true
    }

    private func look(after delay: Duration) {
        guard alarm == nil else { return }
        alarm = changes.clock.after(delay) { [weak self] in
            self?.alarm = nil
            self?.look()
        }
    }

    private func look() {
        var missing = watched
        for live in rooms.all {
            for entry in live.room.queue.entries where !missing.isEmpty { missing[entry.uri] = nil }
            if looked[live.id] != live.room.queue.revision { complete(live) }
        }
        for (uri, id) in missing {
            watched[uri] = nil
            jobs.left(id)
        }
        changes.publisher.tell()
    }

    /// Updates all entries of a finished piece, and plays it where a person is waiting for it.
    private func made(_ job: GenerationJob) {
        watched[job.uri] = nil
        for live in rooms.all where live.room.queue.entries.contains(where: { $0.uri == job.uri }) {
            live.perform(changes.update(live) { room, now in room.describe(job.uri, job.shownTags, at: now) })
            guard job.playsWhenReady, live.id == job.room else { continue }
            play(job.uri, in: live)
        }
        changes.publisher.tell()
    }

    /// The items in all queues.
    var queued: Set<ItemURI> { rooms.all.reduce(into: []) { all, live in for entry in live.room.queue.entries { all.insert(entry.uri) } } }

    /// Sets the reason why the piece was not made; without one it is made again.
    private func note(_ uri: ItemURI, _ reason: String?) {
        for live in rooms.all where live.room.queue.entries.contains(where: { $0.uri == uri }) {
            live.perform(changes.update(live) { room, now in room.note(uri, reason, at: now) })
        }
        changes.publisher.tell()
    }

    private func play(_ uri: ItemURI, in live: LiveRoom) {
        guard let entry = live.room.queue.entries.first(where: { $0.uri == uri })?.id else { return }
        // A room that waited for it is playing it already.
        guard live.room.queue.current != entry || !live.isPlaying else { return }
        let effect = try? changes.change(live) { room, numbers, now throws(Refusal) in
            try room.apply(.jump(entry), at: now, numbers: &numbers)
        }
        live.perform(effect?.orders ?? [])
    }
}
