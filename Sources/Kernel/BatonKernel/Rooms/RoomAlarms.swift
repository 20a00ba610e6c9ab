import BatonCore
import BatonSeams

/// Wakes a room at the moments that it names: when its sleep timer is due, or when the next chapter begins. Nothing runs in
/// between. Each kind of moment has its own alarms.
@Loop
final class RoomAlarms {
    private let changes: RoomChanges
    private let dueUs: @Loop (LiveRoom) -> Microseconds?
    private let wake: (inout Room, Moment) -> Outcome
    private var alarms: [RoomID: (dueUs: Microseconds, alarm: any Alarm)] = [:] { didSet { isEmpty = alarms.isEmpty } }
    private var isEmpty = true
    private var isClosed = false

    /// Makes the alarms. `dueUs` returns the time of a room's alarm, and `wake` is the change that it makes.
    init(
        _ changes: RoomChanges, at dueUs: @escaping @Loop (LiveRoom) -> Microseconds?, _ wake: @escaping (inout Room, Moment) -> Outcome
    ) {
        self.changes = changes
        self.dueUs = dueUs
        self.wake = wake
    }

    var count: Int { alarms.count }

    /// Updates the alarm of a room that has changed.
    func look(at live: LiveRoom) {
        let dueUs = live.isGone || isClosed ? nil : dueUs(live)
        // As at most changes of most rooms.
        if isEmpty, dueUs == nil { return }
        let id = live.id
        guard dueUs != alarms[id]?.dueUs else { return }
        alarms.removeValue(forKey: id)?.alarm.cancel()
        guard let dueUs else { return }
        let alarm = changes.clock.after(.microseconds(max(0, dueUs - changes.clock.nowUs))) { [weak self, weak live] in
            guard let self, let live else { return }
            self.alarms[id] = nil
            self.ring(live)
        }
        alarms[id] = (dueUs, alarm)
    }

    private func ring(_ live: LiveRoom) {
        guard !live.isGone else { return }
        live.perform(changes.update(live) { [wake] room, now in wake(&room, now) })
        changes.publisher.tell()
        look(at: live)
    }

    func close() {
        isClosed = true
        for (_, alarm) in alarms.values { alarm.cancel() }
        alarms = [:]
    }
}
