/// How long the frame is that begins with these bytes: MPEG audio, AAC in ADTS, and pages of Ogg. Pure; a recording is cut between frames.
enum SoundForm: Equatable, Sendable {
    case mpeg, adts, ogg
    /// Any other: it is cut at the byte where a title begins.
    case bytes

    /// By the ending of a stream's name.
    init(named name: String) {
        switch name.split(separator: ".").last.map(String.init) {
        case "mp3": self = .mpeg
        case "aac": self = .adts
        case "ogg": self = .ogg
        default: self = .bytes
        }
    }

    /// Bytes that tell the length of a frame, at least.
    var headerBytes: Int {
        switch self {
        case .mpeg: 4
        case .adts: 7
        case .ogg: 27
        case .bytes: 1
        }
    }
}

enum SoundFrame: Equatable {
    case length(Int)
    /// Too few bytes to tell.
    case short
    case none

    init(_ bytes: ArraySlice<UInt8>, _ form: SoundForm) {
        guard bytes.count >= form.headerBytes else {
            self = .short
            return
        }
        let at = bytes.startIndex
        switch form {
        case .mpeg: self = Self.mpeg(bytes[at], bytes[at + 1], bytes[at + 2])
        case .adts: self = Self.adts(bytes)
        case .ogg: self = Self.ogg(bytes)
        case .bytes: self = .length(1)
        }
    }

    /// In kbit/s, for version 1 and for versions 2 and 2.5, by layer.
    private static let rates: [[Int]] = [
        [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
        [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
        [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
        [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
        [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    ]

    private static func mpeg(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> SoundFrame {
        guard first == 0xFF, second & 0xE0 == 0xE0 else { return .none }
        let version = second >> 3 & 3
        let layer = 4 - Int(second >> 1 & 3)
        let rate = Int(third >> 4)
        let sampling = Int(third >> 2 & 3)
        guard version != 1, layer < 4, 1...14 ~= rate, sampling < 3 else { return .none }
        let isFirst = version == 3
        let kbit = rates[isFirst ? layer - 1 : layer == 1 ? 3 : 4][rate - 1]
        let hertz = [44_100, 48_000, 32_000][sampling] >> (isFirst ? 0 : version == 2 ? 1 : 2)
        let padding = Int(third >> 1 & 1)
        if layer == 1 { return .length((12_000 * kbit / hertz + padding) * 4) }
        return .length((layer == 3 && !isFirst ? 72_000 : 144_000) * kbit / hertz + padding)
    }

    private static func adts(_ bytes: ArraySlice<UInt8>) -> SoundFrame {
        let at = bytes.startIndex
        guard bytes[at] == 0xFF, bytes[at + 1] & 0xF6 == 0xF0, bytes[at + 2] >> 2 & 15 < 13 else { return .none }
        let length = Int(bytes[at + 3] & 3) << 11 | Int(bytes[at + 4]) << 3 | Int(bytes[at + 5] >> 5)
        return length > 7 ? .length(length) : .none
    }

    private static func ogg(_ bytes: ArraySlice<UInt8>) -> SoundFrame {
        let at = bytes.startIndex
        guard bytes.starts(with: "OggS".utf8), bytes[at + 4] == 0 else { return .none }
        let segments = Int(bytes[at + 26])
        guard bytes.count >= 27 + segments else { return .short }
        return .length(27 + segments + bytes[(at + 27)..<(at + 27 + segments)].reduce(0) { $0 + Int($1) })
    }

    /// A frame of MPEG that holds no sound but the length and the seek table of a file, which would be wrong for a part of it.
    static func isInformation(_ frame: ArraySlice<UInt8>) -> Bool {
        let at = frame.startIndex
        guard frame.count > 40, frame[at + 1] & 0x06 == 0x02 else { return false }
        let isFirst = frame[at + 1] >> 3 & 3 == 3
        let isMono = frame[at + 3] >> 6 == 3
        let side = 4 + (isFirst ? (isMono ? 17 : 32) : (isMono ? 9 : 17))
        let mark = frame.dropFirst(side).prefix(4)
        return mark.elementsEqual("Xing".utf8) || mark.elementsEqual("Info".utf8)
    }
}
