package import BatonCore
package import BatonProtocol

/// What a tap on *next* asks for, while the answers to earlier taps are still on their way.
///
/// The first tap names the entry on the screen. The second names the one that will be current by then,
/// which the hub has told. The entry after that is not known, so later taps wait, and go out as one
/// when the answers are there. Five quick taps skip five; and where another person was faster, the
/// guard finds another entry, nothing is skipped, and what waited is dropped: it was meant for a screen
/// that was not true.
package struct QuickNext: Equatable, Sendable {
    /// One command `next`.
    package struct Skip: Equatable, Sendable {
        package var from: EntryID?
        package var count = 1
    }

    /// The entry that will be current when all that is on its way is done, as far as it is known.
    private var expected: EntryID?
    private var onTheirWay = 0
    private var held = 0
    /// The hub's own bound on one command.
    private static let mostAtOnce = 100

    package init() {}

    /// What to send for this tap; `nil` when it waits.
    package mutating func tap(showing queue: QueueSection?) -> Skip? {
        guard onTheirWay > 0 else {
            onTheirWay = 1
            expected = queue?.next
            return Skip(from: queue?.current)
        }
        guard let from = expected, held == 0 else {
            held = min(held + 1, Self.mostAtOnce)
            return nil
        }
        onTheirWay += 1
        expected = nil
        return Skip(from: from)
    }

    /// What to send now that one was answered; `nil` when nothing waits or others are on their way.
    package mutating func answered(applied: Bool, showing queue: QueueSection?) -> Skip? {
        onTheirWay -= 1
        guard onTheirWay == 0 else { return nil }
        defer { held = 0 }
        guard applied, held > 0, let from = queue?.current else { return nil }
        onTheirWay = 1
        expected = held == 1 ? queue?.next : nil
        return Skip(from: from, count: held)
    }

    /// No answer came. What waited behind it is of a time that is over.
    package mutating func failed() {
        onTheirWay -= 1
        if onTheirWay == 0 { held = 0 }
    }
}
