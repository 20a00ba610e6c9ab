/// Parses the length of frames: MPEG audio, AAC in ADTS, and Ogg pages. Recordings are cut between frames.
import BatonCore

enum SoundForm: Equatable, Sendable {
    case mpeg, adts, ogg
    /// Any other format, which is cut at the byte where a title begins.
    case bytes

    /// The format by the suffix of the stream's name.
    init(named name: String) {
        switch name.split(separator: ".").last.map(String.init) {
        case "mp3": self = .mpeg
        case "aac": self = .adts
        case "ogg": self = .ogg
        default: self = .bytes
        }
    }

    /// The least number of bytes from which a frame's length is known.
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
    /// More bytes are needed.
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
