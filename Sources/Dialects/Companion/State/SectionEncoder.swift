import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire

/// Encoder of sections. Each section is encoded once after a change, when it is first sent.
struct SectionEncoder {
    private struct Encoded {
        let revision: Int
        /// The bytes; `nil` for a section that was removed.
        var value: [UInt8]?
    }

    /// Whether its clients learn no names of other people.
    private let hidesNames: Bool
    private var hub: [Encoded?] = Self.none
    // There are few rooms, so a linear search is faster than a hash.
    private var rooms: [(id: RoomID, sections: [Encoded?])] = []
    /// Encoded rows of the list of rooms. Most changes concern one room, and only its row is encoded again.
    private var rows: [(row: RoomsSection.Room, bytes: [UInt8])] = []
    private static let none = [Encoded?](repeating: nil, count: Section.allCases.count)

    init(hidesNames: Bool) { self.hidesNames = hidesNames }

    /// Writes the sections as members of a message without a size limit, since other clients get the same bytes.
    @Loop
    mutating func write(_ sections: SectionSet, of room: RoomID, _ state: HubState, into writer: inout JSONWriter) {
        for section in sections {
            guard let posted = state.posted(section, of: room) else { continue }
            writer.name(section)
            if let known = self[section, room], known.revision == posted.revision {
                if let bytes = known.value { writer.encoded(bytes) } else { writer.null() }
                continue
            }
            var encoded = Encoded(revision: posted.revision, value: nil)
            if let value = posted.value { encoded.value = writer.part { encode(value, into: &$0) } } else { writer.null() }
            self[section, room] = encoded
        }
    }

    @Loop
    mutating func sections(_ sections: SectionSet, of room: RoomID, _ state: HubState) -> [EncodedSection] {
        var writer = JSONWriter()
        writer.object { write(sections, of: room, state, into: &$0) }
        return sections.compactMap { section in
            state.posted(section, of: room).map { _ in EncodedSection(section, self[section, room]?.value) }
        }
    }

    /// The encoded section, as it was when it was sent last.
    private subscript(section: Section, room: RoomID) -> Encoded? {
        mutating get { section.isOfRoom ? rooms[place(of: room)].sections[Int(section.rawValue)] : hub[Int(section.rawValue)] }
        set {
            let index = Int(section.rawValue)
            if section.isOfRoom { rooms[place(of: room)].sections[index] = newValue } else { hub[index] = newValue }
        }
    }

    private mutating func place(of room: RoomID) -> Int {
        if let place = rooms.firstIndex(where: { $0.id == room }) { return place }
        rooms.append((room, Self.none))
        return rooms.count - 1
    }

    /// Drops the sections of deleted rooms; a later room of the same id has other revisions.
    mutating func removeAll(except ids: [RoomID]) {
        rooms.removeAll { !ids.contains($0.id) }
        rows.removeAll { !ids.contains($0.row.id) }
    }

    private mutating func encode(_ value: SectionValue, into writer: inout JSONWriter) {
        if hidesNames { return value.withoutNames.encode(into: &writer) }
        // The row of a single room is always encoded, since searching for it would cost more.
        if case .rooms(let section) = value, section.rooms.count > 1 {
            return RoomsSection.write(section.rooms.enumerated().map { place, row in bytes(of: row, at: place) }, into: &writer)
        }
        value.encode(into: &writer)
    }

    /// Sections that each fit into `longest` bytes with their names. Sections that cannot be shortened enough are left out.
    @Loop
    mutating func sections(_ wanted: SectionSet, of room: RoomID, within longest: Int, _ state: HubState) -> [EncodedSection] {
        sections(wanted, of: room, state).compactMap { section in
            guard section.bytes > longest, let posted = state.posted(section.section, of: room)?.value else { return section }
            let value = hidesNames ? posted.withoutNames : posted
            return JSONWriter.fitting(longest - section.nameBytes, { value.encode(into: &$0) }).map { EncodedSection(section.section, $0) }
        }
    }

    /// A row that moved because another room was deleted is encoded again.
    private mutating func bytes(of row: RoomsSection.Room, at place: Int) -> [UInt8] {
        if place < rows.count, rows[place].row == row { return rows[place].bytes }
        let bytes = JSONWriter.bytes(row.encode)
        if place < rows.count { rows[place] = (row, bytes) } else { rows.append((row, bytes)) }
        return bytes
    }
}

extension SectionValue {
    /// Writes the section in its wire form. There is no existential, since this runs for every change.
    fileprivate func encode(into writer: inout JSONWriter) {
        switch self {
        case .now(let section): section.encode(into: &writer)
        case .timeline(let section): section.encode(into: &writer)
        case .volume(let section): section.encode(into: &writer)
        case .modes(let section): section.encode(into: &writer)
        case .queue(let section): section.encode(into: &writer)
        case .book(let section): section.encode(into: &writer)
        case .sleep(let section): section.encode(into: &writer)
        case .rooms(let section): section.encode(into: &writer)
        case .outputs(let section): section.encode(into: &writer)
        case .people(let section): section.encode(into: &writer)
        case .library(let section): section.encode(into: &writer)
        case .playlists(let section): section.encode(into: &writer)
        case .sources(let section): section.encode(into: &writer)
        case .keeping(let section): section.encode(into: &writer)
        case .radio(let section): section.encode(into: &writer)
        case .jobs(let section): section.encode(into: &writer)
        case .endless(let section): section.encode(into: &writer)
        case .listeners(let section): section.encode(into: &writer)
        case .votes(let section): section.encode(into: &writer)
        case .hub(let section): section.encode(into: &writer)
        case .watchItem(let section): section.encode(into: &writer)
        case .watchLine(let section): section.encode(into: &writer)
        case .watchVolume(let section): section.encode(into: &writer)
        case .watchModes(let section): section.encode(into: &writer)
        case .watchRoom(let section): section.encode(into: &writer)
        case .watchProblem(let section): section.encode(into: &writer)
        case .watchJob(let section): section.encode(into: &writer)
        case .watchBook(let section): section.encode(into: &writer)
        case .watchSleep(let section): section.encode(into: &writer)
        }
    }
}
