/// Splits an Ogg stream into pages. It reports the pages at which a decoder may begin, and the title of each chained
/// stream at its first page. A value that accepts pieces of any size.
///
/// Bytes are passed on in whole pages; header pages wait until their title is known.
import BatonCore
import BatonSeams

struct OggPages {
    private var held: [UInt8] = []
    /// Titles at positions in `held`.
    private var titles: [StreamPiece.Title] = []
    /// Offset of the next page in `held`.
    private var next = 0
    /// Offset in `held` of the header whose title is still unknown.
    private var headStart: Int?
    private var head = OggHead()
    private var comments = OggComments()
    private var hadTitle = false

    /// Splits a piece, which may already carry titles from ICY metadata.
    mutating func take(_ new: StreamPiece) -> StreamPiece {
        titles += new.titles.map { StreamPiece.Title(at: $0.at + held.count, $0.text) }
        held += new.sound
        var piece = StreamPiece([])
        reading: while next < held.count {
            switch OggPage.read(held[next...]) {
            case .short: break reading
            case .none: skip()
            case .page(let page):
                guard held.count - next >= page.length else { break reading }
                take(page, &piece)
            }
        }
        give(headStart ?? next, &piece)
        return piece
    }

    /// The remaining bytes at the end of the stream.
    mutating func end() -> StreamPiece {
        var piece = StreamPiece([])
        headStart = nil
        give(held.count, &piece)
        return piece
    }

    private mutating func take(_ page: OggPage, _ piece: inout StreamPiece) {
        let bytes = held[next..<next + page.length]
        if page.isBeginning, !isInHead {
            headStart = next
            comments = OggComments()
        }
        if let entry = head.take(page, bytes) { piece.entries.append(StreamPiece.Entry(at: next, head: entry)) }
        next += page.length
        guard let start = headStart else { return }
        comments.take(page, bytes)
        if case .title(let title) = comments.answer {
            // An Ogg stream without titles of its own keeps the ICY titles.
            if let text = title ?? (hadTitle ? "" : nil) { titles.append(StreamPiece.Title(at: start, text)) }
            hadTitle = hadTitle || title != nil
            headStart = nil
        } else if next - start > OggHead.mostBytes {
            headStart = nil
        }
    }

    /// True while header pages are collected.
    private var isInHead: Bool { headStart != nil }

    /// Continues after a break in the stream with the next possible page.
    private mutating func skip() {
        headStart = nil
        next = held[(next + 1)...].firstIndex(of: OggPage.mark[0]) ?? held.count
    }

    private mutating func give(_ count: Int, _ piece: inout StreamPiece) {
        piece.sound = Array(held[..<count])
        piece.titles = titles.filter { $0.at < count }.sorted { $0.at < $1.at }
        titles = titles.filter { $0.at >= count }.map { StreamPiece.Title(at: $0.at - count, $0.text) }
        held.removeFirst(count)
        next -= min(next, count)
        headStart = headStart.map { $0 - count }
    }
}
