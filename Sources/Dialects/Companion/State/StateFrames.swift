import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire

/// State messages, encoded once for all clients that lack the same things.
struct StateFrames {
    /// What decides the bytes of a state message, beside the state itself.
    struct Key: Hashable {
        var room: RoomID
        var namesRoom: Bool
        var wanted: SectionSet
        /// The revision last sent; `nil` asks for everything.
        var since: Int?
        /// Where it leads when another room's message follows; else to where the hub is. Only the last
        /// of several may say that all is told: a client that is cut off before it has not heard all.
        var leadsTo: Int?

        /// Rooms are few and the rest tells almost all keys apart.
        func hash(into hasher: inout Hasher) {
            hasher.combine(wanted)
            hasher.combine(since)
        }
    }

    private var frames: [Key: Frame?] = [:]
    private var encoder = SectionEncoder()
    var count: Int { frames.count }
    private var revision = -1
    private var lostRooms = 0
    // Neighbours in a round almost always lack the same things.
    private var lastKey: Key?
    private var lastFrame: Frame?

    /// The message that brings a client up to date; `nil` when nothing it follows has changed.
    @Loop
    mutating func frame(for key: Key, state: HubState) -> Frame? {
        if state.revision != revision { startOver(state) }
        if let lastKey, lastKey == key { return lastFrame }
        let frame = frames[key] ?? make(key, state)
        frames[key] = .some(frame)
        lastKey = key
        lastFrame = frame
        return frame
    }

    @Loop
    private mutating func startOver(_ state: HubState) {
        frames.removeAll(keepingCapacity: true)
        lastKey = nil
        revision = state.revision
        guard lostRooms != state.lostRooms else { return }
        lostRooms = state.lostRooms
        encoder.keep(state.roomIDs)
    }

    @Loop
    private mutating func make(_ key: Key, _ state: HubState) -> Frame? {
        let sections =
            key.since.map { state.newer(than: $0, of: key.wanted, in: key.room) } ?? state.present(of: key.wanted, in: key.room)
        if key.since != nil, sections.isEmpty { return nil }
        return write(sections, key, state)
    }

    /// A state message with exactly these sections, also with none.
    @Loop
    mutating func write(_ sections: SectionSet, _ key: Key, _ state: HubState) -> Frame {
        let header = StateHeader(
            revision: key.leadsTo ?? state.revision, from: key.since, full: key.since == nil, room: key.namesRoom ? key.room : nil)
        let encoded = encoder.sections(sections, of: key.room, state)
        return .encoding { header.encode(into: &$0, sections: encoded) }
    }

    @Loop
    mutating func encoded(_ sections: SectionSet, of room: RoomID, _ state: HubState) -> [EncodedSection] {
        encoder.sections(sections, of: room, state)
    }
}
