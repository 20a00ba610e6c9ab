import BatonCore
package import BatonProtocol

/// How `RadioSection` and what belongs to it are written as JSON and read from it.
extension RadioSection: SectionCoding {
    package func encode(into writer: inout JSONWriter) {
        let start = writer.count
        writer.object { section in
            section.member("n", count)
            if !recorded.isEmpty { section.member("rec", array: { list in for one in recorded { one.encode(into: &list) } }) }
            let end = min(start + Section.radio.cap, section.bounds.message)
            section.members(of: presets, name: "list", more: more, budget: end - 24)
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(section: value, .radio)
        let (presets, more) = try fields.cappedList("list", Preset.init(from:))
        self.init(
            count: try fields.count("n") ?? presets.count, presets, more: more,
            recorded: try fields.cappedList("rec", Recorded.init(from:)).elements)
    }
}

extension RadioSection.Recorded: ListElement {
    /// Short, so that presets have room beside the longest recordings.
    private static let name = DisplayText(bytes: 48)

    func encode(into writer: inout JSONWriter) {
        writer.object { row in
            row.member("id", recording.id)
            row.member("uri", recording.uri.text)
            row.member("title", row.shown(recording.title, Self.name))
            row.member("st", state.rawValue)
            row.member("at", recording.beginsMs)
            row.member("end", ifPresent: recording.endsMs)
            row.member("every", ifPresent: recording.repeats?.rawValue)
            if let song { row.member("song", row.shown(song, Self.name)) }
            if let sentence { row.member("msg", row.shown(sentence, .watch)) }
        }
    }

    fileprivate init(from fields: Fields) throws(ProtocolFault) {
        let recording = Recording(
            id: try fields.count("id") ?? 0, ItemURI(try fields.required("uri", fields.text("uri"))),
            title: try fields.text("title") ?? "", beginsMs: try fields.int64("at") ?? 0, endsMs: try fields.int64("end"),
            repeats: try fields.text("every").flatMap { Recording.Repeat(rawValue: $0) })
        self.init(
            recording, try fields.text("st").flatMap { State(rawValue: $0) } ?? .due, song: try fields.text("song"),
            sentence: try fields.text("msg"))
    }
}

extension RadioSection.Preset: ListElement {
    func encode(into writer: inout JSONWriter) {
        writer.object { preset in
            preset.member("uri", uri.text)
            preset.member("title", preset.shown(title, .watch))
            preset.member("art", ifPresent: art)
        }
    }

    fileprivate init(from fields: Fields) throws(ProtocolFault) {
        self.init(
            ItemURI(try fields.required("uri", fields.text("uri"))), try fields.required("title", fields.text("title")),
            art: try fields.text("art"))
    }
}
