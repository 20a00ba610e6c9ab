import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire

/// State messages, encoded once for all clients that lack the same changes.
struct StateFrames {
    /// The parameters of a state message, beside the state itself.
    struct Key: Hashable {
        var room: RoomID
        var namesRoom: Bool
        var wanted: SectionSet
        /// Whether the client learns names of other people. The same for all keys of one table.
        var learnsNames = true
        /// The revision that was sent last; `nil` for a whole state.
        var since: Int?
        /// The revision of this message if another room's message follows; otherwise it is the hub's. Only the last of several messages may
        /// carry the hub's: a client that disconnects before it lacks some changes.
        var leadsTo: Int?

        /// Hashes only two fields, since rooms are few and these tell almost all keys apart.
        func hash(into hasher: inout Hasher) {
            hasher.combine(wanted)
            hasher.combine(since)
        }
    }

    /// Frames of all keys but the last one. Most changes need one message and so no table.
    private var frames: [Key: Frame?] = [:]
    /// Messages for clients with a size limit, by limit.
    private var parts: [Int: [Key: [Frame]]] = [:]
    private var encoder: SectionEncoder
    var count: Int { frames.count + (lastKey.map { frames[$0] == nil } == true ? 1 : 0) }
    private var revision = -1
    private var lostRooms = 0
    // Consecutive clients almost always lack the same changes.
    private var lastKey: Key?
    private var lastFrame: Frame?

    init(hidesNames: Bool = false) { encoder = SectionEncoder(hidesNames: hidesNames) }

    /// The message that brings a client up to date; `nil` if nothing that it follows has changed.
    @Loop
    mutating func frame(for key: Key, state: HubState) -> Frame? {
        let revision = state.revision
        if revision != self.revision { startOver(state, at: revision) }
        if let lastKey {
            if lastKey == key { return lastFrame }
            frames[lastKey] = .some(lastFrame)
        }
        let frame = frames.isEmpty ? make(key, state, at: revision) : frames[key] ?? make(key, state, at: revision)
        lastKey = key
        lastFrame = frame
        return frame
    }

    @Loop
    private mutating func startOver(_ state: HubState, at revision: Int) {
        if !frames.isEmpty { frames.removeAll(keepingCapacity: true) }
        if !parts.isEmpty { parts = [:] }
        lastKey = nil
        self.revision = revision
        guard lostRooms != state.lostRooms else { return }
        lostRooms = state.lostRooms
        encoder.removeAll(except: state.everyRoomID)
    }

    /// The content of `frame` in messages of at most `longest` bytes.
    @Loop
    mutating func parts(of key: Key, within longest: Int, _ state: HubState) -> [Frame] {
        let current = state.revision
        if current != revision { startOver(state, at: current) }
        if let known = parts[longest]?[key] { return known }
        let made = parts(sections(for: key, state), for: key, within: longest, of: state)
        parts[longest, default: [:]][key] = made
        return made
    }

    /// Messages with exactly these sections. Only the last one carries the new revision: a client that disconnects before it lacks some
    /// changes. Those of a whole state before it carry 0, from which a copy is brought up to date by everything.
    @Loop
    mutating func parts(_ sections: SectionSet, for key: Key, within longest: Int, of state: HubState) -> [Frame] {
        let end = key.leadsTo ?? state.revision
        var header = StateHeader(revision: end, from: end, full: key.since == nil, room: key.namesRoom ? key.room : nil)
        let spare = longest - JSONWriter.bytes { header.encode(into: &$0, sections: []) }.count
        let groups = Self.groups(of: encoder.sections(sections, of: key.room, within: spare, state), within: spare)
        header.from = key.since
        return groups.enumerated().map { index, group in
            header.revision = index == groups.count - 1 ? end : key.since ?? 0
            let sent = header
            header.full = false
            header.from = sent.revision
            return .encoding { sent.encode(into: &$0, sections: group) }
        }
    }

    private static func groups(of sections: [EncodedSection], within longest: Int) -> [[EncodedSection]] {
        var groups: [[EncodedSection]] = [[]]
        var bytes = 0
        for section in sections {
            if bytes > 0, bytes + section.bytes > longest {
                groups.append([])
                bytes = 0
            }
            groups[groups.count - 1].append(section)
            bytes += section.bytes
        }
        return groups
    }

    @Loop
    private func sections(for key: Key, _ state: HubState) -> SectionSet {
        key.since.map { state.newer(than: $0, of: key.wanted, in: key.room) } ?? state.present(of: key.wanted, in: key.room)
    }

    @Loop
    private mutating func make(_ key: Key, _ state: HubState, at revision: Int) -> Frame? {
        let sections = sections(for: key, state)
        if key.since != nil, sections.isEmpty { return nil }
        return write(sections, key, of: state, at: revision)
    }

    /// A state message with exactly these sections, or with none.
    @Loop
    mutating func write(_ sections: SectionSet, for key: Key, of state: HubState) -> Frame {
        write(sections, key, of: state, at: state.revision)
    }

    /// A whole state for a client that was sent no `welcome`.
    @Loop
    mutating func whole(_ wanted: SectionSet, of room: RoomID, naming features: [String], from state: HubState) -> [UInt8] {
        if state.revision != revision { startOver(state, at: state.revision) }
        let header = StateHeader(revision: state.revision, full: true, room: room, features: features)
        let sections = state.present(of: wanted, in: room)
        return JSONWriter.bytes { header.encode(into: &$0) { encoder.write(sections, of: room, state, into: &$0) } }
    }

    @Loop
    private mutating func write(_ sections: SectionSet, _ key: Key, of state: HubState, at revision: Int) -> Frame {
        let header = StateHeader(
            revision: key.leadsTo ?? revision, from: key.since, full: key.since == nil, room: key.namesRoom ? key.room : nil)
        return .encoding { header.encode(into: &$0) { encoder.write(sections, of: key.room, state, into: &$0) } }
    }

    @Loop
    mutating func encoded(_ sections: SectionSet, of room: RoomID, _ state: HubState) -> [EncodedSection] {
        encoder.sections(sections, of: room, state)
    }
}
