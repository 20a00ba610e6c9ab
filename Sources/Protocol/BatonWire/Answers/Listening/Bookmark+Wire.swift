import BatonCore
import BatonProtocol

/// The JSON form of `Bookmark`.
extension Bookmark {
    func encodeMembers(into writer: inout JSONWriter) {
        writer.member("id", id)
        writer.member("uri", place.uri.text)
        writer.member("posMs", place.positionMs)
        writer.member("title", writer.shown(place.title, DisplayText(bytes: 256)))
        if !place.album.isEmpty { writer.member("album", writer.shown(place.album, DisplayText(bytes: 256))) }
        if !place.chapter.isEmpty { writer.member("chapter", writer.shown(place.chapter, DisplayText(bytes: 256))) }
        if !note.isEmpty { writer.member("note", writer.shown(note, DisplayText(bytes: Bookmark.noteBytes))) }
        if let author { writer.member("by", writer.shown(author, DisplayText(bytes: 256))) }
        writer.member("atMs", atMs)
    }

    init(from fields: Fields) throws(ProtocolFault) {
        self.init(
            id: try fields.required("id", fields.count("id")),
            BookmarkPlace(
                uri: ItemURI(try fields.required("uri", fields.text("uri"))), positionMs: try fields.count("posMs") ?? 0,
                title: try fields.text("title") ?? "", album: try fields.text("album") ?? "", chapter: try fields.text("chapter") ?? ""),
            note: try fields.text("note") ?? "", author: try fields.text("by"), atMs: try fields.int64("atMs") ?? 0)
    }
}
