package import BatonSeams

/// One event on its way to the parts that hear of it.
@Loop
package struct EventRound {
    /// Work that the hub does by itself is held back, so parts that would begin some are not told.
    package let isHeld: Bool
    /// Notes the parts that are told, for a test of their order.
    package let trace: EventTrace?

    package init(isHeld: Bool, trace: EventTrace?) {
        self.isHeld = isHeld
        self.trace = trace
    }

    /// Tells a part of the event; one that waits is not told while work is held back.
    package func tell(_ part: StaticString, held waits: Bool = false, _ hear: () -> Void) {
        if waits, isHeld { return }
        trace?.note(part)
        hear()
    }
}

/// The names of the parts that were told of events, in their order.
@Loop
package final class EventTrace {
    package private(set) var parts: [String] = []

    package func note(_ part: StaticString) { parts.append("\(part)") }
}
