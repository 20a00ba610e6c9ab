import BatonCore
import BatonSeams
/// Reads the complete records of a segment into an index.
///
/// Only the heads of sound records are read, so that hours of sound are available at once after a restart; the checksum is compared at the
/// first read.
import Disk

extension AppendedFile {
    /// Number of bytes of the file with complete records of sound between the two positions.
    func records(from first: Int64, after start: Int64, before end: Int64, into index: inout SegmentIndex) -> Int64 {
        var position: Int64 = 0
        var (streamPosition, head): (Int64, [UInt8]) = (max(start, first), [])
        while position < size {
            guard let next = SegmentRecord.Head(read(at: position, count: SegmentRecord.headBytes)[...]),
                next.position >= streamPosition || next.kind != .sound,
                next.position + Int64(next.count) <= end, next.position >= first
            else { break }
            let offset = position + Int64(SegmentRecord.headBytes)
            let after = offset + Int64(next.count)
            if next.kind == .sound {
                // A truncated file, or one whose end never reached the disk, ends in the middle of a record.
                guard after < size || after == size && next.fits(read(at: offset, count: next.count)[...]) else { break }
                index.add(
                    SegmentIndex.Stretch(
                        at: next.position, count: Int32(next.count), sum: next.sum, segment: first, offset: offset, timeMs: next.timeMs))
                streamPosition = next.position + Int64(next.count)
            } else {
                var content = read(at: offset, count: next.count)
                guard next.fits(content[...]) else { break }
                if next.kind == .entry {
                    if content.isEmpty { content = head }
                    head = content
                }
                index.note(next.kind, at: next.position, timeMs: next.timeMs, content: content, segment: first, offset: offset)
            }
            position = after
        }
        return position
    }
}

extension SegmentIndex {
    mutating func note(
        _ kind: SegmentRecord.Kind, at streamPosition: Int64, timeMs: Milliseconds, content: [UInt8], segment: Int64, offset: Int64
    ) {
        switch kind {
        case .sound:
            add(Stretch(at: streamPosition, count: Int32(content.count), sum: nil, segment: segment, offset: offset, timeMs: timeMs))
        case .title: add(StreamTitle(at: streamPosition, timeMs: timeMs, String(decoding: content, as: UTF8.self)))
        case .entry: addEntry(at: streamPosition, head: content)
        }
    }
}
