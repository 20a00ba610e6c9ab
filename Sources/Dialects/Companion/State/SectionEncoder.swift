import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire

/// Sections as bytes. Each is encoded once after it changed, when the first client is sent it.
struct SectionEncoder {
    private struct Encoded {
        let revision: Int
        let value: [UInt8]?
    }

    private var hub: [Encoded?] = Self.none
    // There are few rooms: a walk is quicker than a hash.
    private var rooms: [(id: RoomID, sections: [Encoded?])] = []
    /// Rows of the list of rooms. Most changes concern one room, and only its row is encoded again.
    private var rows: [RoomID: (row: RoomsSection.Room, bytes: [UInt8])] = [:]
    private static let none = [Encoded?](repeating: nil, count: Section.allCases.count)

    @Loop
    mutating func sections(_ sections: SectionSet, of room: RoomID, _ state: HubState) -> [EncodedSection] {
        sections.compactMap { section in
            state.posted(section, of: room).map { EncodedSection(section, bytes(of: section, $0, room)) }
        }
    }

    @Loop
    private mutating func bytes(of section: Section, _ posted: HubState.Posted, _ room: RoomID) -> [UInt8]? {
        let index = Int(section.rawValue)
        guard section.scope == .room else {
            if let known = hub[index], known.revision == posted.revision { return known.value }
            let value = posted.value.map { encode($0) }
            hub[index] = Encoded(revision: posted.revision, value: value)
            return value
        }
        let place = place(of: room)
        if let known = rooms[place].sections[index], known.revision == posted.revision { return known.value }
        let value = posted.value.map { encode($0) }
        rooms[place].sections[index] = Encoded(revision: posted.revision, value: value)
        return value
    }

    private mutating func place(of room: RoomID) -> Int {
        if let place = rooms.firstIndex(where: { $0.id == room }) { return place }
        rooms.append((room, Self.none))
        return rooms.count - 1
    }

    /// A deleted room's sections are not needed again; a new room of the same id has other revisions.
    mutating func keep(_ ids: [RoomID]) {
        rooms.removeAll { !ids.contains($0.id) }
        rows = rows.filter { ids.contains($0.key) }
    }

    private mutating func encode(_ value: SectionValue) -> [UInt8] {
        switch value {
        case .rooms(let section): RoomsSection.joined(section.rooms.map { bytes(of: $0) }).value ?? []
        case .now(let section): JSONWriter.bytes(section.encode)
        case .timeline(let section): JSONWriter.bytes(section.encode)
        case .volume(let section): JSONWriter.bytes(section.encode)
        case .modes(let section): JSONWriter.bytes(section.encode)
        case .queue(let section): JSONWriter.bytes(section.encode)
        case .outputs(let section): JSONWriter.bytes(section.encode)
        case .people(let section): JSONWriter.bytes(section.encode)
        case .library(let section): JSONWriter.bytes(section.encode)
        case .playlists(let section): JSONWriter.bytes(section.encode)
        case .hub(let section): JSONWriter.bytes(section.encode)
        case .watchItem(let section): JSONWriter.bytes(section.encode)
        case .watchLine(let section): JSONWriter.bytes(section.encode)
        case .watchVolume(let section): JSONWriter.bytes(section.encode)
        case .watchModes(let section): JSONWriter.bytes(section.encode)
        case .watchRoom(let section): JSONWriter.bytes(section.encode)
        case .watchProblem(let section): JSONWriter.bytes(section.encode)
        }
    }

    private mutating func bytes(of row: RoomsSection.Room) -> [UInt8] {
        if let known = rows[row.id], known.row == row { return known.bytes }
        let bytes = JSONWriter.bytes(row.encode)
        rows[row.id] = (row, bytes)
        return bytes
    }
}
