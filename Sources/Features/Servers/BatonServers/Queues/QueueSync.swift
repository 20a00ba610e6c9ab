import BatonCore
import BatonKernel
import BatonSeams

/// Sends the queue to servers whose accounts want it (`sync_queue`): two seconds after it was changed or paused, and every 30
/// s while one of the server's tracks plays.
///
/// A change is stored until the server has it, and replaces a waiting one. The positions in between are only true at their
/// moment, so they are sent once and not stored.
@Loop
final class QueueSync {
    /// The part of a room that counts as a change. It is compared at each change of a room, so it is small.
    struct Look: Equatable {
        fileprivate var revision: Int
        fileprivate var current: EntryID?
        /// The position of a paused room; `nil` while it plays.
        fileprivate var restingMs: Milliseconds?

        @Loop
        fileprivate init(_ live: LiveRoom) {
            revision = live.room.queue.revision
            current = live.room.queue.current
            restingMs = live.isPlaying ? nil : live.room.timeline.positionMs
        }
    }

    private let rooms: RoomList
    private let sources: Sources
    private let delivery: OutboxDelivery
    private let clock: HubClock
    private let log: Log
    /// The names of the sources that want the queue.
    private var wanting: [String] = []
    /// Changed rooms that were not sent yet, the newest last.
    private var changed: [RoomID] = []
    /// The last seen state of each present room.
    private(set) var looks: [RoomID: Look] = [:]
    private var firstUs: Microseconds = 0
    private var lastUs: Microseconds = 0
    private var settling: (any Alarm)?
    private var ticking: (any Alarm)?
    /// The last note for each server.
    private var told: [String: WriteBack] = [:]
    private let work = BackgroundQueue()
    private var isClosed = false

    private static let settled = Duration.seconds(2)
    private static let settledUs: Microseconds = 2_000_000
    /// Limit on the delay for a queue that changes all the time.
    private static let longestUs: Microseconds = 10_000_000
    private static let pace = Duration.seconds(30)

    init(rooms: RoomList, sources: Sources, delivery: OutboxDelivery, clock: HubClock, log: Log) {
        self.rooms = rooms
        self.sources = sources
        self.delivery = delivery
        self.clock = clock
        self.log = log
    }

    func close() async {
        isClosed = true
        settling?.cancel()
        ticking?.cancel()
        await work.finish()
    }

    /// Handles sources that were added or changed, went down or came back.
    func considerAll() {
        wanting = sources.connectors.filter { $0.about.abilities.contains(.queue) }.map(\.source)
        guard !wanting.isEmpty else { return }
        // The current state is no change, since another player may have continued meanwhile.
        let before = looks
        looks = [:]
        for live in rooms.shared { looks[live.room.id] = before[live.room.id] ?? Look(live) }
        tickLater()
    }

    /// Called at each change of a room.
    func roomChanged(_ live: LiveRoom) {
        guard !wanting.isEmpty, !isClosed, !live.isPrivate else { return }
        let look = Look(live)
        guard looks.updateValue(look, forKey: live.room.id) != look else { return }
        lastUs = clock.nowUs
        if changed.isEmpty { firstUs = lastUs }
        changed.removeAll { $0 == live.room.id }
        changed.append(live.room.id)
        if settling == nil { settleLater(Self.settled) }
    }

    /// Forgets a room that was deleted.
    func roomEnded(_ live: LiveRoom) {
        looks[live.room.id] = nil
        changed.removeAll { $0 == live.room.id }
    }

    private func settleLater(_ duration: Duration) {
        settling = clock.after(duration) { [weak self] in
            guard let self else { return }
            settling = nil
            let restUs = lastUs + Self.settledUs - clock.nowUs
            if restUs > 0, clock.nowUs - firstUs < Self.longestUs { return settleLater(.microseconds(restUs)) }
            tellChanges()
        }
    }

    private func tellChanges() {
        let news = changed
        changed = []
        for source in wanting {
            let room = playing(source, of: news) ?? (playing(source, of: rooms.shared.map(\.room.id)) == nil ? news.last : nil)
            if let live = room.flatMap({ rooms[$0] }) { tell(source, live, isKept: true) }
        }
        ticking?.cancel()
        ticking = nil
        tickLater()
    }

    /// The room that plays a track of this source; of several the one that changed last.
    private func playing(_ source: String, of candidates: [RoomID]) -> RoomID? {
        candidates.last { id in
            guard let room = rooms[id]?.room, room.isPlaying, let entry = room.currentEntry else { return false }
            return sources.name(of: entry.uri) == source
        }
    }

    private func tickLater() {
        let ids = rooms.shared.map(\.room.id)
        guard ticking == nil, !isClosed, wanting.contains(where: { playing($0, of: ids) != nil }) else { return }
        ticking = clock.after(Self.pace) { [weak self] in
            guard let self else { return }
            ticking = nil
            for source in wanting {
                guard let live = playing(source, of: rooms.shared.map(\.room.id)).flatMap({ self.rooms[$0] }) else { continue }
                tell(source, live, isKept: false)
            }
            tickLater()
        }
    }

    private func tell(_ source: String, _ live: LiveRoom, isKept: Bool) {
        let now = clock.now
        guard let part = QueuePart(live.room.queue, positionMs: live.room.positionMs(at: now), of: source) else { return }
        let note = part.note
        guard told[source] != note else { return }
        // A waiting change would later overwrite this position, so the position replaces it.
        if isKept || (delivery.counts[source]?.pending ?? 0) > 0 {
            told[source] = note
            work.add { [delivery, log] in
                do throws(SourceFault) { try await delivery.add(note, for: source, atMs: now.wallMs) } catch {
                    log(.warning, "The queue could not be noted for “\(source)”: \(error.sentence)")
                }
            }
        } else if sources.usable(source) != nil {
            told[source] = note
            delivery.tellOnce(note, to: source, atMs: now.wallMs)
        }
    }
}
