import BatonClient
import BatonCore
import BatonProtocol

/// Verbs that export playlists to files and import them. Entries that the hub lacks are listed and counted; all
/// others keep their order.
extension Verb {
    @Sendable static func exportList(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let path = try call.operand(1, "a playlist and the file to write, as x.m3u8 or x.jspf")
        let file = try PlaylistFile(path)
        let list = try await list(call, hub)
        let (row, entries, _) = try await hub.contents(of: list.id)
        let text = PlaylistText(
            title: row.name,
            entries.map { entry in
                PlaylistText.Entry(
                    entry.path ?? entry.row.uri.text, item: entry.row.uri.text, tags: entry.row.tags.title.isEmpty ? nil : entry.row.tags)
            })
        try file.write(text)
        if call.json {
            return Output.json {
                $0.object {
                    $0.member("file", path)
                    $0.member("n", entries.count)
                }
            }
        }
        Output.line("“\(row.name)” with \(entries.count) \(entries.count == 1 ? "entry" : "entries") is in \(path).")
    }

    @Sendable static func importList(_ call: Invocation, _ hub: ReconnectingHub) async throws {
        let path = try call.onlyOperand("a playlist file, as x.m3u8 or x.jspf")
        let file = try PlaylistFile(path)
        let text = try file.read()
        guard !text.entries.isEmpty else { throw Stop(.refused, "There is nothing in \(path).") }
        let stem = path.split(separator: "/").last.map { $0.split(separator: ".").dropLast().joined(separator: ".") } ?? ""
        let name = call.options["name"] ?? text.title ?? (stem.isEmpty ? "Imported" : stem)
        let id = try await makeList(String(name.prefix(64)), hub)
        var transfer = PlaylistImport(hub: hub, id: id, file: file)
        do { try await transfer.add(text.entries[...]) } catch {
            _ = try? await hub.send(Commands.PlaylistDelete(id: id))
            throw error
        }
        try await tell(of: transfer, into: name, for: call, on: hub)
    }

    private static func tell(of done: PlaylistImport, into name: String, for call: Invocation, on hub: ReconnectingHub) async throws {
        if done.added == 0, !done.missing.isEmpty {
            _ = try? await hub.send(Commands.PlaylistDelete(id: done.id))
            throw Stop(
                .refused,
                "None of the \(done.missing.count) entries is known to this hub: \(done.missing.prefix(3).joined(separator: ", ")).")
        }
        if call.json {
            return Output.json {
                $0.object {
                    $0.member("id", done.id.text)
                    $0.member("added", done.added)
                    $0.member("missing", done.missing)
                }
            }
        }
        for missing in done.missing { Output.trouble("not found: \(missing)") }
        let lost = done.missing.isEmpty ? "" : " \(done.missing.count) could not be found; they are named above."
        Output.line("“\(name)” has \(done.added) \(done.added == 1 ? "track" : "tracks").\(lost)")
    }
}

/// Adds entries of a file to a playlist, many at once. If the hub refuses a part, its halves are sent separately,
/// until the refused entry is found.
struct PlaylistImport {
    let hub: ReconnectingHub
    let id: PlaylistID
    let file: PlaylistFile
    private static let mostUnknown = 100
    private(set) var added = 0
    private(set) var missing: [String] = []

    init(hub: ReconnectingHub, id: PlaylistID, file: PlaylistFile) {
        self.hub = hub
        self.id = id
        self.file = file
    }

    mutating func add(_ entries: ArraySlice<PlaylistText.Entry>) async throws {
        var rest = entries
        while !rest.isEmpty {
            let uris = rest.prefix(500).map { file.candidates($0).first ?? "" }
            var parts = URIParts(uris)
            let count = uris.contains("") ? 1 : parts.next()?.count ?? 1
            try await halve(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
    }

    private mutating func halve(_ part: ArraySlice<PlaylistText.Entry>) async throws {
        let uris = part.compactMap { file.candidates($0).first }
        if uris.count == part.count, try await put(uris) { return }
        guard part.count == 1, let entry = part.first else {
            let half = part.startIndex + part.count / 2
            try await halve(part[..<half])
            return try await halve(part[half...])
        }
        for other in file.candidates(entry).dropFirst() where try await put([other]) { return }
        if let alike = try await alike(entry.tags), try await put([alike]) { return }
        missing.append(entry.tags.map { tags in (tags.artists + [tags.title]).joined(separator: " – ") } ?? entry.name)
        // Each unknown entry costs several commands, so the list of another library is given up.
        guard added > 0 || missing.count < Self.mostUnknown else {
            throw Stop(
                .refused, "None of the first \(missing.count) entries is known to this hub, as \(missing[0]). The import was given up.")
        }
    }

    /// Adds a part; returns false if the hub does not know an entry, or hides it from this remote.
    private mutating func put(_ uris: [String]) async throws -> Bool {
        do {
            added += try await Verb.add(uris, to: id, hub)
            return true
        } catch let error as WireError {
            switch error.known {
            case .notFound, .forbidden, .unsupported, .badRequest, .sourceFailed, .tooLarge: return false
            default: throw error
            }
        }
    }

    /// A library track with the same title and artists, whatever its path.
    private func alike(_ tags: Tags?) async throws -> String? {
        guard let tags, !tags.title.isEmpty else { return nil }
        let words = (tags.artists + [tags.title]).joined(separator: " ")
        let question = Commands.Search(String(words.prefix(200)), kinds: [.track])
        guard let rows = try? await hub.items(question, most: 20).list.rows else { return nil }
        return rows.first { Self.isAlike($0.tags, tags) }?.uri.text
    }

    /// Whether two tracks are the same recording. Recordings of one song usually differ in length.
    static func isAlike(_ one: Tags, _ other: Tags) -> Bool {
        let apart = one.durationMs.flatMap { a in other.durationMs.map { (a - $0).magnitude } } ?? 0
        let sameArtist =
            other.artists.isEmpty || one.artists.joined(separator: ", ").lowercased() == other.artists.joined(separator: ", ").lowercased()
        return one.title.lowercased() == other.title.lowercased() && sameArtist && apart <= 5000
    }
}
