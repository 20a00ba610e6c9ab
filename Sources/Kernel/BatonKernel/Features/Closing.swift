import BatonSeams

/// One part that stops with the hub. Its name is for the test of the order in which parts stop.
package struct Closing {
    package enum Way {
        /// Without waiting, in the turn of the loop in which the hub is told to close: what begins something by itself, and connections.
        case atOnce(@Loop () -> Void)
        /// The next part stops when it has.
        case waiting(@Loop () async -> Void)
        /// The same behind the players of rooms, for parts that keep what players and other features still tell.
        case afterPlayers(@Loop () async -> Void)
    }

    package let part: String
    package let way: Way

    package init(_ part: String, _ way: Way) {
        self.part = part
        self.way = way
    }

    package var isAtOnce: Bool { if case .atOnce = way { true } else { false } }
    package var isWaiting: Bool { if case .waiting = way { true } else { false } }
    package var isAfterPlayers: Bool { if case .afterPlayers = way { true } else { false } }
}
