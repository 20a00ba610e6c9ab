import BatonCore
package import BatonProtocol

/// How `PodcastList` and what belongs to it are written as JSON and read from it.
extension PodcastList {
    /// Rows that do not fit into a page are left out; the client asks for them from there.
    package func encode(into writer: inout JSONWriter, bytes: Int) {
        let end = writer.count + bytes
        writer.object { page in
            page.member("total", total)
            let written = page.member("podcasts", rows, upTo: end, atLeast: 1) { row, list in list.object(row.encodeMembers) }
            page.member("cursor", ifPresent: written == rows.count ? cursor : cursor(after: written))
        }
    }

    /// Cursors of this list are numbers of rows, and the page's own names the row behind its last one.
    private func cursor(after written: Int) -> String? {
        let end = cursor.flatMap { Int($0) } ?? total
        return String(end - rows.count + written)
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(result: value)
        guard fields.has("podcasts") else { throw fields.missing("podcasts") }
        self.init(
            try fields.cappedList("podcasts", Row.init(from:)).elements, cursor: try fields.text("cursor"),
            total: try fields.count("total") ?? 0)
    }
}

extension PodcastList.Row {
    fileprivate func encodeMembers(into writer: inout JSONWriter) {
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

    fileprivate init(from fields: Fields) throws(ProtocolFault) {
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
