import BatonCore

/// The format and length in the header of a sound file.
enum SoundHead: Equatable {
    case wav(ms: Milliseconds)
    case flac(ms: Milliseconds)
    /// The file is shorter than its header says.
    case cut
    case none

    init(_ head: [UInt8], size: Int64) {
        self = head.starts(with: "fLaC".utf8) ? Self.flac(head) : head.starts(with: "RIFF".utf8) ? Self.wav(head, size) : .none
    }

    /// STREAMINFO is the first block: 20 bits of sample rate, and 36 bits of total samples.
    private static func flac(_ head: [UInt8]) -> SoundHead {
        guard head.count >= 26, head[4] & 0x7F == 0 else { return .none }
        let rate = Int64(head[18]) << 12 | Int64(head[19]) << 4 | Int64(head[20]) >> 4
        let samples = (22..<26).reduce(Int64(head[21] & 0x0F)) { $0 << 8 | Int64(head[$1]) }
        guard rate > 0, samples * 1000 / rate > 0 else { return .none }
        return .flac(ms: Milliseconds(samples * 1000 / rate))
    }

    private static func wav(_ head: [UInt8], _ size: Int64) -> SoundHead {
        guard head.count >= 12, head[8..<12].elementsEqual("WAVE".utf8) else { return .none }
        var place = 12
        var rate: Int64 = 0
        while place + 8 <= head.count {
            let length = Int64(number(head, place + 4))
            if head[place..<place + 4].elementsEqual("fmt ".utf8), place + 20 <= head.count { rate = Int64(number(head, place + 16)) }
            if head[place..<place + 4].elementsEqual("data".utf8) {
                return sound(promised: length, there: size - Int64(place) - 8, rate: rate)
            }
            guard length < Int64(head.count) else { return .none }
            place += 8 + Int(length) + Int(length % 2)
        }
        return .none
    }

    private static func sound(promised: Int64, there: Int64, rate: Int64) -> SoundHead {
        // A program that streams its output leaves such a length; the sound then extends to the end of the file.
        let isOpen = promised == Int64(UInt32.max) || promised == 0
        if !isOpen, promised > there { return .cut }
        let bytes = isOpen ? there : promised
        guard rate > 0, bytes * 1000 / rate > 0 else { return .none }
        return .wav(ms: Milliseconds(bytes * 1000 / rate))
    }

    private static func number(_ bytes: [UInt8], _ at: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 | UInt32(bytes[at + $1]) << (8 * UInt32($1)) }
    }
}
