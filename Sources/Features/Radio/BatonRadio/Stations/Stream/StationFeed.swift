/// A connection to a station, read by one task, piece after piece.
import BatonCore
import BatonSeams

protocol StationFeed: Sendable {
    /// The next piece; `nil` at the end.
    func next() async throws(SourceFault) -> StreamPiece?
    /// Whether the stream itself has ended, so that another connection would bring nothing more.
    var isOver: Bool { get async }
    func cancel() async
}

/// A stream in a single response, with or without ICY metadata.
actor SoundFeed: StationFeed {
    private let body: any HTTPBody
    private var first: [UInt8]?
    private var splitter: ICYSplitter
    private var ogg: OggPages?
    private var frames: FrameStarts?
    private var hasBegun = false

    let isOver = false

    /// More than two of the longest MPEG audio frames.
    private static let mostBeforeFrame = 4096

    /// Takes the bytes that were already read to detect the format as `first`.
    init(_ answer: HTTPAnswer, first: [UInt8]) {
        body = answer.body
        self.first = first
        splitter = ICYSplitter(metaint: answer.header("icy-metaint").flatMap { Int($0) })
        let type = answer.header("content-type")?.lowercased() ?? ""
        let isOgg = type.contains("ogg") || first.starts(with: OggPage.mark)
        ogg = isOgg ? OggPages() : nil
        frames = isOgg ? nil : FrameStarts(Self.form(type))
    }

    private static func form(_ type: String) -> SoundForm {
        type.contains("aac") ? .adts : type.contains("mpeg") || type.contains("mp3") ? .mpeg : .bytes
    }

    func next() async throws(SourceFault) -> StreamPiece? {
        guard var piece = try await read() else { return nil }
        guard frames != nil else { return piece }
        guard hasBegun else { return await begin(piece) }
        piece.entries = frames?.take(piece.sound).map { [StreamPiece.Entry(at: $0, head: [])] } ?? []
        return piece
    }

    /// The first piece, cut at its first frame. Sound without frames stays unchanged.
    private func begin(_ beginning: StreamPiece) async -> StreamPiece {
        hasBegun = true
        var piece = beginning
        while true {
            // The search starts anew each time, because the second header that confirms the first may be in a later
            // piece.
            var found = frames
            if let start = found?.take(piece.sound) {
                frames = found
                return piece.from(start)
            }
            // An end or fault of the connection is reported by the next read.
            guard piece.sound.count < Self.mostBeforeFrame, let more = try? await read() else {
                frames = nil
                return piece
            }
            let count = piece.sound.count
            piece.titles += more.titles.map { StreamPiece.Title(at: $0.at + count, $0.text) }
            piece.sound += more.sound
        }
    }

    private func read() async throws(SourceFault) -> StreamPiece? {
        let bytes: [UInt8]
        if let first, !first.isEmpty {
            bytes = first
            self.first = nil
        } else {
            do throws(HTTPCallFault) {
                guard let piece = try await body.next() else { return end() }
                bytes = piece
            } catch {
                throw error.asSourceFault
            }
        }
        var piece = StreamPiece([])
        let before = splitter.position
        for block in splitter.take(bytes, into: &piece.sound) {
            guard let title = ICYTitle.title(in: block.bytes) else { continue }
            piece.titles.append(StreamPiece.Title(at: Int(block.at - before), title))
        }
        return ogg?.take(piece) ?? piece
    }

    /// The remaining bytes of an incomplete page.
    private func end() -> StreamPiece? {
        guard let rest = ogg?.end(), !rest.sound.isEmpty else { return nil }
        return rest
    }

    func cancel() { body.cancel() }
}

extension StreamPiece {
    /// The piece from this position on, at which a decoder may begin.
    fileprivate func from(_ start: Int) -> StreamPiece {
        StreamPiece(
            Array(sound[start...]), titles: titles.map { Title(at: max(0, $0.at - start), $0.text) }, entries: [Entry(at: 0, head: [])])
    }
}
