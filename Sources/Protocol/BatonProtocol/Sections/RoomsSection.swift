public import BatonCore

/// Every room at a glance.
public struct RoomsSection: SectionContent {
    package static let section = Section.rooms

    /// One room, as a list of rooms shows it.
    public struct Room: Equatable, Sendable {
        public var id: RoomID
        public var name: String
        public var state: TimelineSection.PlayState
        /// What is current, as one line; `nil` when nothing is.
        public var title: String?
        public var level: Int
        public var isMuted: Bool
        /// The devices it is heard from.
        public var outputs: [String]

        package init(
            id: RoomID, name: String, state: TimelineSection.PlayState, title: String? = nil, level: Int, isMuted: Bool,
            outputs: [String] = []
        ) {
            self.id = id
            self.name = name
            self.state = state
            self.title = title
            self.level = level
            self.isMuted = isMuted
            self.outputs = outputs
        }
    }

    public var rooms: [Room]
    /// How many are left out.
    public var more: Int

    package init(_ rooms: [Room], more: Int = 0) {
        self.rooms = rooms
        self.more = more
    }

    package func encode(into writer: inout JSONWriter) {
        writer.list(rooms, more: more, cap: Section.rooms.cap)
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(section: value, .rooms)
        (rooms, more) = try fields.cappedList("list", Room.init(from:))
    }
}

extension RoomsSection {
    /// The same from rooms that were written before, each by `Room.encode`: most changes concern one
    /// room, and only that one need be written anew.
    package static func joined(_ rooms: [[UInt8]]) -> EncodedSection {
        EncodedSection(section, JSONWriter.bytes { $0.list(rooms.map(Written.init), more: 0, cap: section.cap) })
    }

    private struct Written: CappedElement {
        let bytes: [UInt8]
        func encode(into writer: inout JSONWriter) { writer.encoded(bytes) }
    }
}

extension RoomsSection.Room: CappedElement {
    package func encode(into writer: inout JSONWriter) {
        writer.object { room in
            room.member("id", id.text)
            room.member("name", DisplayText.watch.cut(name))
            room.member("st", state.name)
            room.member("title", ifPresent: title.map(DisplayText.watch.cut))
            room.member("level", level)
            room.member("mute", isMuted)
            if !outputs.isEmpty { room.member("outputs", outputs) }
        }
    }

    fileprivate init(from fields: Fields) throws(ProtocolFault) {
        id = RoomID(try fields.required("id", fields.text("id")))
        name = try fields.required("name", fields.text("name"))
        state = TimelineSection.PlayState(name: try fields.required("st", fields.text("st")))
        title = try fields.text("title")
        level = try fields.required("level", fields.count("level"))
        isMuted = try fields.required("mute", fields.bool("mute"))
        outputs = try fields.texts("outputs") ?? []
    }
}
