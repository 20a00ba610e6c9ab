/// Finds the places in an Ogg stream at which a decoder may begin: pages, behind the pages of the stream's head. A station's stream is a
/// chain of such streams, one for each piece, each with a head of its own. A value; the bytes may come in pieces of any size.
import BatonSeams

struct OggPages {
    private var head: [UInt8] = []
    private var isHead = true
    /// The page that is being read.
    private var page: [UInt8] = []

    private static let mostHeadBytes = 256 * 1024
    private static let fixedBytes = 27

    /// The pages that begin in these bytes and are no part of a head.
    mutating func take(_ bytes: [UInt8]) -> [StreamPiece.Entry] {
        var entries: [StreamPiece.Entry] = []
        var at = 0
        while at < bytes.count {
            let wanted = missing
            let piece = bytes[at..<min(bytes.count, at + wanted)]
            let begin = at - page.count
            page += piece
            at += piece.count
            guard piece.count == wanted, missing == 0 else {
                if !isOgg { skip() }
                continue
            }
            // A page that began in an earlier piece is no place in this one.
            if let entry = finish(), begin >= 0 { entries.append(StreamPiece.Entry(at: begin, head: entry)) }
        }
        return entries
    }

    private var isOgg: Bool { zip(page, "OggS".utf8).allSatisfy { $0 == $1 } }

    /// How many bytes the page lacks, as far as that is known.
    private var missing: Int {
        guard page.count >= Self.fixedBytes else { return Self.fixedBytes - page.count }
        let segments = Int(page[26])
        guard page.count >= Self.fixedBytes + segments else { return Self.fixedBytes + segments - page.count }
        let length = page[Self.fixedBytes..<Self.fixedBytes + segments].reduce(0) { $0 + Int($1) }
        return Self.fixedBytes + segments + length - page.count
    }

    /// A break in the stream: looks for the beginning of a page further on.
    private mutating func skip() {
        let next = page.indices.dropFirst().first { zip(page[$0...], "OggS".utf8).allSatisfy { $0 == $1 } }
        page = next.map { Array(page[$0...]) } ?? []
    }

    /// The head, when the page that was read stands behind it.
    private mutating func finish() -> [UInt8]? {
        defer { page = [] }
        let isFirst = page[5] & 2 != 0
        if isFirst, !isHead {
            isHead = true
            head = []
        }
        // Pages of a head have no time.
        let hasTime = page[6..<14].contains { $0 != 0 } && page[6..<14].contains { $0 != 0xFF }
        guard isHead, isFirst || !hasTime else {
            isHead = false
            return head
        }
        if head.count + page.count <= Self.mostHeadBytes { head += page }
        return nil
    }
}
