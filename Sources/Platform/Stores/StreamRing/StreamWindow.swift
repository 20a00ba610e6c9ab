/// The last bytes of a stream, with their titles and the positions where a decoder can start. A value, which the ring guards.
import BatonSeams

struct StreamWindow {
    private(set) var start: Int64
    private(set) var end: Int64
    private let mostBytes: Int
    /// Chunks in order; only the first one may be cut at its beginning.
    private var chunks: [[UInt8]] = []
    private var firstChunk = 0
    /// Position of the first chunk.
    private var chunkStart: Int64
    private var titles: [(at: Int64, text: String)] = []
    private var entries: [(at: Int64, head: [UInt8])] = []
    private var beginsAnywhere = true

    /// Minimum distance of entries.
    private static let betweenEntries: Int64 = 16 * 1024

    init(mostBytes: Int, from position: Int64 = 0) {
        self.mostBytes = mostBytes
        (start, end, chunkStart) = (position, position, position)
    }

    mutating func append(_ piece: StreamPiece) {
        for title in piece.titles where title.text != titles.last?.text { titles.append((end + Int64(title.at), title.text)) }
        for entry in piece.entries {
            beginsAnywhere = false
            let at = end + Int64(entry.at)
            if let last = entries.last, at - last.at < Self.betweenEntries, last.head == entry.head { continue }
            entries.append((at, entry.head))
        }
        guard !piece.sound.isEmpty else { return }
        chunks.append(piece.sound)
        end += Int64(piece.sound.count)
        dropOld()
    }

    private mutating func dropOld() {
        while end - chunkStart - Int64(chunks[firstChunk].count) >= Int64(mostBytes) {
            chunkStart += Int64(chunks[firstChunk].count)
            chunks[firstChunk] = []
            firstChunk += 1
        }
        if firstChunk > 64, firstChunk * 2 > chunks.count {
            chunks.removeFirst(firstChunk)
            firstChunk = 0
        }
        start = chunkStart
        // The last title before the window applies at its beginning.
        if let first = titles.lastIndex(where: { $0.at <= start }), first > 0 { titles.removeFirst(first) }
        if let first = entries.firstIndex(where: { $0.at >= start }) {
            if first > 0 { entries.removeFirst(first) }
        } else {
            entries = Array(entries.suffix(1))
        }
    }

    /// At most `count` bytes from `position`, up to the next title. Empty for positions outside of the window.
    func bytes(at position: Int64, count: Int) -> [UInt8] {
        guard position >= start, position < end, count > 0 else { return [] }
        let stop = min(end, position + Int64(count), titles.first { $0.at > position }?.at ?? end)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Int(stop - position))
        var at = chunkStart
        for chunk in chunks[firstChunk...] {
            let next = at + Int64(chunk.count)
            if next > position { bytes += chunk[Int(max(position, at) - at)..<Int(min(stop, next) - at)] }
            at = next
            if at >= stop { break }
        }
        return bytes
    }

    func title(at position: Int64) -> String? { titles.last { $0.at <= position }?.text }

    /// The first position at or after this one at which a decoder may start, or the last one before it.
    func entry(from position: Int64) -> (at: Int64, head: [UInt8]) {
        let position = max(position, start)
        if beginsAnywhere { return (position, []) }
        if let entry = entries.first(where: { $0.at >= position }) ?? entries.last(where: { $0.at >= start }) { return entry }
        return (end, entries.last?.head ?? [])
    }
}
