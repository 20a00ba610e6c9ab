import BatonCore

/// A room with a clock, so that a test reads as what people did and what they then saw.
struct LiveRoom {
    var room: Room
    var numbers = EntryNumbers()
    var now = Moment(us: 1_000_000)
    /// Everything the player was told, in order.
    var orders: [PlayerOrder] = []

    /// A room with tracks of so many minutes each.
    init(tracks: Int = 0, minutes: Int = 3) throws {
        room = Room(id: RoomID("living"), name: "Living room")
        if tracks > 0 { try ask(.add(.tracks(tracks, minutes: minutes), at: .end)) }
    }

    /// The same, and the given one of its tracks plays.
    static func playing(_ index: Int, of tracks: Int) throws -> LiveRoom {
        var live = try LiveRoom(tracks: tracks)
        try live.ask(.jump(live.ids[index]))
        live.hear(.began(live.ids[index]))
        live.orders = []
        return live
    }

    var ids: [EntryID] { room.queue.entries.map(\.id) }
    var titles: [String] { room.queue.entries.map(\.tags.title) }
    var current: EntryID? { room.queue.current }
    var currentTitle: String? { room.currentEntry?.tags.title }
    var state: Timeline.State { room.timeline.state }
    var positionMs: Milliseconds { room.positionMs(at: now) }

    @discardableResult
    mutating func ask(_ command: Command, by author: String? = nil) throws(Refusal) -> Outcome {
        let outcome = try room.apply(command, by: author, at: now, numbers: &numbers)
        orders += outcome.orders
        return outcome
    }

    @discardableResult
    mutating func hear(_ report: PlayerReport) -> Outcome {
        let outcome = room.hear(report, at: now)
        orders += outcome.orders
        return outcome
    }

    mutating func pass(ms: Milliseconds) { now.us += Microseconds(ms) }
}

extension [NewEntry] {
    static func tracks(_ count: Int, from first: Int = 0, minutes: Int? = 3) -> [NewEntry] {
        (first..<first + count).map { number in
            NewEntry(
                uri: ItemURI("file:track/\(number)"), tags: Tags(title: "\(number)", durationMs: minutes.map { Milliseconds($0 * 60_000) }))
        }
    }

    static var station: [NewEntry] {
        var tags = Tags(title: "Radio")
        tags.kind = .station
        return [NewEntry(uri: ItemURI("radio:station/1"), tags: tags)]
    }
}

extension [QueueEntry] {
    static func sample(_ count: Int) -> [QueueEntry] {
        (0..<count).map { number in
            QueueEntry(id: EntryID(UInt64(number + 1)), uri: ItemURI("file:track/\(number)"), tags: Tags(title: "\(number)"))
        }
    }
}

extension PlayerOrder {
    /// Which entry an order makes heard now.
    var loads: EntryID? { if case .load(let entry, _, _, _, _, _) = self { entry } else { nil } }
    var follows: EntryID? { if case .follow(let entry, _, _) = self { entry } else { nil } }
}
