/// Detects the format of a station's sound from its bytes, because sound in the buffer on disk has no name.
extension SoundForm {
    /// Consecutive frames that count as proof of the format.
    private static let enoughFrames = 3
    private static let enoughPackets = 4
    private static let packetBytes = 188

    /// The format; `nil` if the sound cannot be cut.
    init?(of sound: [UInt8]) {
        guard let form = [SoundForm.ogg, .mpeg, .adts].first(where: { Self.has(enoughFrames: $0, in: sound) }) else {
            guard Self.isTransport(sound) else { return nil }
            self = .bytes
            return
        }
        self = form
    }

    /// The suffix of a file in this format.
    var suffix: String {
        switch self {
        case .mpeg: "mp3"
        case .adts: "aac"
        case .ogg: "ogg"
        case .bytes: "ts"
        }
    }

    private static func has(enoughFrames form: SoundForm, in sound: [UInt8]) -> Bool {
        sound.indices.contains { start in
            var at = start
            for _ in 0..<enoughFrames {
                guard at < sound.endIndex, case .length(let length) = SoundFrame(sound[at...], form) else { return false }
                at += length
            }
            return true
        }
    }

    /// Whether these are packets of an MPEG transport stream, as HLS sends it.
    private static func isTransport(_ sound: [UInt8]) -> Bool {
        sound.prefix(packetBytes).indices.contains { start in
            (0..<enoughPackets).allSatisfy { packet in
                let at = start + packet * packetBytes
                return at < sound.endIndex && sound[at] == 0x47
            }
        }
    }
}
