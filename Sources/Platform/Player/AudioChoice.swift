/// The audio output that `--audio` selects for a player.
package enum AudioChoice: Equatable, Sendable {
    /// The player selects a device.
    case auto
    /// No output; playback still takes its time.
    case null
    /// Raw 16-bit samples, in the rate and channels of the source, appended to a file or written to a named pipe. They are written as fast
    /// as they are accepted, without timing.
    case pcm(String)
    /// One device, named as in `pulse/room1`.
    case device(String)

    /// `auto`, `null`, `pcm:FILE` or a device's name; `nil` for anything else.
    package init?(text: String) {
        guard !text.isEmpty, !text.unicodeScalars.contains(where: { $0.value < 32 }) else { return nil }
        switch text {
        case "auto": self = .auto
        case "null": self = .null
        default:
            guard text.hasPrefix("pcm:") else {
                self = .device(text)
                return
            }
            let file = text.dropFirst(4)
            if file.isEmpty { return nil }
            self = .pcm(String(file))
        }
    }

    package var text: String {
        switch self {
        case .auto: "auto"
        case .null: "null"
        case .pcm(let file): "pcm:\(file)"
        case .device(let name): name
        }
    }

    /// The message for people when the output cannot be opened; `nil` if it cannot fail.
    var trouble: String? {
        switch self {
        case .auto: "No audio device could be opened, so nothing is heard."
        case .null: nil
        case .pcm(let file): "The audio file “\(file)” cannot be written, so nothing is kept."
        case .device(let name): "The audio device “\(name)” cannot be opened, so nothing is heard."
        }
    }
}
