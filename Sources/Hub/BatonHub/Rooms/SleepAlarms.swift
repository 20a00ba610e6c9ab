import BatonCore
import BatonSeams

/// Wakes a room when its sleep timer is due: once for the fade and once for the end. In between nothing counts.
@Loop
final class SleepAlarms {
    private let changes: RoomChanges
    private var alarms: [RoomID: (dueUs: Int64, alarm: any Alarm)] = [:]
    private var isClosed = false

    init(_ changes: RoomChanges) { self.changes = changes }

    var count: Int { alarms.count }

    /// A room has changed.
    func look(at live: LiveRoom) {
        let id = live.room.id
        let dueUs = live.isGone || isClosed ? nil : live.room.sleepDueUs
        guard dueUs != alarms[id]?.dueUs else { return }
        alarms.removeValue(forKey: id)?.alarm.cancel()
        guard let dueUs else { return }
        let alarm = changes.clock.after(.microseconds(max(0, dueUs - changes.clock.nowUs))) { [weak self, weak live] in
            guard let self, let live else { return }
            self.alarms[id] = nil
            self.wake(live)
        }
        alarms[id] = (dueUs, alarm)
    }

    private func wake(_ live: LiveRoom) {
        guard !live.isGone else { return }
        live.perform(changes.update(live) { room, now in room.sleepIsDue(at: now) })
        changes.publisher.tell()
        look(at: live)
    }

    func close() {
        isClosed = true
        for (_, alarm) in alarms.values { alarm.cancel() }
        alarms = [:]
    }
}
