/// The title of a song from the comments in the header of an Ogg stream: Vorbis, Opus, Speex, and FLAC in Ogg. A value that takes the header pages
/// one after the other.
///
/// A comment may have any length, for example when it holds a picture. Only the beginning of the packet is stored, and later comments are not read.
package struct OggComments: Equatable, Sendable {
    /// The state of the search for the title.
    package enum Answer: Equatable, Sendable {
        /// The comments were not read to their end yet.
        case unknown
        /// The title; `nil` where the stream has none.
        case title(String?)
    }

    /// Codecs: the bytes that begin the first packet, and the number of bytes before the comments in the second.
    private static let codecs: [(mark: [UInt8], skipped: Int)] = [
        (Array("\u{1}vorbis".utf8), 7), (Array("OpusHead".utf8), 8), (Array("\u{7F}FLAC".utf8), 4), (Array("Speex   ".utf8), 0),
    ]
    private static let mostBytes = 64 * 1024
    private static let mostComments = 1_000

    private var serial: UInt32?
    private var skipped = 0
    private var packet: [UInt8] = []
    /// True when the first packet has ended.
    private var isSecond = false
    /// The title as far as it is known; final once it is not `unknown`.
    package private(set) var answer = Answer.unknown

    package init() {}

    /// Takes a complete page. A page with sound before the comments ends the search.
    package mutating func take(_ page: OggPage, _ bytes: ArraySlice<UInt8>) {
        guard answer == .unknown else { return }
        let content = bytes.dropFirst(page.headBytes)
        if page.isBeginning {
            guard serial == nil, let codec = Self.codecs.first(where: { content.starts(with: $0.mark) }) else { return }
            (serial, skipped) = (page.serial, codec.skipped)
        } else if page.hasTime || serial == nil {
            answer = .title(nil)
            return
        }
        if page.serial == serial { add(page, content) }
    }

    private mutating func add(_ page: OggPage, _ content: ArraySlice<UInt8>) {
        var rest = content
        for piece in page.pieces {
            if isSecond, packet.count < Self.mostBytes { packet += rest.prefix(Int(piece)) }
            rest = rest.dropFirst(Int(piece))
            guard piece < 255 else { continue }
            if isSecond {
                answer = .title(Self.title(in: packet.dropFirst(skipped)))
                packet = []
                return
            }
            isSecond = true
        }
    }

    /// The title in the form `Artist - Title`, as in other streams.
    private static func title(in packet: ArraySlice<UInt8>) -> String? {
        var found: [String: String] = [:]
        var rest = packet
        _ = text(&rest)
        let count = min(mostComments, number(&rest) ?? 0)
        for _ in 0..<max(0, count) {
            guard let comment = text(&rest) else { break }
            guard let mark = comment.firstIndex(of: UInt8(ascii: "=")), mark - comment.startIndex <= 16 else { continue }
            let name = String(decoding: comment[..<mark], as: UTF8.self).lowercased()
            guard name == "artist" || name == "title" else { continue }
            let value = PlaylistText.text(of: Array(comment[(mark + 1)...]))
            found[name] = found[name].map { "\($0), \(value)" } ?? value
        }
        let parts = ["artist", "title"].compactMap { found[$0] }.map { StationText.line($0, to: StationText.streamTitleBytes) }
        let line = StationText.line(parts.filter { !$0.isEmpty }.joined(separator: " - "), to: StationText.streamTitleBytes)
        return line.isEmpty ? nil : line
    }

    /// Reads a length and as many bytes; `nil` where they are incomplete.
    private static func text(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let length = number(&rest), rest.count >= length else { return nil }
        defer { rest = rest.dropFirst(length) }
        return rest.prefix(length)
    }

    private static func number(_ rest: inout ArraySlice<UInt8>) -> Int? {
        guard rest.count >= 4 else { return nil }
        defer { rest = rest.dropFirst(4) }
        return rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
