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
        /// The facets that it hears of; a change that touches none of these is left out.
        let facets: Facets
        /// Whether it hears of a room that plays along with another server's.
        let hearsJoined: Bool
        let hear: @Loop (LiveRoom) -> Void

        init(
            _ name: String, at occasion: Occasion = .both, of facets: Facets = .any, joined hearsJoined: Bool = true,
            _ hear: @escaping @Loop (LiveRoom) -> Void
        ) {
            self.name = name
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

    init(_ all: [Hearer]) {
        self.all = all
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

extension RoomHearers {
    /// The hearers of a hub. Their parts hold the rooms, and these hold the hearers, so a hearer holds no part.
    ///
    /// A play is counted for the person who listens in the room, which `places` forgets at the end of the room; so `plays` hears of that
    /// first. `silences` comes behind `places`, since both change the room.
    ///
    /// Only parts that add up what is heard name facets: a look in between changes no sum. The others also act on time that has passed, on
    /// sources and on people, and may find news in any change.
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
            Hearer("places", of: .playing) { [weak places] in places?.roomChanged($0) },
            Hearer("silences") { [weak silences] in silences?.roomChanged($0) },
            Hearer("plays", at: .change, of: [.now, .timeline]) { [weak plays] in plays?.look(at: $0) },
            Hearer("ahead", at: .change) { [weak ahead] _ in ahead?.roomChanged() },
            Hearer("queueSync", at: .change) { [weak queueSync] in queueSync?.roomChanged($0) },
        ])
    }
}
