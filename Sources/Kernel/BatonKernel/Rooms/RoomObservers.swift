package import BatonCore
package import BatonSeams

/// The parts of the hub that are told of changes of rooms, in order.
///
/// They are called in the middle of a change: it is in the journal, but clients have not seen it. Each looks at the current
/// room. A part may change the room again; then all of them hear of that change first, and the remaining ones hear of the
/// first change afterwards.
///
/// Only parts that add up listening time name facets, since extra calls do not change a sum. The others also react to passed
/// time, sources and people, so any change may matter to them. The observers own the parts, and the parts own the rooms, so only
/// the hub owns the observers.
@Loop
package final class RoomObservers {
    /// A part that hears of rooms, with the conditions under which it is called.
    package struct Observer {
        /// The moment at which an observer is called: at a change of a room, at its end, or at both.
        package enum Occasion { case change, end, both }

        /// The order in which parts are called, since some read the results of others.
        package enum Turn: CaseIterable {
            /// Parts that add up listening time, at the end of a room. A later turn forgets the listeners.
            case endedPlays
            /// Parts that know the people in a room.
            case people
            /// Parts that add generated entries to the queue.
            case entries
            /// The room's alarms.
            case alarms
            /// Parts that may change the room again.
            case changing
            /// Parts that add up listening time.
            case plays
            /// Parts that copy the next items.
            case copying
            /// Parts that send the queue to servers.
            case telling
        }

        /// The name of the part, for the test of the order.
        package let name: String
        /// The turn of the part, which decides the order.
        package let turn: Turn
        let occasion: Occasion
        /// The facets that it hears of; other changes are skipped.
        let facets: Facets
        /// True when it hears of rooms that play along with another server.
        let observesJoined: Bool
        /// The call, which may change the room again but must not own the part.
        package let hear: @Loop (LiveRoom) -> Void

        package init(
            _ name: String, _ turn: Turn, at occasion: Occasion = .both, of facets: Facets = .any, joined observesJoined: Bool = true,
            hear: @escaping @Loop (LiveRoom) -> Void
        ) {
            self.name = name
            self.turn = turn
            self.occasion = occasion
            self.facets = facets
            self.observesJoined = observesJoined
            self.hear = hear
        }
    }

    /// All observers in the order in which they are called.
    package let all: [Observer]
    /// True to call each observer for every change. A test compares the results.
    var tellsAll = false
    private let ofChanges: [Observer]
    private let ofEnds: [Observer]

    /// Sorts the observers by turn; within a turn they keep their order.
    package init(_ observers: [Observer]) {
        all = Observer.Turn.allCases.flatMap { turn in observers.filter { $0.turn == turn } }
        ofChanges = all.filter { $0.occasion != .end }
        ofEnds = all.filter { $0.occasion != .change }
    }

    /// Tells the observers of a change in these facets; an empty set means that any may have changed.
    package func changed(_ live: LiveRoom, _ touched: Facets) {
        tell(ofChanges, of: live, touching: touched.rawValue == 0 || tellsAll ? .any : touched)
    }

    /// Tells the observers that a room was deleted.
    package func ended(_ live: LiveRoom) { tell(ofEnds, of: live, touching: .any) }

    private func tell(_ observers: [Observer], of live: LiveRoom, touching touched: Facets) {
        // This runs at every change of every room, so a skipped observer is not copied.
        for index in observers.indices
        where observers[index].facets.rawValue & touched.rawValue != 0 && (observers[index].observesJoined || !live.isJoined) {
            observers[index].hear(live)
        }
    }
}

extension Facets {
    /// All facets, so that an observer is called at every change.
    package static let any = Facets(rawValue: .max)
    /// Facets of the current item and its position, without volume, votes, name and output.
    package static let playing: Facets = [.now, .timeline, .modes, .queue, .sleep, .book]
}
