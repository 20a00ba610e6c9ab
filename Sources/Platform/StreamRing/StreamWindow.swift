/// The last bytes of a stream, with the titles and the places to begin at that lie in them. A value, which the ring guards.
import BatonSeams

struct StreamWindow {
    private(set) var start: Int64
    private(set) var end: Int64
    private let mostBytes: Int
    /// In order; only the first may have lost its beginning.
    private var chunks: [[UInt8]] = []
    private var firstChunk = 0
    /// Where the first chunk begins.
    private var chunkStart: Int64
    private var titles: [(at: Int64, text: String)] = []
    private var entries: [(at: Int64, head: [UInt8])] = []
    private var beginsAnywhere = true

    /// Entries that lie closer are left out.
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
        // The last title before the window is that of its beginning.
        if let first = titles.lastIndex(where: { $0.at <= start }), first > 0 { titles.removeFirst(first) }
        if let first = entries.firstIndex(where: { $0.at >= start }) {
            if first > 0 { entries.removeFirst(first) }
        } else {
            entries = Array(entries.suffix(1))
        }
    }

    /// Up to so many bytes from there on, and no further than to the next title. Not asked for places outside of the window.
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

    /// The first place at or behind this one at which a decoder may begin; where there is none yet, the last before it.
    func entry(from place: Int64) -> (at: Int64, head: [UInt8]) {
        let place = max(place, start)
        if beginsAnywhere { return (place, []) }
        if let entry = entries.first(where: { $0.at >= place }) ?? entries.last(where: { $0.at >= start }) { return entry }
        return (end, entries.last?.head ?? [])
    }
}
