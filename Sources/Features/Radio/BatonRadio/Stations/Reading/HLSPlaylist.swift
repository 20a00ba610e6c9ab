/// An HLS playlist (RFC 8216): a list of variant streams or of the segments of one stream.
import BatonCore
import BatonSeams

enum HLSPlaylist: Equatable {
    case choices([Choice])
    case pieces(Pieces)

    /// A variant stream: the same programme in another quality.
    struct Choice: Equatable {
        var url: WebAddress
        var bandwidth: Int
        /// Includes video, which costs bandwidth and is not played.
        var hasVideo: Bool
    }

    struct Pieces: Equatable {
        var pieces: [Piece] = []
        /// The sequence number of the first segment; it grows as a live playlist advances.
        var firstNumber = 0
        var targetSeconds = 10
        /// The playlist is complete: no segments follow.
        var isWhole = false

        var durationMs: Milliseconds { pieces.reduce(0) { $0 + $1.durationMs } }
    }

    struct Piece: Equatable {
        var url: WebAddress
        var durationMs: Milliseconds
        var range: Range<Int64>?
        /// Bytes that a decoder needs before this segment.
        var head: Head?
    }

    struct Head: Equatable {
        var url: WebAddress
        var range: Range<Int64>?
    }

    static let mostBytes: Int64 = 1 << 20
    private static let mostLines = 20_000

    /// Parses a playlist. `address` is its final address after redirects.
    init(_ text: String, at address: WebAddress) throws(SourceFault) {
        guard text.hasPrefix("#EXTM3U") else { throw SourceFault(.failed, "It sent no list of pieces.") }
        var reader = Reader(address: address)
        for (number, line) in text.split(whereSeparator: \.isNewline).enumerated() {
            guard number < Self.mostLines else { throw SourceFault(.tooLarge, "Its list of pieces is too long.") }
            try reader.take(line)
        }
        self = reader.choices.isEmpty ? .pieces(reader.list) : .choices(reader.choices)
    }

    /// The variant to play: the best one with sound only, else the one that needs the least bandwidth.
    static func best(of choices: [Choice]) -> Choice? {
        choices.filter { !$0.hasVideo }.max { $0.bandwidth < $1.bandwidth } ?? choices.min { $0.bandwidth < $1.bandwidth }
    }
}

/// Parses a playlist line by line; a tag applies to the address after it.
private struct Reader {
    let address: WebAddress
    var choices: [HLSPlaylist.Choice] = []
    var list = HLSPlaylist.Pieces()
    private var choice: [String: String]?
    private var durationMs: Milliseconds = 0
    private var range: Range<Int64>?
    private var rangeEnd: Int64 = 0
    private var head: HLSPlaylist.Head?

    init(address: WebAddress) { self.address = address }

    mutating func take(_ line: Substring) throws(SourceFault) {
        guard line.hasPrefix("#") else {
            if !line.allSatisfy(\.isWhitespace) { try place(line) }
            return
        }
        let colon = line.firstIndex(of: ":") ?? line.endIndex
        let value = line[colon...].dropFirst()
        switch line[..<colon] {
        case "#EXT-X-STREAM-INF": choice = Self.attributes(value)
        case "#EXTINF": durationMs = Self.milliseconds(value.prefix { $0 != "," })
        case "#EXT-X-TARGETDURATION": list.targetSeconds = max(1, min(60, Int(value) ?? 10))
        case "#EXT-X-MEDIA-SEQUENCE": list.firstNumber = max(0, Int(value) ?? 0)
        case "#EXT-X-ENDLIST": list.isWhole = true
        case "#EXT-X-BYTERANGE": range = byteRange(value)
        case "#EXT-X-MAP":
            let attributes = Self.attributes(value)
            head = attributes["URI"].flatMap { address.resolving($0) }.map { url in
                HLSPlaylist.Head(url: url, range: attributes["BYTERANGE"].flatMap { Self.range($0[...], after: 0) })
            }
        case "#EXT-X-KEY" where Self.attributes(value)["METHOD"] != "NONE":
            throw SourceFault(.unsupported, "Its pieces are encrypted, which cannot be played.")
        default: break
        }
    }

    private mutating func place(_ line: Substring) throws(SourceFault) {
        guard let url = address.resolving(String(line)) else {
            throw SourceFault(.failed, "Its list of pieces names an address that is neither http nor https.")
        }
        if let choice {
            let codecs = choice["CODECS"] ?? ""
            let hasVideo = choice["RESOLUTION"] != nil || ["avc1", "hvc1", "hev1", "vp09", "av01"].contains { codecs.contains($0) }
            choices.append(HLSPlaylist.Choice(url: url, bandwidth: max(0, Int(choice["BANDWIDTH"] ?? "") ?? 0), hasVideo: hasVideo))
        } else {
            list.pieces.append(HLSPlaylist.Piece(url: url, durationMs: durationMs, range: range, head: head))
        }
        choice = nil
        range = nil
        durationMs = 0
    }

    /// The range in a tag. Without an offset it starts at the end of the previous range.
    private mutating func byteRange(_ text: Substring) -> Range<Int64>? {
        let range = Self.range(text, after: rangeEnd)
        rangeEnd = range?.upperBound ?? 0
        return range
    }

    private static func range(_ text: Substring, after end: Int64) -> Range<Int64>? {
        let parts = text.split(separator: "@", maxSplits: 1)
        let start = parts.count > 1 ? Int64(parts[1]) : end
        guard let count = parts.first.flatMap({ Int64($0) }), let start, count > 0, start >= 0, start <= 1 << 50, count <= 1 << 40 else {
            return nil
        }
        return start..<start + count
    }

    private static func milliseconds(_ text: Substring) -> Milliseconds {
        guard let seconds = Double(text), 0...3600 ~= seconds else { return 0 }
        return Milliseconds.seconds(seconds)
    }

    /// Parses `NAME=value,NAME="quoted, value"`.
    private static func attributes(_ text: Substring) -> [String: String] {
        var attributes: [String: String] = [:]
        var rest = text
        while let equals = rest.firstIndex(of: "="), attributes.count < 64 {
            let name = rest[..<equals].drop { $0 == "," || $0 == " " }
            rest = rest[rest.index(after: equals)...]
            let isQuoted = rest.first == "\""
            if isQuoted { rest.removeFirst() }
            let value = rest.prefix { $0 != (isQuoted ? "\"" : ",") }
            rest = rest[value.endIndex...].drop { $0 == "\"" }
            attributes[String(name)] = String(value)
        }
        return attributes
    }
}
