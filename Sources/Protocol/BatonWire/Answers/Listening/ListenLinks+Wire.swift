import BatonCore
package import BatonProtocol

/// How the answers about links of streams are written as JSON and read from it.
extension MadeListenLink {
    package func encode(into writer: inout JSONWriter) {
        writer.object { answer in
            answer.member("link", link)
            answer.member("opus", opus)
            answer.member("mp3", mp3)
            answer.member("m3u", list)
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(result: value)
        self.init(
            link: try fields.required("link", fields.text("link")), opus: try fields.required("opus", fields.text("opus")),
            mp3: try fields.required("mp3", fields.text("mp3")), list: try fields.required("m3u", fields.text("m3u")))
    }
}

extension ListenLinkList {
    package func encode(into writer: inout JSONWriter) {
        writer.object { answer in
            answer.member("list", array: { list in for row in rows { list.object(row.encodeMembers) } })
            if hearing > 0 { answer.member("n", hearing) }
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(result: value)
        guard fields.has("list") else { throw fields.missing("list") }
        self.init(try fields.cappedList("list", Row.init(from:)).elements, hearing: try fields.count("n") ?? 0)
    }
}

extension ListenLinkList.Row {
    fileprivate func encodeMembers(into writer: inout JSONWriter) {
        writer.member("link", link)
        if !name.isEmpty { writer.member("name", name) }
        if !author.isEmpty { writer.member("by", author) }
        writer.member("madeMs", madeMs)
    }

    fileprivate init(from fields: Fields) throws(ProtocolFault) {
        self.init(
            link: try fields.required("link", fields.text("link")), name: try fields.text("name") ?? "",
            author: try fields.text("by") ?? "",
            madeMs: try fields.required("madeMs", fields.int64("madeMs")))
    }
}
