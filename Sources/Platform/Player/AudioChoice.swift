/// Where a player's sound goes: what `--audio` says.
package enum AudioChoice: Equatable, Sendable {
    /// The player finds a device by itself.
    case auto
    /// Nothing is heard, but time passes as if it were.
    case null
    /// Raw samples, 16 bit and in the rate and channels of what plays, appended to a file or written
    /// to a named pipe. Not timed: as fast as they are taken.
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

    /// What people are told when it cannot be opened; `nil` where nothing can go wrong.
    var trouble: String? {
        switch self {
        case .auto: "No audio device could be opened, so nothing is heard."
        case .null: nil
        case .pcm(let file): "The audio file “\(file)” cannot be written, so nothing is kept."
        case .device(let name): "The audio device “\(name)” cannot be opened, so nothing is heard."
        }
    }
}
