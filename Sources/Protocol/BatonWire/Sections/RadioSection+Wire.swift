import BatonCore
import BatonProtocol

/// The JSON form of `RadioSection.Recorded`.
extension RadioSection.Recorded {
    /// Short enough that presets have room beside the longest recordings.
    private static let name = DisplayText(bytes: 48)

    func encodeMembers(into row: inout JSONWriter) {
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

    init(from fields: Fields) throws(ProtocolFault) {
        let recording = Recording(
            id: try fields.count("id") ?? 0, ItemURI(try fields.required("uri", fields.text("uri"))),
            title: try fields.text("title") ?? "", beginsMs: try fields.int64("at") ?? 0, endsMs: try fields.int64("end"),
            repeats: try fields.text("every").flatMap { Recording.Repeat(rawValue: $0) })
        self.init(
            recording, try fields.text("st").flatMap { State(rawValue: $0) } ?? .due, song: try fields.text("song"),
            sentence: try fields.text("msg"))
    }
}
