import BatonCore
import BatonProtocol

/// The JSON form of `KeptList.Row`.
extension KeptList.Row {
    func encodeMembers(into writer: inout JSONWriter) {
        switch wish {
        case .item(let uri): writer.member("uri", uri.text)
        case .favourites: writer.member("rule", KeepWish.Rule.favourites.rawValue)
        case .mostPlayed(let count):
            writer.member("rule", KeepWish.Rule.played.rawValue)
            writer.member("n", count)
        }
        writer.member("title", writer.shown(title, DisplayText(bytes: 256)))
        writer.member("kind", ifPresent: kind?.rawValue)
        writer.member("tracks", tracks)
        writer.member("whole", whole)
        writer.member("bytes", bytes)
        if left > 0 { writer.member("left", left) }
        if let sentence { writer.member("msg", writer.shown(sentence, DisplayText(bytes: 256))) }
    }

    init(from fields: Fields) throws(ProtocolFault) {
        let rule: KeepWish.Rule? = try fields.choice("rule")
        let wish: KeepWish =
            switch rule {
            case .favourites: .favourites
            case .played: .mostPlayed(try fields.count("n") ?? KeepWish.usualCount)
            case nil: .item(try fields.required("uri", fields.uri("uri")))
            }
        self.init(
            wish, title: try fields.text("title") ?? "", kind: try fields.text("kind").flatMap { ItemKind(rawValue: $0) },
            tracks: try fields.count("tracks") ?? 0, whole: try fields.count("whole") ?? 0, bytes: try fields.int64("bytes") ?? 0,
            left: try fields.count("left") ?? 0, sentence: try fields.text("msg"))
    }
}
