/// The header of one frame of MPEG audio, and the tag that an encoder may write into the first one. A value.
package struct MPEGFrame: Equatable, Sendable {
    package static let headBytes = 4

    /// The length of the whole frame in bytes.
    package let length: Int
    private let layer: Int
    private let hertz: Int
    /// 1 for version 1, 2 for version 2, 4 for version 2.5.
    private let half: Int
    private let isMono: Bool

    /// Bitrates in kbit/s: the layers of version 1, then layer I and the others of versions 2 and 2.5.
    private static let rates: [[Int]] = [
        [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
        [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
        [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
        [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
        [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    ]
    /// The delay of a layer III decoder itself, in samples.
    private static let decoderDelay = 529
    private static let encoders = ["LAME", "Lavf", "Lavc"].map { Array($0.utf8) }

    /// True for the sync bits of an MPEG frame, which also begin AAC frames in ADTS.
    package static func isSync(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.count >= headBytes && bytes[bytes.startIndex] == 0xFF && bytes[bytes.startIndex + 1] & 0xE0 == 0xE0
    }

    /// Reads a header; `nil` where these bytes begin no frame.
    package init?(_ bytes: ArraySlice<UInt8>) {
        guard Self.isSync(bytes) else { return nil }
        let head = Array(bytes.prefix(Self.headBytes))
        let version = head[1] >> 3 & 3
        let rate = Int(head[2] >> 4)
        let sampling = Int(head[2] >> 2 & 3)
        layer = 4 - Int(head[1] >> 1 & 3)
        guard version != 1, layer < 4, 1...14 ~= rate, sampling < 3 else { return nil }
        half = version == 3 ? 1 : version == 2 ? 2 : 4
        hertz = [44_100, 48_000, 32_000][sampling] / half
        isMono = head[3] >> 6 == 3
        let kbit = Self.rates[half == 1 ? layer - 1 : layer == 1 ? 3 : 4][rate - 1]
        let padding = Int(head[2] >> 1 & 1)
        let samples = layer == 3 && half > 1 ? 72_000 : 144_000
        length = layer == 1 ? (12_000 * kbit / hertz + padding) * 4 : samples * kbit / hertz + padding
    }

    /// The offset of the tag in a layer III frame, behind the side information of the channels.
    private var tagPlace: Int { Self.headBytes + (half == 1 ? (isMono ? 17 : 32) : (isMono ? 9 : 17)) }

    /// True for a frame without sound that holds the length and seek table of a file, which would be wrong for a part of it.
    package func isInformation(_ frame: ArraySlice<UInt8>) -> Bool {
        let mark = frame.dropFirst(tagPlace).prefix(4)
        return layer == 3 && (mark.elementsEqual("Xing".utf8) || mark.elementsEqual("Info".utf8))
    }

    /// Microseconds of encoder delay before the music, from the tag of the first frame; 0 where it has none.
    package func startUs(_ frame: ArraySlice<UInt8>) -> Microseconds {
        guard isInformation(frame), frame.count > tagPlace + 8 else { return 0 }
        // Each optional field has a flag bit.
        let flags = Int(frame[frame.startIndex + tagPlace + 7])
        let fields = [(1, 4), (2, 4), (4, 100), (8, 4)].reduce(0) { $0 + (flags & $1.0 == 0 ? 0 : $1.1) }
        let encoder = frame.dropFirst(tagPlace + 8 + fields)
        guard encoder.count >= 24, Self.encoders.contains(where: { encoder.starts(with: $0) }) else { return 0 }
        let at = encoder.startIndex
        let delay = Int(encoder[at + 21]) << 4 | Int(encoder[at + 22]) >> 4
        let samples = delay + Self.decoderDelay
        return Microseconds((samples * 1_000_000 + hertz / 2) / hertz)
    }
}
