import BatonCore
package import BatonProtocol

/// How `BookSection` is written as JSON and read from it.
extension BookSection: SectionCoding {
    private static let titleText = DisplayText(bytes: 256)

    package func encode(into writer: inout JSONWriter) {
        writer.object { book in
            book.member("entry", entry.text)
            book.member("i", number)
            book.member("n", count)
            book.member("title", book.shown(chapter.title, Self.titleText))
            book.member("startMs", chapter.startMs)
            book.member("endMs", chapter.endMs)
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(section: value, .book)
        let startMs = try fields.count("startMs") ?? 0
        self.init(
            entry: try fields.required("entry", fields.entry("entry")), number: try fields.required("i", fields.count("i")),
            count: try fields.required("n", fields.count("n")),
            chapter: Chapter(title: try fields.text("title") ?? "", startMs: startMs, endMs: try fields.count("endMs") ?? startMs))
    }
}
