/// A complete HLS playlist as one file: its segments in order, each fetched when the player reaches it.
///
/// It is not a station: each player reads it from the beginning with its own reader, and its duration is known.
import BatonSeams

actor PieceFile: ByteSource {
    nonisolated let length: Int64? = nil
    nonisolated let hasRanges = false
    nonisolated let version: ContentVersion? = nil

    private let pieces: [HLSPlaylist.Piece]
    private let calls: StationCalls
    /// The latest segment: its number, its position, and its bytes with the decoder's header.
    private var held: (number: Int, start: Int64, bytes: [UInt8])?

    init(_ list: HLSPlaylist.Pieces, _ calls: StationCalls) {
        pieces = list.pieces
        self.calls = calls
    }

    func read(at position: Int64, count: Int) async throws(SourceFault) -> [UInt8] {
        // A player that opens the file again starts at the beginning.
        if let held, position < held.start { self.held = nil }
        while true {
            if let held, position < held.start + Int64(held.bytes.count) {
                let from = Int(position - held.start)
                return Array(held.bytes[from..<min(held.bytes.count, from + count)])
            }
            let (next, start) = held.map { ($0.number + 1, $0.start + Int64($0.bytes.count)) } ?? (0, 0)
            guard next < pieces.count else { return [] }
            let bytes = try await fetch(next)
            held = (next, start, bytes)
        }
    }

    private func fetch(_ number: Int) async throws(SourceFault) -> [UInt8] {
        let piece = pieces[number]
        var bytes: [UInt8] = []
        if let head = piece.head, number == 0 || pieces[number - 1].head != head { bytes = try await calls.bytes(of: head) }
        return bytes + (try await calls.sound(of: piece))
    }
}
