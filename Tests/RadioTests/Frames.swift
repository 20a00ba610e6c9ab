/// Frames of sound as stations send them, with noise in them.
import BatonCore

@testable import BatonRadio

enum Frames {
    /// Frames of MPEG 1, layer 3, at 44,100 Hz, with sound that looks like a header now and then.
    static func mpeg(_ count: Int, _ random: inout SeededGenerator) -> [[UInt8]] {
        (0..<count).map { _ in
            let rate = UInt8.random(in: 5...11, using: &random)
            let padding = UInt8.random(in: 0...1, using: &random)
            let kbit = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320][Int(rate) - 1]
            let length = 144_000 * kbit / 44_100 + Int(padding)
            return [0xFF, 0xFB, rate << 4 | padding << 1, 0x40] + noise(length - 4, &random)
        }
    }

    static func adts(_ count: Int, _ random: inout SeededGenerator) -> [[UInt8]] {
        (0..<count).map { _ in
            let length = Int.random(in: 20...900, using: &random)
            let last = [UInt8(0x40 | length >> 11), UInt8(length >> 3 & 255), UInt8(length & 7) << 5 | 0x1F, 0xFC]
            return [0xFF, 0xF1, 0x50] + last + noise(length - 7, &random)
        }
    }

    /// A chain: its first page, a page of its head, and pages with sound.
    static func ogg(_ count: Int, _ random: inout SeededGenerator) -> [[UInt8]] {
        (0..<count).map { number in
            let flags: UInt8 = number == 0 ? 2 : 0
            let time: [UInt8] = number < 2 ? [0, 0, 0, 0, 0, 0, 0, 0] : [UInt8(number), 1, 0, 0, 0, 0, 0, 0]
            let lengths = (0..<3).map { _ in UInt8.random(in: 1...200, using: &random) }
            let fixed: [UInt8] = Array("OggS".utf8) + [0, flags] + time + [UInt8](repeating: 7, count: 12) + [3]
            return fixed + lengths + noise(lengths.reduce(0) { $0 + Int($1) }, &random)
        }
    }

    static func noise(_ count: Int, _ random: inout SeededGenerator) -> [UInt8] {
        (0..<max(0, count)).map { _ in UInt8.random(in: 0...20, using: &random) == 0 ? 0xFF : UInt8.random(in: 0...255, using: &random) }
    }

    static func some(_ count: Int, of form: SoundForm, _ random: inout SeededGenerator) -> [[UInt8]] {
        switch form {
        case .mpeg: mpeg(count, &random)
        case .adts: adts(count, &random)
        default: ogg(count / 2, &random) + ogg(count / 2, &random)
        }
    }
}
