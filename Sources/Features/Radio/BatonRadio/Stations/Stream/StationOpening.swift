import BatonCore
import BatonSeams
/// Opens a station by an address of its stream, of a playlist that names the stream, or of an HLS playlist.
import StationLists

struct StationOpening: Sendable {
    enum Opened: Sendable {
        /// An endless stream. The suffix of the name tells the format, as for files.
        case feed(any StationFeed, name: String)
        /// A file of known length, not a station.
        case file
        /// A complete HLS playlist, not a station.
        case pieces(HLSPlaylist.Pieces)
    }

    let calls: StationCalls
    let address: WebAddress

    private static let mostListBytes = 64 * 1024
    /// Time limit for the rest of a playlist, because the call itself has the unlimited time of a stream.
    private static let mostListMs: Milliseconds = 20_000
    private static let mostTries = 4
    private static let mostDepth = 3

    func open() async throws(SourceFault) -> Opened { try await open(address, depth: 0) }

    private func open(_ address: WebAddress, depth: Int) async throws(SourceFault) -> Opened {
        guard depth < Self.mostDepth else { throw SourceFault(.failed, "Its playlists lead to more playlists.") }
        let answer = try await calls.open(address, isNamed: depth == 0)
        let type = answer.header("content-type")?.lowercased() ?? ""
        var first: [UInt8] = []
        do throws(HTTPCallFault) { first = try await answer.body.next() ?? [] } catch { throw error.asSourceFault }
        let isSound = type.hasPrefix("audio/") && !["mpegurl", "scpls", "xspf"].contains { type.contains($0) }
        guard !isSound, let format = Self.format(first, type) else {
            if answer.header("content-length") != nil, answer.header("icy-metaint") == nil {
                answer.body.cancel()
                return .file
            }
            return .feed(SoundFeed(answer, first: first), name: Self.name(answer, type))
        }
        let text = try await rest(of: answer, first)
        return try await list(text, format, at: address, depth: depth)
    }

    private static func format(_ first: [UInt8], _ type: String) -> StationFile.Format? {
        type.hasPrefix("text/html") ? .page : StationFile.Format(first)
    }

    private func list(
        _ bytes: [UInt8], _ format: StationFile.Format, at address: WebAddress, depth: Int
    ) async throws(SourceFault) -> Opened {
        if format == .pieces || (format == .m3u && Self.isMaster(bytes)) { return try await pieces(bytes, at: address, depth: depth) }
        if format == .page { throw SourceFault(.unsupported, "This is a web page and no station.") }
        let entries = try StationFile(bytes, named: "playlist").stations.compactMap { WebAddress($0.url) }
        var fault = SourceFault(.notFound, "Its playlist names nothing that can be played.")
        for entry in entries.prefix(Self.mostTries) {
            do throws(SourceFault) { return try await open(entry, depth: depth + 1) } catch { fault = error }
        }
        throw fault
    }

    private static func isMaster(_ bytes: [UInt8]) -> Bool { PlaylistText.text(of: bytes).contains("#EXT-X-") }

    private func pieces(_ bytes: [UInt8], at address: WebAddress, depth: Int) async throws(SourceFault) -> Opened {
        switch try HLSPlaylist(PlaylistText.text(of: bytes), at: address) {
        case .pieces(let list): return list.isWhole ? .pieces(list) : .feed(PieceFeed(list, at: address, calls), name: "stream")
        case .choices(let choices):
            guard let best = HLSPlaylist.best(of: choices), depth + 1 < Self.mostDepth else {
                throw SourceFault(.failed, "Its lists of pieces lead to more lists.")
            }
            return try await pieces(
                Array(try await calls.text(of: best.url, most: HLSPlaylist.mostBytes).utf8), at: best.url, depth: depth + 1)
        }
    }

    /// Reads the rest of a playlist. An endless one is refused.
    private func rest(of answer: HTTPAnswer, _ first: [UInt8]) async throws(SourceFault) -> [UInt8] {
        var bytes = first
        let endMs = calls.clock.nowMs + Self.mostListMs
        do throws(HTTPCallFault) {
            while let piece = try await answer.body.next() {
                bytes += piece
                guard bytes.count <= Self.mostListBytes else {
                    answer.body.cancel()
                    throw HTTPCallFault(.tooLarge, "Its playlist is longer than \(Self.mostListBytes / 1024) KiB.")
                }
                guard calls.clock.nowMs < endMs else {
                    answer.body.cancel()
                    throw HTTPCallFault(.timedOut, "Its playlist takes too long to come.")
                }
            }
        } catch {
            throw error.asSourceFault
        }
        return bytes
    }

    private static let suffixes = [
        ("mpeg", "mp3"), ("mp3", "mp3"), ("aac", "aac"), ("ogg", "ogg"), ("opus", "ogg"), ("flac", "flac"), ("mp2t", "ts"), ("mp4", "m4a"),
    ]

    private static func name(_ answer: HTTPAnswer, _ type: String) -> String {
        let title = StationText.line(answer.header("icy-name") ?? "", to: StationText.titleBytes)
        let suffix = suffixes.first { type.contains($0.0) }?.1 ?? ""
        return (title.isEmpty ? "stream" : String(title.map { "/.".contains($0) ? "-" : $0 })) + (suffix.isEmpty ? "" : ".\(suffix)")
    }
}
