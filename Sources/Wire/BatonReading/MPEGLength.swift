/// The length of MPEG sound that does not state it.
///
/// With a constant bit rate, the length follows from the size. If frames in the middle have another bit rate than the first, that would be
/// wrong by minutes, and a book would lose the end of a file; then all frames are counted.
package enum MPEGLength {
    private static let piece = 65_536
    private static let mostBytes: Int64 = 1 << 30

    /// `nil` if the size is enough. `start` is the place of the first frame, and `bytes` reads at most the given number of bytes at a place
    /// of the file.
    package static func countedUs(from start: Int64, to end: Int64, _ bytes: (Int64, Int) -> [UInt8]) -> Int64? {
        guard end - start > Int64(4 * piece), end - start <= mostBytes, let first = frame(bytes(start, 4)[...])?.bitRate else { return nil }
        let isSteady = (1...3).allSatisfy { quarter in
            let found = firstFrame(in: bytes(start + (end - start) / 4 * Int64(quarter), piece))
            return found.map { $0.bitRate == first } ?? true
        }
        return isSteady ? nil : count(from: start, to: end, bytes)
    }

    private static func count(from start: Int64, to end: Int64, _ bytes: (Int64, Int) -> [UInt8]) -> Int64 {
        var samples: [Int: Int64] = [:]
        var at = start
        while at < end - 4 {
            let piece = bytes(at, Int(min(Int64(piece), end - at)))
            guard piece.count >= 4 else { break }
            var place = 0
            // Bytes that do not start a frame are skipped one by one.
            while place + 4 <= piece.count {
                if let frame = frame(piece[place...]) {
                    samples[frame.rate, default: 0] += Int64(frame.samples)
                    place += frame.length
                } else {
                    place += 1
                }
            }
            at += Int64(place)
        }
        return samples.reduce(0) { $0 + $1.value * 1_000_000 / Int64($1.key) }
    }

    private struct Frame {
        var bitRate: Int
        var rate: Int
        var samples: Int
        var length: Int
    }

    /// Two bytes that look like the start of a frame are frequent in sound, so a frame counts only if another one follows it.
    private static func firstFrame(in piece: [UInt8]) -> Frame? {
        piece.indices.lazy.compactMap { place -> Frame? in
            guard piece[place] == 0xFF, let found = frame(piece[place...]), let next = frame(piece.dropFirst(place + found.length)) else {
                return nil
            }
            return next.rate == found.rate ? found : nil
        }.first
    }

    private static func frame(_ bytes: ArraySlice<UInt8>) -> Frame? {
        let head = Array(bytes.prefix(4))
        guard let header = SoundHeader.mpeg(head), let bitRate = header.bitRate, let layer = header.layer else { return nil }
        let isHalf = head[1] & 0b0000_1000 == 0
        let samples = layer == 1 ? 384 : layer == 3 && isHalf ? 576 : 1152
        let padding = Int(head[2] >> 1 & 1)
        // Slots of layer 1 have four bytes.
        let length = layer == 1 ? (12 * bitRate / header.rate + padding) * 4 : samples / 8 * bitRate / header.rate + padding
        return length > 4 ? Frame(bitRate: bitRate, rate: header.rate, samples: samples, length: length) : nil
    }
}
