import BatonSeams

/// A part that is closed with the hub. Its name is for the test of the closing order.
package struct Closing {
    /// The moment at which a part closes, and whether the hub waits for it.
    package enum Way {
        /// Closes at once, in the turn of the loop in which the hub is told to close: parts that start work by themselves,
        /// and connections.
        case atOnce(@Loop () -> Void)
        /// Closes before the next part does.
        case waiting(@Loop () async -> Void)
        /// Closes after the players of rooms: parts that store what players and other features still report.
        case afterPlayers(@Loop () async -> Void)
    }

    /// The name by which the test of the closing order knows the part.
    package let part: String
    /// The function that closes the part, with its moment.
    package let way: Way

    package init(_ part: String, _ way: Way) {
        self.part = part
        self.way = way
    }

    /// True for a part that closes in the first turn.
    package var isAtOnce: Bool { if case .atOnce = way { true } else { false } }
    /// True for a part whose end the next part waits for.
    package var isWaiting: Bool { if case .waiting = way { true } else { false } }
    /// True for a part that closes after the players.
    package var isAfterPlayers: Bool { if case .afterPlayers = way { true } else { false } }
}
