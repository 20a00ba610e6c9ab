import BatonKernel
import BatonSeams

/// The last half minute of a stream, which all its listeners share.
///
/// A value. A listener knows the number of the next piece that it wants, so one that is slow costs no memory; one that has fallen behind by more than is kept
/// loses its connection, and the others do not notice.
struct StreamPieces {
    struct Piece: Equatable {
        package var bytes: [UInt8]
        /// What is heard in it.
        package var title: String
        /// What a listener gets before it who begins here.
        var head: [UInt8]
    }

    private var pieces: [Piece] = []
    /// Of the first one that is kept.
    package private(set) var first = 0
    /// Of the part of the stream that goes on.
    private var head: [UInt8] = []

    static let pieceMs = 250
    package static let kept = 120
    /// A new listener gets so many at once, by which its player can begin.
    static let burst = 8

    package var next: Int { first + pieces.count }

    /// Where a new listener begins.
    package var start: Int { max(first, next - Self.burst) }

    package mutating func add(_ piece: EncodedPiece, title: String) {
        pieces.append(Piece(bytes: piece.bytes + piece.head, title: title, head: head))
        if !piece.head.isEmpty { head = piece.head }
        guard pieces.count > Self.kept else { return }
        pieces.removeFirst()
        first += 1
    }

    enum Found: Equatable {
        case piece(Piece)
        /// It has not been made yet.
        case later
        /// It is not kept any more.
        case lost
    }

    package subscript(number: Int) -> Found {
        if number < first { return .lost }
        return number < next ? .piece(pieces[number - first]) : .later
    }
}
