/// Queue entries, playback and details of items.
package import BatonCore
package import BatonSeams

extension SapphoConnector {
    // MARK: Queue

    package func expand(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> [NewEntry] {
        let found = try await books(in: try item(uri))
        guard !found.isEmpty else { throw SourceFault(.notFound, "There is no book in \(uri.text).") }
        return found.map { NewEntry(uri: rows.uri(.book($0.id)), tags: rows.tags($0)) }
    }

    private func books(in item: SapphoItem) async throws(SourceFault) -> [SapphoBook] {
        switch item {
        case .book(let id): return [try await book(id)]
        case .series(let name): return try await books(ofSeries: name)
        case .author(let name): return try await books([("author", name)]).books
        case .genre(let name): return try await books([("genre", name)]).books
        case .collection(let id): return try await collection(id).books
        case .similar(let id): return try await similarBooks(id)
        case .shelf(.books): return try await books([]).books
        case .shelf(let shelf):
            let page = try await browse(BrowseQuery(node: rows.uri(.shelf(shelf)), window: PageWindow(limit: Self.mostBooks)))
            var found: [SapphoBook] = []
            for row in page.rows where row.tags.kind == .book {
                if case .book(let id)? = SapphoItem(row.uri, of: source) { found.append(try await book(id)) }
            }
            return found
        case .account, .recap, .story: return []
        }
    }

    package func similar(to uri: ItemURI, count: Int) async throws(SourceFault) -> [NewEntry] {
        guard case .book(let id) = try item(uri) else {
            throw SourceFault(.unsupported, "“\(title)” knows what is like a book only.")
        }
        return try await similarBooks(id).prefix(count).map { NewEntry(uri: rows.uri(.book($0.id)), tags: rows.tags($0)) }
    }

    // MARK: Sound and pictures

    package func resolve(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> Playable {
        Playable(.bytes(try await file(uri, .stream)))
    }

    package func download(_ uri: ItemURI) async throws(SourceFault) -> NamedBytes { try await file(uri, .copy) }

    private func file(_ uri: ItemURI, _ limits: HTTPCallLimits) async throws(SourceFault) -> NamedBytes {
        guard case .book(let id) = try item(uri) else { throw SourceFault(.unsupported, "\(uri.text) is no book of “\(title)”.") }
        let content = try await server.open("/api/audiobooks/\(id)/stream", limits)
        let type = (content as? any HTTPByteSource)?.header("content-type")?.lowercased() ?? ""
        guard !type.hasPrefix("text/"), !type.hasPrefix("application/json") else {
            throw SourceFault(.unreadable, "“\(title)” answers with a page where the sound of a book was expected.")
        }
        return NamedBytes("book.\(Self.suffixes[String(type.prefix { $0 != ";" })] ?? "m4b")", content)
    }

    private static let suffixes = [
        "audio/mpeg": "mp3", "audio/mp4": "m4b", "audio/ogg": "ogg", "audio/flac": "flac", "audio/wav": "wav", "audio/opus": "opus",
        "audio/aac": "aac", "audio/x-ms-wma": "wma",
    ]

    package func picture(_ name: String) async throws(SourceFault) -> PictureSource {
        guard let id = Int(name), id > 0 else { throw SourceFault(.notFound, "“\(title)” has no such picture.") }
        let reply = try await server.reply(.get, "/api/audiobooks/\(id)/cover")
        guard reply.isWell, !reply.body.isEmpty, reply.json == nil else {
            throw reply.isWell ? SourceFault(.notFound, "“\(title)” has no picture of this book.") : await server.fault(reply)
        }
        return .bytes(reply.body)
    }

    // MARK: Details

    package func details(of uri: ItemURI) async throws(SourceFault) -> ItemDetails {
        let item = try item(uri)
        switch item {
        case .book(let id): return try await details(of: try await book(id))
        case .series(let name): return ItemDetails(row: rows.container(item, kind: .series, title: name))
        case .author(let name): return ItemDetails(row: rows.container(item, kind: .author, title: name))
        case .genre(let name): return ItemDetails(row: rows.container(item, kind: .genre, title: name))
        case .collection(let id):
            let collection = try await collection(id)
            var details = ItemDetails(row: rows.collection(collection))
            details.about = collection.about
            return details
        case .similar: return ItemDetails(row: rows.container(item, kind: .shelf, title: "Similar books"))
        case .shelf(let shelf): return ItemDetails(row: rows.shelf(shelf))
        case .recap, .story, .account: return try await told(item)
        }
    }

    private func details(of book: SapphoBook) async throws(SourceFault) -> ItemDetails {
        var details = ItemDetails(row: await bookRows([book])[0])
        details.genres = book.genre.map { [$0] } ?? []
        details.labels = book.publisher.map { [$0] } ?? []
        details.addedAtMs = book.addedAtMs
        details.similar = rows.uri(.similar(book.id))
        let chapters = try await chapters(of: book)
        if book.isMultiFile { details.row.tags.durationMs = chapters.last.flatMap { last in last.durationMs.map { last.startMs + $0 } } }
        details.chapters = chapters.list(durationMs: details.row.tags.durationMs)
        details.about = [book.lack, book.about].compactMap { $0 }.joined(separator: "\n\n")
        if details.about?.isEmpty == true { details.about = nil }
        return details
    }

    /// The chapters that can be played.
    private func chapters(of book: SapphoBook) async throws(SourceFault) -> [SapphoChapter] {
        let rows = try await server.list("/api/audiobooks/\(book.id)/chapters")
        return rows.enumerated().compactMap { SapphoChapter($0.element, at: $0.offset) }.heard(of: book)
    }
}
