/// One connection to a station, piece after piece. One task reads it.
import BatonCore
import BatonSeams

protocol StationFeed: Sendable {
    /// `nil` at its end.
    func next() async throws(SourceFault) -> StreamPiece?
    /// Whether the stream itself is over, so that no other connection would bring more.
    var isOver: Bool { get async }
    func cancel() async
}

/// A stream in one answer, with or without metadata in it.
actor SoundFeed: StationFeed {
    private let body: any HTTPBody
    private var first: [UInt8]?
    private var splitter: ICYSplitter
    private var ogg: OggPages?
    private var frames: FrameStarts?
    private var hasBegun = false

    let isOver = false

    /// More than the longest frame of MPEG audio, twice.
    private static let mostBeforeFrame = 4096

    /// `first` was read already, to see what it is.
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

    /// The beginning of the connection without the rest of a frame before it. Where there are no frames it stays as it is.
    private func begin(_ beginning: StreamPiece) async -> StreamPiece {
        hasBegun = true
        var piece = beginning
        while true {
            // From the beginning each time: the second header, which proves the first, may be in a later piece.
            var found = frames
            if let start = found?.take(piece.sound) {
                frames = found
                return piece.from(start)
            }
            // A connection that ends or fails here does so again at the next reading.
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
        let before = splitter.place
        for block in splitter.take(bytes, into: &piece.sound) {
            guard let title = ICYTitle.title(in: block.bytes) else { continue }
            piece.titles.append(StreamPiece.Title(at: Int(block.at - before), title))
        }
        return ogg?.take(piece) ?? piece
    }

    /// The beginning of a page that never came whole.
    private func end() -> StreamPiece? {
        guard let rest = ogg?.end(), !rest.sound.isEmpty else { return nil }
        return rest
    }

    func cancel() { body.cancel() }
}

extension StreamPiece {
    /// From the frame at this place on, at which a decoder may begin.
    fileprivate func from(_ start: Int) -> StreamPiece {
        StreamPiece(
            Array(sound[start...]), titles: titles.map { Title(at: max(0, $0.at - start), $0.text) }, entries: [Entry(at: 0, head: [])])
    }
}
