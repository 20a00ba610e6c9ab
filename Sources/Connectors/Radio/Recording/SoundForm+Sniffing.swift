/// What the sound of a station is, told from the sound itself: what was kept on disk has no name.
extension SoundForm {
    /// So many frames in a row are no chance.
    private static let enoughFrames = 3
    private static let enoughPackets = 4
    private static let packetBytes = 188

    /// `nil` when it is none that can be cut.
    init?(of sound: [UInt8]) {
        guard let form = [SoundForm.ogg, .mpeg, .adts].first(where: { Self.has(enoughFrames: $0, in: sound) }) else {
            guard Self.isTransport(sound) else { return nil }
            self = .bytes
            return
        }
        self = form
    }

    /// The ending of a file of it.
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

    /// Packets of an MPEG transport stream, as HLS sends it.
    private static func isTransport(_ sound: [UInt8]) -> Bool {
        sound.prefix(packetBytes).indices.contains { start in
            (0..<enoughPackets).allSatisfy { packet in
                let at = start + packet * packetBytes
                return at < sound.endIndex && sound[at] == 0x47
            }
        }
    }
}
