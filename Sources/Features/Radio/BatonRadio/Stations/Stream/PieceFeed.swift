/// An HLS stream as a stream of bytes: it polls the playlist and fetches each new segment. The hub makes all
/// requests, under its own address policy; players contact none of the servers.
import BatonCore
import BatonSeams

actor PieceFeed: StationFeed {
    private let calls: StationCalls
    private var address: WebAddress
    private var list: HLSPlaylist.Pieces
    /// The sequence number of the next segment; `nil` before the first.
    private var number: Int?
    private var head: HLSPlaylist.Head?
    private var headBytes: [UInt8] = []
    private(set) var isOver = false

    /// Distance from the end at which a live stream starts, in segments.
    private static let behindEnd = 3
    /// Polls without a new segment after which the stream counts as broken.
    private static let mostEmptyLists = 20

    init(_ list: HLSPlaylist.Pieces, at address: WebAddress, _ calls: StationCalls) {
        self.list = list
        self.address = address
        self.calls = calls
    }

    func next() async throws(SourceFault) -> StreamPiece? {
        var emptyLists = 0
        while true {
            if Task.isCancelled { throw .cancelled }
            let newest = list.firstNumber + list.pieces.count
            var wanted = number ?? (list.isWhole ? list.firstNumber : max(list.firstNumber, newest - Self.behindEnd))
            // Segments that left the playlist before they were fetched are a gap.
            if wanted < list.firstNumber || wanted > newest + Self.mostEmptyLists { wanted = list.firstNumber }
            if wanted < newest {
                number = wanted + 1
                return try await fetch(list.pieces[wanted - list.firstNumber])
            }
            number = wanted
            guard !list.isWhole else {
                isOver = true
                return nil
            }
            emptyLists += 1
            guard emptyLists <= Self.mostEmptyLists else { throw SourceFault(.unavailable, "No new piece of it comes.") }
            do { try await Task.sleep(for: .milliseconds(list.targetSeconds * 500)) } catch { throw .cancelled }
            guard case .pieces(let next) = try HLSPlaylist(try await calls.text(of: address, most: HLSPlaylist.mostBytes), at: address)
            else {
                throw SourceFault(.failed, "Its list of pieces became another list.")
            }
            list = next
        }
    }

    private func fetch(_ piece: HLSPlaylist.Piece) async throws(SourceFault) -> StreamPiece {
        if let head = piece.head, head != self.head {
            headBytes = try await calls.bytes(of: head)
            self.head = head
        }
        let sound = try await calls.sound(of: piece)
        let isFirst = piece.head == nil || number == nil
        return StreamPiece(sound, entries: [StreamPiece.Entry(at: 0, head: isFirst ? [] : headBytes)])
    }

    func cancel() {}
}

extension StationCalls {
    private static let mostPieceBytes: Int64 = 32 << 20
    private static let mostHeadBytes: Int64 = 1 << 20

    func bytes(of head: HLSPlaylist.Head) async throws(SourceFault) -> [UInt8] {
        try await bytes(of: head.url, head.range, most: Self.mostHeadBytes)
    }

    func sound(of piece: HLSPlaylist.Piece) async throws(SourceFault) -> [UInt8] {
        let bytes = try await bytes(of: piece.url, piece.range, most: Self.mostPieceBytes)
        return Array(bytes.dropFirst(Self.tagBytes(bytes)))
    }

    /// The length of the ID3 tag that precedes a segment of plain sound and holds its time.
    private static func tagBytes(_ bytes: [UInt8]) -> Int {
        guard bytes.count > 10, bytes.starts(with: "ID3".utf8) else { return 0 }
        return 10 + bytes[6..<10].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
    }
}
