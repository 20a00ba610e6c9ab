import BatonCore
import BatonSeams

/// The parts of the hub that hear of the changes of rooms, in the order in which they hear.
///
/// They hear in the middle of a change: the journal has it, and clients were not shown it. Each looks at the room as it is by then. A part
/// may change the room again; all of them hear of that change first, and then those that are left hear of the first one.
///
/// Only parts that add up what is heard name facets: a look in between changes no sum. The others also act on time that has passed, on
/// sources and on people, and may find news in any change. The parts hold the rooms, and these hold the hearers, so a hearer holds no part.
@Loop
final class RoomHearers {
    struct Hearer {
        enum Occasion { case change, end, both }

        /// The turns in which parts hear, since some read what others have done by then.
        enum Turn: CaseIterable {
            /// Parts that add up what was heard, at the end of a room: the person who listens there is forgotten by a later turn.
            case endedPlays
            /// Parts that know who is there.
            case people
            /// Parts that fill the queue with what is made for it.
            case entries
            /// Alarms of the room.
            case alarms
            /// Parts that may change the room again.
            case changing
            /// Parts that add up what is heard.
            case plays
            /// Parts that copy what plays soon.
            case copying
            /// Parts that tell servers of the queue.
            case telling
        }

        let name: String
        let turn: Turn
        let occasion: Occasion
        /// The facets that it hears of; a change that touches none of these is left out.
        let facets: Facets
        /// Whether it hears of a room that plays along with another server's.
        let hearsJoined: Bool
        let hear: @Loop (LiveRoom) -> Void

        init(
            _ name: String, _ turn: Turn, at occasion: Occasion = .both, of facets: Facets = .any, joined hearsJoined: Bool = true,
            _ hear: @escaping @Loop (LiveRoom) -> Void
        ) {
            self.name = name
            self.turn = turn
            self.occasion = occasion
            self.facets = facets
            self.hearsJoined = hearsJoined
            self.hear = hear
        }
    }

    let all: [Hearer]
    /// The same hearers, each told of every change. A test compares what comes of the two.
    var tellsAll = false
    private let ofChanges: [Hearer]
    private let ofEnds: [Hearer]

    /// Hearers of one turn hear in the order in which they are given.
    init(_ hearers: [Hearer]) {
        all = Hearer.Turn.allCases.flatMap { turn in hearers.filter { $0.turn == turn } }
        ofChanges = all.filter { $0.occasion != .end }
        ofEnds = all.filter { $0.occasion != .change }
    }

    /// The room has changed in these facets; none means that it may have in any.
    func changed(_ live: LiveRoom, _ touched: Facets) {
        tell(ofChanges, of: live, touching: touched.rawValue == 0 || tellsAll ? .any : touched)
    }

    /// The room was deleted.
    func ended(_ live: LiveRoom) { tell(ofEnds, of: live, touching: .any) }

    private func tell(_ hearers: [Hearer], of live: LiveRoom, touching touched: Facets) {
        // This is done at every change of every room, so nothing of a hearer that is left out is copied.
        for index in hearers.indices
        where hearers[index].facets.rawValue & touched.rawValue != 0 && (hearers[index].hearsJoined || !live.isJoined) {
            hearers[index].hear(live)
        }
    }
}

extension Facets {
    static let any = Facets(rawValue: .max)
    /// Facets of what a room plays and where it is in it; its volume, votes, name and output are not among them.
    static let playing: Facets = [.now, .timeline, .modes, .queue, .sleep, .book]
}
