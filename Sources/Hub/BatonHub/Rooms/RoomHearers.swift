import BatonCore
import BatonSeams

/// The parts of the hub that hear of the changes of rooms, in the order in which they hear.
///
/// They hear in the middle of a change: the journal has it, and clients were not shown it. Each looks at the room as it is by then. A part
/// may change the room again; all of them hear of that change first, and then those that are left hear of the first one.
@Loop
final class RoomHearers {
    struct Hearer {
        enum Occasion { case change, end, both }

        let name: String
        let occasion: Occasion
        /// Whether it hears of a room that plays along with another server's.
        let hearsJoined: Bool
        let hear: @Loop (LiveRoom) -> Void

        init(_ name: String, at occasion: Occasion = .both, joined hearsJoined: Bool = true, _ hear: @escaping @Loop (LiveRoom) -> Void) {
            self.name = name
            self.occasion = occasion
            self.hearsJoined = hearsJoined
            self.hear = hear
        }
    }

    let all: [Hearer]
    private let ofChanges: [Hearer]
    private let ofEnds: [Hearer]

    init(_ all: [Hearer]) {
        self.all = all
        ofChanges = all.filter { $0.occasion != .end }
        ofEnds = all.filter { $0.occasion != .change }
    }

    /// The room has changed in these facets; none means that it may have in any.
    func changed(_ live: LiveRoom, _ touched: Facets) { tell(ofChanges, of: live) }

    /// The room was deleted.
    func ended(_ live: LiveRoom) { tell(ofEnds, of: live) }

    private func tell(_ hearers: [Hearer], of live: LiveRoom) {
        for index in hearers.indices where hearers[index].hearsJoined || live.own == nil { hearers[index].hear(live) }
    }
}

extension RoomHearers {
    /// Those of a hub. They have the rooms, which have the hearers, so these hold none of them.
    ///
    /// A play is counted for the person who listens in the room, which `places` forgets at the end of the room; so `plays` hears of that
    /// first. `silences` comes behind `places`, since both change the room.
    convenience init(
        people: People, emptyRooms: EmptyRooms, generating: GenerationService, sleepAlarms: RoomAlarms, chapterAlarms: RoomAlarms,
        endless: EndlessService, places: PlaceService, silences: SilenceService, plays: PlayCounter, ahead: ReadingAhead,
        queueSync: QueueSync
    ) {
        self.init([
            Hearer("plays", at: .end) { [weak plays] in plays?.look(at: $0) },
            Hearer("people") { [weak people] in people?.roomChanged($0) },
            Hearer("emptyRooms") { [weak emptyRooms] in emptyRooms?.roomChanged($0) },
            Hearer("generating") { [weak generating] in generating?.roomChanged($0) },
            Hearer("sleepAlarms") { [weak sleepAlarms] in sleepAlarms?.look(at: $0) },
            Hearer("chapterAlarms") { [weak chapterAlarms] in chapterAlarms?.look(at: $0) },
            Hearer("endless", joined: false) { [weak endless] in endless?.roomChanged($0) },
            Hearer("places") { [weak places] in places?.roomChanged($0) },
            Hearer("silences") { [weak silences] in silences?.roomChanged($0) },
            Hearer("plays", at: .change) { [weak plays] in plays?.look(at: $0) },
            Hearer("ahead", at: .change) { [weak ahead] _ in ahead?.roomChanged() },
            Hearer("queueSync", at: .change) { [weak queueSync] in queueSync?.roomChanged($0) },
        ])
    }
}
