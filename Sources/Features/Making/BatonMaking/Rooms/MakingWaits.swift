import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// Rooms that wait for a piece in the making. It skips the piece after a time limit, and finds something to play meanwhile.
@Loop
final class MakingWaits {
    private struct Running {
        let wait: MakingWait
        let alarm: any Alarm
    }

    private let changes: RoomChanges
    private let items: ItemExpansion
    private var running: [RoomID: Running] = [:] { didSet { isRunning = !running.isEmpty } }
    private var isRunning = false
    private var searches: [RoomID: Task<Void, Never>] = [:]
    /// Number of fills in each room, by which the items of a playlist take turns.
    private var fills: [RoomID: Int] = [:]

    init(_ changes: RoomChanges, _ items: ItemExpansion) {
        self.changes = changes
        self.items = items
    }

    func close() async {
        for room in running.keys { running.removeValue(forKey: room)?.alarm.cancel() }
        for search in searches.values {
            search.cancel()
            await search.value
        }
        searches = [:]
    }

    /// Called after every change of a room.
    func roomChanged(_ live: LiveRoom) {
        // A room that waits is buffering.
        guard isRunning || live.room.timeline.state == .buffering else { return }
        let room = live.id
        let wait = live.room.wait
        guard wait != running[room]?.wait else { return }
        end(room)
        guard let wait else { return }
        let left = Duration.microseconds(max(0, wait.untilUs - changes.clock.nowUs))
        let alarm = changes.clock.after(left) { [weak self, weak live] in
            guard let self, let live else { return }
            self.end(room)
            live.perform(self.changes.update(live) { room, now in room.endWaiting(at: now) })
            self.changes.publisher.tell()
        }
        running[room] = Running(wait: wait, alarm: alarm)
        guard let filler = wait.filler else { return }
        searches[room] = Task(executorPreference: Loop.jobs) { [weak self, weak live] in
            if let self, let live { await self.fill(live, before: wait.entry, from: filler) }
        }
    }

    private func end(_ room: RoomID) {
        running.removeValue(forKey: room)?.alarm.cancel()
        searches.removeValue(forKey: room)?.cancel()
    }

    /// Plays items from the filler before the entry. When there are none, the room goes on waiting.
    private func fill(_ live: LiveRoom, before entry: EntryID, from filler: ItemURI) async {
        let found = try? await items.items(of: [filler], trust: .itemsOnly, most: PlaybackQueue.limit, in: "queue") { _ in nil }
        guard !Task.isCancelled, let found, !found.isEmpty else { return }
        let turn = fills[live.id, default: 0]
        fills[live.id] = turn + 1
        let effect = try? changes.change(live) { room, numbers, now throws(Refusal) in
            try room.fill(found[turn % found.count], before: entry, at: now, numbers: &numbers)
        }
        live.perform(effect?.orders ?? [])
        changes.publisher.tell()
    }
}
