import BatonCore
package import BatonProtocol

/// How `PodcastList` and what belongs to it are written as JSON and read from it.
extension PodcastList: NumberedList {
    package static var member: StaticString { "podcasts" }
}

extension PodcastList.Row: ListedRow {
    package func encodeMembers(into writer: inout JSONWriter) {
        writer.member("uri", uri.text)
        writer.member("title", writer.shown(title, DisplayText(bytes: 256)))
        if !author.isEmpty { writer.member("author", writer.shown(author, DisplayText(bytes: 256))) }
        writer.member("n", episodes)
        writer.member("keep", keep)
        writer.member("art", ifPresent: art)
        if !url.isEmpty { writer.member("url", url) }
        writer.member("checkedMs", ifPresent: checkedMs)
        writer.member("dueMs", ifPresent: dueMs)
        if let sentence { writer.member("msg", writer.shown(sentence, DisplayText(bytes: 512))) }
    }

    package init(from fields: Fields) throws(ProtocolFault) {
        self.init(
            ItemURI(try fields.required("uri", fields.text("uri"))), try fields.text("title") ?? "",
            author: try fields.text("author") ?? "",
            episodes: try fields.count("n") ?? 0, keep: try fields.count("keep") ?? 0, art: try fields.text("art"),
            url: try fields.text("url") ?? "")
        checkedMs = try fields.int64("checkedMs")
        dueMs = try fields.int64("dueMs")
        sentence = try fields.text("msg")
    }
}
