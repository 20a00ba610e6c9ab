import BatonClient
import BatonCore
import BatonProtocol
import BatonWire

/// Bookmarks, which people refer to by their permanent numbers.
extension Verb {
    private static let bookmarkEdits: Choices = [
        "list": listBookmarks, "add": addBookmark, "play": playBookmark, "edit": editBookmark,
        "delete": changes(
            { call, _ in try number(call.onlyOperand("the number of a bookmark")) }, by: { Commands.MarkDelete($0) },
            says: { "Bookmark \($0) is deleted. To have it back: baton bookmark restore \($0)" },
            confirming: { "Deleting bookmark \($0)" }, list: { _, hub in Output.json(try await hub.send(Commands.Marks())) }),
        "restore": restoreBookmark, "export": exportBookmarks,
    ]

    /// Handles `bookmark`. Words that are no subcommand are the note of a new bookmark.
    @Sendable static func bookmark(_ call: Invocation, _ satellite: Satellite) async throws {
        var call = call
        if !bookmarkEdits.contains(where: { $0.key == call.operands.first }) { call.operands.insert("add", at: 0) }
        try await choose(among: bookmarkEdits, call, satellite)
    }

    // MARK: Listing

    @Sendable private static func listBookmarks(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        try call.expectNoOperands()
        let uri = call.options.has("here") ? try await current(hub) : nil
        let rows = try await bookmarks(of: uri, hub)
        if call.json { return Output.json { BookmarkFile.encode(rows, into: &$0) } }
        if rows.isEmpty { return Output.line("No bookmark yet. Keep the place that is heard: baton bookmark, or baton bookmark NOTE.") }
        var table = Table(["", "at", "what", "note", "kept"], call.ink)
        table.paint(column: 2, .bold)
        let now = Clock.wallMs()
        for row in rows {
            table.add(
                "\(row.id)", TimeText.show(ms: row.place.positionMs), row.place.title, row.note,
                "\(row.author.map { "\($0), " } ?? "")\(TimeText.ago(ms: now - row.atMs))")
        }
        table.print()
    }

    private static func current(_ hub: ReconnectingHub) async throws -> ItemURI {
        guard let uri = await hub.mirror.now?.uri else { throw Stop(.refused, "Nothing is playing, so it has no bookmarks.") }
        return uri
    }

    /// All bookmarks, page by page.
    private static func bookmarks(of uri: ItemURI?, _ hub: ReconnectingHub) async throws -> [Bookmark] {
        var page = PageRequest(limit: 100)
        var rows: [Bookmark] = []
        while true {
            let list = try await hub.send(Commands.Marks(uri: uri, page: page)).whole()
            rows += list.rows
            guard let cursor = list.cursor, !list.rows.isEmpty else { return rows }
            page.cursor = cursor
        }
    }

    // MARK: One bookmark

    @Sendable private static func addBookmark(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let note = call.operands.joined(separator: " ")
        guard note.utf8.count <= Bookmark.noteBytes else { throw Stop(.usage, "A note has at most \(Bookmark.noteBytes) bytes.") }
        let entry = await hub.mirror.queue?.current
        try show(try await hub.send(Commands.MarkAdd(entry: entry, note: note)), after: "kept", for: call)
    }

    @Sendable private static func playBookmark(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let id = try number(call.onlyOperand("the number of a bookmark"))
        guard let place = try await bookmarks(of: nil, hub).first(where: { $0.id == id })?.place else {
            throw Stop(.refused, "There is no bookmark \(id). Those that there are: baton bookmark list")
        }
        let now = await hub.mirror.now
        if let now, now.uri == place.uri {
            // The item plays already, so the queue stays unchanged.
            try await hub.send(Commands.Play(entry: now.entry, positionMs: place.positionMs))
        } else {
            try await hub.send(Commands.Play(place.uri, positionMs: place.positionMs))
        }
        try await report(call, hub, or: "Playing from \(TimeText.show(ms: place.positionMs)).")
    }

    @Sendable private static func editBookmark(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let id = try number(try call.operand(0, "the number of a bookmark"))
        let note = call.operands.dropFirst().joined(separator: " ")
        guard note.utf8.count <= Bookmark.noteBytes else { throw Stop(.usage, "A note has at most \(Bookmark.noteBytes) bytes.") }
        try show(try await hub.send(Commands.MarkEdit(id, note: note)), after: "changed", for: call)
    }

    @Sendable private static func restoreBookmark(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let id = try number(call.onlyOperand("the number of a bookmark"))
        try show(try await hub.send(Commands.MarkEdit(id, restores: true)), after: "there again", for: call)
    }

    private static func number(_ text: String) throws(Stop) -> Int {
        guard let number = Int(text), number >= 1 else {
            throw Stop(.usage, "“\(text)” is no number of a bookmark. Those that there are: baton bookmark list")
        }
        return number
    }

    private static func show(_ answer: Answered<BookmarkList>, after outcome: String, for call: Invocation) throws {
        if call.json { return Output.json(answer) }
        guard let row = answer.answer?.rows.first else { return Output.line("Another entry plays by now, so no bookmark was set.") }
        let note = row.note.isEmpty ? "" : ": \(row.note)"
        Output.line(
            VisibleText.of("Bookmark \(row.id) is \(outcome): \(row.place.title) at \(TimeText.show(ms: row.place.positionMs))\(note)"))
    }

    // MARK: Files

    @Sendable private static func exportBookmarks(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let path = try call.onlyOperand("the file to write, as bookmarks.md or bookmarks.json")
        let form = try BookmarkFile(path: path)
        let uri = call.options.has("here") ? try await current(hub) : nil
        let rows = try await bookmarks(of: uri, hub)
        try PlaylistFile.write(form.text(rows), to: path)
        if call.json {
            return Output.json {
                $0.object {
                    $0.member("file", path)
                    $0.member("n", rows.count)
                }
            }
        }
        Output.line("\(rows.count) bookmark\(rows.count == 1 ? " is" : "s are") in \(path).")
    }
}

/// Bookmarks as a file, for reading or for other programs.
enum BookmarkFile: Equatable {
    case markdown, json

    init(path: String) throws(Stop) {
        let suffix = path.split(separator: ".").last.map { $0.lowercased() }
        switch suffix {
        case "md", "markdown": self = .markdown
        case "json": self = .json
        default: throw Stop(.usage, "“\(path)” does not say what form it has. Name it .md or .json.")
        }
    }

    func text(_ rows: [Bookmark]) -> String {
        switch self {
        case .markdown: Self.markdown(rows)
        case .json: String(decoding: JSONWriter.bytes { Self.encode(rows, into: &$0) }, as: UTF8.self) + "\n"
        }
    }

    static func encode(_ rows: [Bookmark], into writer: inout JSONWriter) {
        writer.object { file in
            file.member("bookmarks", array: { list in for row in rows { list.object { encode(row, into: &$0) } } })
        }
    }

    private static func encode(_ row: Bookmark, into object: inout JSONWriter) {
        object.member("id", row.id)
        object.member("uri", row.place.uri.text)
        object.member("posMs", row.place.positionMs)
        object.member("title", row.place.title)
        object.member("album", row.place.album)
        object.member("chapter", row.place.chapter)
        object.member("note", row.note)
        object.member("by", ifPresent: row.author)
        object.member("atMs", row.atMs)
    }

    /// Markdown with a heading for each item and its bookmarks in order.
    private static func markdown(_ rows: [Bookmark]) -> String {
        var items: [ItemURI] = []
        for row in rows where !items.contains(row.place.uri) { items.append(row.place.uri) }
        let parts = items.map { uri in
            let own = rows.filter { $0.place.uri == uri }.sorted { $0.place.positionMs < $1.place.positionMs }
            return "## \(heading(own[0].place))\n\n" + own.map(line).joined()
        }
        return "# Bookmarks\n\n" + parts.joined(separator: "\n")
    }

    private static func heading(_ place: BookmarkPlace) -> String {
        escaped(place.title) + (place.album.isEmpty || place.album == place.title ? "" : " (\(escaped(place.album)))")
    }

    private static func line(_ row: Bookmark) -> String {
        let chapter = row.place.chapter.isEmpty ? "" : ", \(escaped(row.place.chapter))"
        return "- **\(TimeText.show(ms: row.place.positionMs))**\(chapter)\(row.note.isEmpty ? "" : ": \(escaped(row.note))")\n"
    }

    /// The text with Markdown's special characters escaped.
    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { line, character in
            if character.isNewline { return line.append(" ") }
            if "\\`*_{}[]<>#|".contains(character) { line.append("\\") }
            line.append(character)
        }
    }
}
