import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// Pauses rooms without a speaker while no device plays them and no radio hears their stream, if the owner wants that. The
/// next device resumes them.
///
/// A device that signs off counts as gone at once. One that is cut off still plays its buffer, so its room goes on for that
/// time.
@Loop
final class EmptyRooms {
    static let patience = Duration.seconds(120)

    private let rooms: RoomList
    private let changes: RoomChanges
    private let outputs: RoomOutputs
    private let people: People
    private let streams: RoomStreams
    private var waiting: [RoomID: any Alarm] = [:] { didSet { isWaiting = !waiting.isEmpty } }
    private var isWaiting = false
    private var isClosed = false

    init(rooms: RoomList, changes: RoomChanges, outputs: RoomOutputs, people: People, streams: RoomStreams) {
        self.rooms = rooms
        self.changes = changes
        self.outputs = outputs
        self.people = people
        self.streams = streams
    }

    func close() {
        isClosed = true
        for alarm in waiting.values { alarm.cancel() }
        waiting = [:]
    }

    private func isHeard(_ id: RoomID) -> Bool { people.isHeard(id) || streams.listenerCount(of: id) > 0 }

    private func pausesEmpty(_ live: LiveRoom) -> Bool {
        live.room.presence.whenEmpty == .pause && !live.isGone && outputs.output(of: live) == "null"
    }

    /// Called at each change of a room.
    func roomChanged(_ live: LiveRoom) {
        let id = live.id
        guard !isClosed, pausesEmpty(live), live.isPlaying else { return stopWaiting(for: id) }
        if waiting[id] == nil, !isHeard(id) { wait(for: id, Self.patience) }
    }

    /// Handles a device that began to play this room along, or stopped.
    func listenersChanged(in id: RoomID, saidGoodbye: Bool) {
        guard !isClosed, let live = rooms[id], pausesEmpty(live) else { return }
        if isHeard(id) {
            stopWaiting(for: id)
            // This runs in the next turn of the loop, since this turn is in the middle of a command.
            return later { $0.goOn(in: id) }
        }
        guard live.isPlaying else { return }
        wait(for: id, saidGoodbye ? .zero : Self.patience)
    }

    private func wait(for id: RoomID, _ duration: Duration) {
        stopWaiting(for: id)
        waiting[id] = changes.clock.after(duration) { [weak self] in
            guard let self else { return }
            waiting[id] = nil
            if !isHeard(id) { change(id) { room, numbers, now throws(Refusal) in try room.pauseEmpty(at: now, numbers: &numbers) } }
        }
    }

    private func stopWaiting(for id: RoomID) { if isWaiting { waiting.removeValue(forKey: id)?.cancel() } }

    private func later(_ body: @escaping @Loop (EmptyRooms) -> Void) {
        _ = changes.clock.after(.zero) { [weak self] in if let self, !isClosed { body(self) } }
    }

    private func goOn(in id: RoomID) {
        guard isHeard(id) else { return }
        change(id) { room, numbers, now throws(Refusal) in try room.goOnHeard(at: now, numbers: &numbers) }
    }

    private func change(_ id: RoomID, _ decide: (inout Room, inout EntryNumbers, Moment) throws(Refusal) -> Outcome) {
        guard let live = rooms[id], let effect = try? changes.change(live, decide) else { return }
        live.perform(effect.orders)
        changes.publisher.tell()
    }
}
