/// How good the sound of one place of a track is, for choosing between several: without loss before any bitrate, then the higher
/// bitrate. What a source says nothing of comes last.
package struct SoundQuality: Equatable, Sendable {
    package var isLossless: Bool
    /// In kbit/s.
    package var bitrate: Int?

    package init(isLossless: Bool, bitrate: Int? = nil) {
        self.isLossless = isLossless
        self.bitrate = bitrate
    }

    /// By the suffix of a file's name, in lower case and without the dot, as servers tell it.
    package init(suffix: String, bitrate: Int? = nil) {
        self.init(isLossless: Self.lossless.contains(suffix), bitrate: bitrate)
    }

    private static let lossless: Set<String> = ["flac", "wav", "wave", "aif", "aiff", "alac", "ape", "wv", "tta", "dsf", "dff"]
}

extension SoundQuality: Comparable {
    package static func < (a: SoundQuality, b: SoundQuality) -> Bool {
        guard a.isLossless == b.isLossless else { return b.isLossless }
        return (a.bitrate ?? 0) < (b.bitrate ?? 0)
    }
}
