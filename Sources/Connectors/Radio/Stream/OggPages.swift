/// Takes an Ogg stream apart into pages: names those at which a decoder may begin, and the title of each stream of the chain, which
/// begins with the first page of its head. A value; the bytes may come in pieces of any size.
///
/// Bytes are given on with the page that they belong to, and those of a head once its title is known.
import BatonCore
import BatonSeams

struct OggPages {
    private var held: [UInt8] = []
    /// Titles that begin in `held`.
    private var titles: [StreamPiece.Title] = []
    /// Where the next page begins in `held`.
    private var next = 0
    /// Where the head begins in `held` whose title is not known yet.
    private var headStart: Int?
    private var head = OggHead()
    private var comments = OggComments()
    private var hadTitle = false

    /// `new` may bring titles of its own.
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

    /// What is left when the stream is over.
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
            // A stream that never said a title may have those that were sent beside it.
            if let text = title ?? (hadTitle ? "" : nil) { titles.append(StreamPiece.Title(at: start, text)) }
            hadTitle = hadTitle || title != nil
            headStart = nil
        } else if next - start > OggHead.mostBytes {
            headStart = nil
        }
    }

    /// The pages of a head stand together.
    private var isInHead: Bool { headStart != nil }

    /// A break in the stream: goes on with what may be the next page.
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
