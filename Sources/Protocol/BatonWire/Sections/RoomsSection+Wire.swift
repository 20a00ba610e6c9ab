import BatonCore
package import BatonProtocol

/// How `RoomsSection` and what belongs to it are written as JSON and read from it.
extension RoomsSection: SectionCoding {
    package func encode(into writer: inout JSONWriter) {
        writer.list(rooms, more: more, cap: Section.rooms.cap)
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(section: value, .rooms)
        let (rooms, more) = try fields.cappedList("list", Room.init(from:))
        self.init(rooms, more: more)
    }
}

extension RoomsSection {
    /// The same from rooms that were written before, each by `Room.encode`: most changes concern one
    /// room, and only that one need be written anew.
    package static func joined(_ rooms: [[UInt8]]) -> EncodedSection {
        EncodedSection(section, JSONWriter.bytes { $0.list(rooms.map(Written.init), more: 0, cap: section.cap) })
    }

    private struct Written: ListElement {
        let bytes: [UInt8]
        func encode(into writer: inout JSONWriter) { writer.encoded(bytes) }
    }
}

extension RoomsSection.Room: ListElement {
    package func encode(into writer: inout JSONWriter) {
        writer.object { room in
            room.member("id", id.text)
            room.member("name", room.shown(name, .watch))
            room.member("st", state.name)
            room.member("title", ifPresent: title.map { room.shown($0, .watch) })
            if !room.bounds.isTerse { room.member("art", ifPresent: art) }
            room.member("level", level)
            room.member("mute", isMuted)
            if !outputs.isEmpty { room.member("outputs", outputs) }
            if let line { room.member("line", object: { line.encode(into: &$0) }) }
            if whenEmpty != .play { room.member("whenEmpty", whenEmpty.rawValue) }
        }
    }

    fileprivate init(from fields: Fields) throws(ProtocolFault) {
        self.init(
            id: RoomID(try fields.required("id", fields.text("id"))),
            name: try fields.required("name", fields.text("name")),
            state: TimelineSection.PlayState(name: try fields.required("st", fields.text("st"))),
            title: try fields.text("title"),
            art: try fields.text("art"),
            level: try fields.required("level", fields.count("level")),
            isMuted: try fields.required("mute", fields.bool("mute")),
            outputs: try fields.texts("outputs") ?? [],
            line: try fields.fields("line").map { line throws(ProtocolFault) in try RoomsSection.Line(from: line) },
            // A word of a later version is shown as what every room does.
            whenEmpty: try fields.text("whenEmpty").flatMap(WhenEmpty.init) ?? .play)
    }
}

extension RoomsSection.Line {
    fileprivate func encode(into line: inout JSONWriter) {
        line.member("posMs", positionMs)
        line.member("atUs", atUs)
        line.member("rate", rate)
        line.member("durMs", ifPresent: durationMs)
    }

    fileprivate init(from fields: Fields) throws(ProtocolFault) {
        self.init(
            positionMs: try fields.required("posMs", fields.count("posMs")),
            atUs: try fields.required("atUs", fields.int64("atUs")),
            rate: try fields.required("rate", fields.count("rate")),
            durationMs: try fields.count("durMs"))
    }
}
