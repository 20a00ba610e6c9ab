import BatonKernel
import BatonSeams

/// The alarms of a joined room: the start of a prepared track, and the next look at the difference.
@Loop
struct JoinedAlarms {
    var start: (any Alarm)?
    private var tick: (any Alarm)?

    mutating func cancelStart() {
        start?.cancel()
        start = nil
    }

    mutating func nextTick(_ alarm: any Alarm) {
        tick?.cancel()
        tick = alarm
    }

    mutating func cancelTick() { tick?.cancel() }
}
