package import BatonCore
import BatonProtocol

/// An item as a row of a list.
extension ItemRow {
    /// The longest text a client can send back.
    private static let longestURI = 4096

    package func encode(into writer: inout JSONWriter) { writer.object(encodeMembers) }

    func encodeMembers(into row: inout JSONWriter) {
        if uri.text.utf8.count <= Self.longestURI { row.member("uri", uri.text) }
        tags.encodeMembers(into: &row, textBytes: 256)
        row.flag("live", tags.isLive)
        row.member("art", ifPresent: tags.art?.id)
        row.member("n", ifPresent: count)
        book?.encodeMembers(into: &row)
        row.member("published", ifPresent: publishedMs)
        mark.encodeMembers(into: &row)
        row.flag("away", isAway)
        row.flag("pend", isPending)
        row.member("kept", ifPresent: kept?.percent)
        row.flag("left", kept?.hasLeft ?? false)
        let told = Self.shownVariants(variants)
        if told.count > 1 { row.member("places", told.map(\.text)) }
    }

    /// The most bytes that `fav`, `stars`, `plays`, `playedMs`, `pend`, `kept` and `left` take together.
    package static let mostMarkBytes = 110

    /// An upper bound of the row's size, as if it had every member and every number had full length.
    var mostBytes: Int {
        var most = 230 + 20 * [tags.track, tags.disc, tags.year, tags.durationMs.map { _ in 0 }, count].count { $0 != nil }
        if mark != ItemMark() { most += Self.mostMarkBytes }
        most += Self.mostBytes(uri.text) + Self.mostBytes(tags.title) + Self.mostBytes(tags.album) + Self.mostBytes(tags.albumArtist)
        if let art = tags.art { most += Self.mostBytes(art.id) }
        if let title = tags.streamTitle { most += Self.mostBytes(title) }
        for artist in tags.artists { most += 3 + Self.mostBytes(artist) }
        if let book {
            most += 45 + Self.mostBytes(book.series) + Self.mostBytes(book.number)
            for narrator in book.narrators { most += 3 + Self.mostBytes(narrator) }
        }
        if !variants.isEmpty { most += Self.shownVariants(variants).reduce(11) { $0 + 3 + Self.mostBytes($1.text) } }
        return most
    }

    /// An escaped byte takes at most six bytes.
    private static func mostBytes(_ text: String) -> Int { (DisplayText.isPlain(text) ? 1 : 6) * text.utf8.count }

    init(from fields: Fields) throws(ProtocolFault) {
        self.init(
            uri: ItemURI(try fields.text("uri") ?? ""), tags: try Tags(from: fields), count: try fields.count("n"),
            mark: try ItemMark(from: fields), isAway: try fields.flag("away"),
            variants: (try fields.texts("places") ?? []).map { ItemURI($0) })
        let tags = try BookTags(from: fields)
        book = tags == BookTags() ? nil : tags
        publishedMs = try fields.int64("published").map { Milliseconds($0) }
        isPending = try fields.flag("pend")
        kept = try fields.count("kept").map { KeepMark(percent: $0) }
        if try fields.flag("left") { kept?.hasLeft = true }
    }
}

extension JSONWriter {
    /// Writes elements in order while they fit below `end`, and returns their number. A page has at least one row, since its client would
    /// otherwise ask forever.
    package mutating func member<Element>(
        _ name: StaticString, _ elements: some Sequence<Element>, upTo end: Int, atLeast least: Int = 0,
        encode: (Element, inout JSONWriter) -> Void
    ) -> Int {
        var written = 0
        member(
            name,
            array: { list in
                for element in elements {
                    let before = list.count
                    encode(element, &list)
                    guard list.count <= end || written < least, written < JSONLimits.standard.elements else {
                        return list.truncate(to: before)
                    }
                    written += 1
                }
            })
        return written
    }
}

extension Fields {
    /// The members of a query's result.
    init(result value: JSON) throws(ProtocolFault) {
        guard case .object(let object) = value else { throw ProtocolFault(.badRequest, "d must be an object.", at: "/d") }
        self.init(object, path: "/d")
    }
}
