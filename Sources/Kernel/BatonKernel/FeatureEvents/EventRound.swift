package import BatonSeams

/// One event on its way to the parts that hear of it.
@Loop
package struct EventRound {
    /// True while the hub's own work is held, so that parts which would start some are not told.
    let isHeld: Bool
    /// Records the parts that are told, for a test of their order.
    let trace: EventTrace?

    package init(isHeld: Bool, trace: EventTrace?) {
        self.isHeld = isHeld
        self.trace = trace
    }

    /// Tells a part of the event. One that starts work is not told while work is held.
    package func tell(_ part: StaticString, held waits: Bool = false, _ hear: () -> Void) {
        if waits, isHeld { return }
        trace?.note(part)
        hear()
    }
}

/// The names of the parts that were told of events, in order.
@Loop
package final class EventTrace {
    private(set) var parts: [String] = []

    func note(_ part: StaticString) { parts.append("\(part)") }
}
