public import BatonCore

/// The answer to `pl.list`: all playlists, and the number that counts their changes.
public struct PlaylistList: Equatable, Sendable {
    public var revision: Int
    public var rows: [PlaylistRow]

    package init(revision: Int, _ rows: [PlaylistRow]) {
        self.revision = revision
        self.rows = rows
    }

    package func encode(into writer: inout JSONWriter, bytes: Int) {
        let end = writer.count + bytes
        writer.object { page in
            page.member("rev", revision)
            _ = page.member("rows", rows, upTo: end) { row, list in list.object(row.encodeMembers) }
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(result: value)
        revision = try fields.required("rev", fields.count("rev"))
        guard fields.has("rows") else { throw fields.missing("rows") }
        rows = try fields.cappedList("rows", PlaylistRow.init(from:)).elements
    }
}

/// The answer to `pl.get`: one playlist, and some of what is in it.
public struct PlaylistContents: Equatable, Sendable {
    public var list: PlaylistRow
    /// The place of the first row.
    public var from: Int
    /// May be fewer than were asked for, when their texts are long: the client asks on from there.
    public var rows: [PlaylistEntry]

    package init(_ list: PlaylistRow, from: Int, _ rows: [PlaylistEntry]) {
        self.list = list
        self.from = from
        self.rows = rows
    }

    package func encode(into writer: inout JSONWriter, bytes: Int) {
        let end = writer.count + bytes
        writer.object { page in
            page.member("list", object: list.encodeMembers)
            page.member("from", from)
            _ = page.member("rows", rows, upTo: end) { entry, list in
                list.object {
                    $0.member("e", entry.id.text)
                    entry.row.encodeMembers(into: &$0)
                    $0.member("path", ifPresent: entry.path)
                }
            }
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(result: value)
        list = try PlaylistRow(from: try fields.required("list", fields.fields("list")))
        from = try fields.count("from") ?? 0
        guard fields.has("rows") else { throw fields.missing("rows") }
        rows = try fields.cappedList("rows") { row throws(ProtocolFault) in
            PlaylistEntry(id: try row.required("e", row.entry("e")), row: try ItemRow(from: row), path: try row.text("path"))
        }.elements
    }
}

/// The answer to `pl.create` and `pl.edit`.
public struct PlaylistEdited: Equatable, Sendable {
    /// The new playlist's; `nil` for one that was edited.
    public var id: PlaylistID?
    public var revision: Int
    /// Of what was added, in order.
    public var added: [EntryID]
    /// How many of those are left out, as when a whole library was added.
    public var more: Int

    package init(id: PlaylistID? = nil, revision: Int, added: [EntryID] = []) {
        self.id = id
        self.revision = revision
        self.added = Array(added.prefix(JSONLimits.standard.elements))
        more = added.count - self.added.count
    }

    package func encode(into writer: inout JSONWriter) {
        writer.object { answer in
            answer.member("id", ifPresent: id?.text)
            answer.member("rev", revision)
            if !added.isEmpty { answer.member("ids", added.map(\.text)) }
            if more > 0 { answer.member("more", more) }
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(result: value)
        id = try fields.text("id").map(PlaylistID.init)
        revision = try fields.required("rev", fields.count("rev"))
        added = try fields.list("ids", count: 0...Int.max, of: "an entry's id") { $0.string.flatMap(EntryID.init(text:)) } ?? []
        more = try fields.count("more") ?? 0
    }
}

extension PlaylistRow {
    func encodeMembers(into writer: inout JSONWriter) {
        writer.member("id", id.text)
        writer.member("name", DisplayText(bytes: 256).cut(name))
        writer.member("rev", revision)
        writer.member("n", count)
        writer.member("durMs", durationMs)
        if let rule {
            writer.flag("smart", true)
            writer.name("rule")
            rule.encode(into: &writer)
        }
        writer.member("art", ifPresent: art?.id)
        writer.member("undo", ifPresent: undo)
    }

    init(from fields: Fields) throws(ProtocolFault) {
        let rule = try fields.fields("rule")
        self.init(
            id: PlaylistID(try fields.required("id", fields.text("id"))), name: try fields.required("name", fields.text("name")),
            revision: try fields.required("rev", fields.count("rev")), count: try fields.count("n") ?? 0,
            durationMs: try fields.count("durMs") ?? 0,
            // A rule of a newer hub is one that this version cannot show.
            rule: rule.flatMap { try? SmartRule(from: $0) }, art: try fields.text("art").map { Artwork(id: $0) },
            undo: try fields.text("undo"))
    }
}
