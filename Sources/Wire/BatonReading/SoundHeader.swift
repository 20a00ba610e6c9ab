/// Rate, channels and bits of FLAC and MPEG sound, read from the first bytes.
///
/// libavformat decodes the beginning to get these figures, which doubles the cost of reading a file; the header has them in a few bytes.
package struct SoundHeader: Equatable, Sendable {
    package var rate: Int
    package var channels: Int
    package var bits: Int?
    /// The layer, and the bit rate of this frame; for MPEG only.
    package var layer: Int?
    package var bitRate: Int?

    /// Parses the first block of a FLAC stream (34 bytes).
    package static func flac(_ block: [UInt8]) -> SoundHeader? {
        guard block.count >= 18 else { return nil }
        let rate = Int(block[10]) << 12 | Int(block[11]) << 4 | Int(block[12]) >> 4
        guard rate > 0 else { return nil }
        let channels = Int(block[12]) >> 1 & 7 + 1
        let bits = (Int(block[12]) & 1) << 4 | Int(block[13]) >> 4 + 1
        return SoundHeader(rate: rate, channels: channels, bits: bits)
    }

    /// Parses the first four bytes of an MPEG frame.
    package static func mpeg(_ head: [UInt8]) -> SoundHeader? {
        guard head.count >= 4, head[0] == 0xFF, head[1] & 0xE0 == 0xE0 else { return nil }
        let version = Int(head[1]) >> 3 & 3
        let layer = 4 - Int(head[1]) >> 1 & 3
        let rateIndex = Int(head[2]) >> 2 & 3
        let bitIndex = Int(head[2]) >> 4
        guard version != 1, layer != 4, rateIndex != 3, bitIndex != 15 else { return nil }
        let rate = [44_100, 48_000, 32_000][rateIndex] >> (version == 3 ? 0 : version == 2 ? 1 : 2)
        let kilobits = (version == 3 ? bitRates : halfBitRates)[layer - 1][bitIndex]
        // The free format does not state its bit rate.
        return SoundHeader(
            rate: rate, channels: head[3] >> 6 == 3 ? 1 : 2, layer: layer, bitRate: kilobits == 0 ? nil : kilobits * 1_000)
    }

    /// Kilobits a second, layer by layer: MPEG 1, and the lower rates of 2 and 2.5.
    private static let bitRates = [
        [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
        [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
        [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
    ]
    private static let halfBitRates = [
        [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
        [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
        [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    ]
}
