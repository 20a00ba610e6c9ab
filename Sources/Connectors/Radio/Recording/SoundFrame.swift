/// How long the frame is that begins with these bytes: MPEG audio, AAC in ADTS, and pages of Ogg. Pure; a recording is cut between frames.
import BatonCore

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
        case .mpeg: MPEGFrame.headBytes
        case .adts: 7
        case .ogg: OggPage.fixedBytes
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
        switch form {
        case .mpeg: self = MPEGFrame(bytes).map { .length($0.length) } ?? .none
        case .adts: self = Self.adts(bytes)
        case .ogg: self = Self.ogg(bytes)
        case .bytes: self = .length(1)
        }
    }

    private static func adts(_ bytes: ArraySlice<UInt8>) -> SoundFrame {
        let at = bytes.startIndex
        guard bytes[at] == 0xFF, bytes[at + 1] & 0xF6 == 0xF0, bytes[at + 2] >> 2 & 15 < 13 else { return .none }
        let length = Int(bytes[at + 3] & 3) << 11 | Int(bytes[at + 4]) << 3 | Int(bytes[at + 5] >> 5)
        return length > 7 ? .length(length) : .none
    }

    private static func ogg(_ bytes: ArraySlice<UInt8>) -> SoundFrame {
        switch OggPage.read(bytes) {
        case .page(let page): .length(page.length)
        case .short: .short
        case .none: .none
        }
    }
}
