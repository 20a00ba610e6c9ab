package import BatonCore
package import BatonProtocol

/// Combines quick taps on *next* while earlier ones are unanswered.
///
/// The first tap names the entry on the screen. The second names the next entry, which the hub has announced. The
/// entry after that is unknown, so later taps wait and are sent as one command after the replies. Thus five quick
/// taps skip five entries. If another person was faster, the hub finds another current entry and skips nothing;
/// waiting taps are dropped, because they were meant for an outdated screen.
package struct QuickNext: Equatable, Sendable {
    /// A single `next` command.
    package struct Skip: Equatable, Sendable {
        /// The entry that should be left. The hub skips nothing if another one is current; `nil` names none.
        package var from: EntryID?
        /// Number of entries to skip, from 1 to 100.
        package var count = 1
        /// The local clock at the first of its taps.
        package var tappedUs: Microseconds
    }

    /// The entry that will be current after the commands that are in transit, if it is known.
    private var expected: EntryID?
    private var onTheirWay = 0
    private var held = 0
    /// When the first tap that waits was made.
    private var heldSinceUs: Microseconds = 0
    /// The hub's limit for one command.
    private static let mostAtOnce = 100

    /// A screen on which nothing was tapped.
    package init() {}

    /// The command for this tap; `nil` if the tap waits.
    package mutating func tap(showing queue: QueueSection?, atUs nowUs: Microseconds) -> Skip? {
        guard onTheirWay > 0 else {
            onTheirWay = 1
            expected = queue?.next
            return Skip(from: queue?.current, tappedUs: nowUs)
        }
        guard let from = expected, held == 0 else {
            if held == 0 { heldSinceUs = nowUs }
            held = min(held + 1, Self.mostAtOnce)
            return nil
        }
        onTheirWay += 1
        expected = nil
        return Skip(from: from, tappedUs: nowUs)
    }

    /// The command to send after a reply; `nil` if no tap waits or more replies are due.
    package mutating func answered(applied: Bool, showing queue: QueueSection?) -> Skip? {
        onTheirWay -= 1
        guard onTheirWay == 0 else { return nil }
        defer { held = 0 }
        guard applied, held > 0, let from = queue?.current else { return nil }
        onTheirWay = 1
        expected = held == 1 ? queue?.next : nil
        return Skip(from: from, count: held, tappedUs: heldSinceUs)
    }

    /// Notes a lost reply. Waiting taps are dropped, because they are outdated.
    package mutating func failed() {
        onTheirWay -= 1
        if onTheirWay == 0 { held = 0 }
    }
}
