import BatonCore
import BatonKernel
import BatonSeams

/// The last half minute of a stream, shared by its listeners.
///
/// A value. A listener stores the number of its next piece, so a slow one costs no memory. One that falls behind the stored
/// pieces loses its connection, without an effect on the others.
struct StreamPieces {
    struct Piece: Equatable {
        var bytes: [UInt8]
        /// The title that plays in it.
        var title: String
        /// The header for a listener that begins with this piece.
        var head: [UInt8]
    }

    private var pieces: [Piece] = []
    /// The number of the first stored piece.
    private(set) var first = 0
    /// The header of the current part of the stream.
    private var head: [UInt8] = []

    static let pieceMs: Milliseconds = 250
    static let kept = 120
    /// Number of pieces that a new listener gets at once, to fill its player's buffer.
    static let burst = 8

    var next: Int { first + pieces.count }

    /// The number of the first piece for a new listener.
    var start: Int { max(first, next - Self.burst) }

    mutating func add(_ piece: EncodedPiece, title: String) {
        pieces.append(Piece(bytes: piece.bytes + piece.head, title: title, head: head))
        if !piece.head.isEmpty { head = piece.head }
        guard pieces.count > Self.kept else { return }
        pieces.removeFirst()
        first += 1
    }

    enum Found: Equatable {
        case piece(Piece)
        /// A piece that is not made yet.
        case later
        /// A piece that is not stored any more.
        case lost
    }

    subscript(number: Int) -> Found {
        if number < first { return .lost }
        return number < next ? .piece(pieces[number - first]) : .later
    }
}
