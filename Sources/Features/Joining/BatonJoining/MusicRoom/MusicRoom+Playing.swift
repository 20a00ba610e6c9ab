/// Queue entries of items, and access to a track's bytes.
package import BatonCore
package import BatonSeams

extension MusicRoom {
    package func expand(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> [NewEntry] {
        let entries: [NewEntry]
        switch try item(uri) {
        case .track(let id): entries = [answers.entry(try await track(id))]
        case .playlist(let id): entries = try await self.entries(ofPlaylist: id)
        case .room(let id): entries = try await self.entries(ofRoom: id)
        case .shelf(.library):
            let content = try await library.whole()
            guard content.tracks.count <= Self.mostEntries else {
                throw SourceFault(
                    .tooLarge, "“\(title)” has \(content.tracks.count) tracks, and a queue holds \(Self.mostEntries). Choose some of them.")
            }
            entries = content.tracks.map(answers.entry)
        case .shelf(let shelf): throw SourceFault(.unsupported, "“\(shelf.title)” are not played all at once: choose one of them.")
        }
        guard !entries.isEmpty else { throw SourceFault(.notFound, "There is no music in \(uri.text).") }
        return entries
    }

    package func resolve(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> Playable {
        Playable(.bytes(try await file(uri, .stream)))
    }

    package func download(_ uri: ItemURI) async throws(SourceFault) -> NamedBytes { try await file(uri, .copy) }

    private func file(_ uri: ItemURI, _ limits: HTTPCallLimits) async throws(SourceFault) -> NamedBytes {
        guard case .track(let id) = try item(uri) else { throw SourceFault(.unsupported, "\(uri.text) is no track of “\(title)”.") }
        let content = try await server.open("/api/tracks/\(PercentText.encoded(id))", limits)
        let type = (content as? any HTTPByteSource)?.header("content-type")?.lowercased() ?? ""
        guard !type.hasPrefix("text/"), !type.hasPrefix("application/json") else {
            throw SourceFault(.unreadable, "“\(title)” answers with a page where the sound of a track was expected.")
        }
        let suffix = await library.known(id).flatMap { FileName.suffix(of: $0.filename) }
        return NamedBytes("track.\(suffix ?? Self.suffixes[String(type.prefix { $0 != ";" })] ?? "mp3")", content)
    }

    private static let suffixes = [
        "audio/mpeg": "mp3", "audio/mp4": "m4a", "audio/ogg": "ogg", "audio/flac": "flac", "audio/x-flac": "flac", "audio/wav": "wav",
        "audio/x-wav": "wav", "audio/opus": "opus", "audio/aac": "aac",
    ]
}
