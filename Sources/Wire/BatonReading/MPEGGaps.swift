/// The exact length of MPEG sound, without the silence that encoders add at both ends and decoders remove.
///
/// The encoder writes it to a frame before the sound (`Xing` or `Info`, extended by LAME). libavformat includes the silence: a book of 200
/// files would be ten seconds longer than its playback.
package enum MPEGGaps {
    /// Number of bytes of a frame that suffice.
    package static let most = 256
    private static let encoders = ["LAME", "Lavf", "Lavc"]
    /// Offset of the two lengths from the encoder's name.
    private static let gapsAt = 21

    /// Position of the first frame, behind an ID3 tag if there is one.
    package static func frameStart(_ beginning: [UInt8]) -> Int64 {
        guard beginning.count >= 10, beginning.starts(with: Array("ID3".utf8)) else { return 0 }
        let size = beginning[6..<10].reduce(0) { $0 << 7 | Int64($1 & 0x7F) }
        return 10 + size + (beginning[5] & 0b0001_0000 == 0 ? 0 : 10)
    }

    /// `nil` if the frame does not contain it.
    package static func lengthUs(_ frame: [UInt8]) -> Int64? {
        guard let header = SoundHeader.mpeg(frame), header.layer == 3 else { return nil }
        let isHalf = frame[1] & 0b0000_1000 == 0
        let side = header.channels == 1 ? (isHalf ? 9 : 17) : (isHalf ? 17 : 32)
        var at = 4 + side
        guard ["Xing", "Info"].contains(text(frame, at)), let flags = number(frame, at + 4, bytes: 4), flags & 1 == 1,
            let frames = number(frame, at + 8, bytes: 4)
        else { return nil }
        at += 12
        for (flag, length) in [(2, 4), (4, 100), (8, 4)] where flags & flag != 0 { at += length }
        guard encoders.contains(text(frame, at)), let gaps = number(frame, at + gapsAt, bytes: 3) else { return nil }
        let samples = frames * (isHalf ? 576 : 1152) - (gaps >> 12) - (gaps & 0xFFF)
        return samples > 0 ? Int64(samples) * 1_000_000 / Int64(header.rate) : nil
    }

    private static func text(_ bytes: [UInt8], _ at: Int) -> String { String(decoding: bytes.dropFirst(at).prefix(4), as: UTF8.self) }

    private static func number(_ bytes: [UInt8], _ at: Int, bytes count: Int) -> Int? {
        guard at + count <= bytes.count else { return nil }
        return bytes[at..<at + count].reduce(0) { $0 << 8 | Int($1) }
    }
}
