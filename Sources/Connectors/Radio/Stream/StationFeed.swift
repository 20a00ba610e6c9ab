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

    let isOver = false

    /// `first` was read already, to see what it is.
    init(_ answer: HTTPAnswer, first: [UInt8]) {
        body = answer.body
        self.first = first
        splitter = ICYSplitter(metaint: answer.header("icy-metaint").flatMap { Int($0) })
        let isOgg = answer.header("content-type")?.lowercased().contains("ogg") == true || first.starts(with: "OggS".utf8)
        ogg = isOgg ? OggPages() : nil
    }

    func next() async throws(SourceFault) -> StreamPiece? {
        let bytes: [UInt8]
        if let first, !first.isEmpty {
            bytes = first
            self.first = nil
        } else {
            do throws(HTTPCallFault) {
                guard let piece = try await body.next() else { return nil }
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
        piece.entries = ogg?.take(piece.sound) ?? []
        return piece
    }

    func cancel() { body.cancel() }
}
