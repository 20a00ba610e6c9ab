/// The last bytes of a stream, with their titles and the places where a decoder can start. A value, which the ring guards.
import BatonSeams

struct StreamWindow {
    private(set) var start: Int64
    private(set) var end: Int64
    private let mostBytes: Int
    /// Chunks in order; only the first one may be cut at its beginning.
    private var chunks: [[UInt8]] = []
    private var firstChunk = 0
    /// Place of the first chunk.
    private var chunkStart: Int64
    private var titles: [(at: Int64, text: String)] = []
    private var entries: [(at: Int64, head: [UInt8])] = []
    private var beginsAnywhere = true

    /// Minimum distance of entries.
    private static let betweenEntries: Int64 = 16 * 1024

    init(mostBytes: Int, from place: Int64 = 0) {
        self.mostBytes = mostBytes
        (start, end, chunkStart) = (place, place, place)
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

    /// At most `count` bytes from `place`, up to the next title. Empty for places outside of the window.
    func bytes(at place: Int64, count: Int) -> [UInt8] {
        guard place >= start, place < end, count > 0 else { return [] }
        let stop = min(end, place + Int64(count), titles.first { $0.at > place }?.at ?? end)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Int(stop - place))
        var at = chunkStart
        for chunk in chunks[firstChunk...] {
            let next = at + Int64(chunk.count)
            if next > place { bytes += chunk[Int(max(place, at) - at)..<Int(min(stop, next) - at)] }
            at = next
            if at >= stop { break }
        }
        return bytes
    }

    func title(at place: Int64) -> String? { titles.last { $0.at <= place }?.text }

    /// The first place at or after this one at which a decoder may start, or the last one before it.
    func entry(from place: Int64) -> (at: Int64, head: [UInt8]) {
        let place = max(place, start)
        if beginsAnywhere { return (place, []) }
        if let entry = entries.first(where: { $0.at >= place }) ?? entries.last(where: { $0.at >= start }) { return entry }
        return (end, entries.last?.head ?? [])
    }
}
