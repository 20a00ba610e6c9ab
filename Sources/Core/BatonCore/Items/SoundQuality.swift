/// The sound quality of one source of a track, for choosing between several: lossless first, then the higher bitrate. Unknown values come last.
package struct SoundQuality: Equatable, Sendable {
    /// True for codecs that give back each sample, which win over any bitrate.
    package var isLossless: Bool
    /// The bitrate in kbit/s.
    package var bitrate: Int?

    package init(isLossless: Bool, bitrate: Int? = nil) {
        self.isLossless = isLossless
        self.bitrate = bitrate
    }

    /// Judges by the suffix of a file's name, in lower case and without the dot, as servers report it.
    package init(suffix: String, bitrate: Int? = nil) {
        self.init(isLossless: Self.lossless.contains(suffix), bitrate: bitrate)
    }

    private static let lossless: Set<String> = ["flac", "wav", "wave", "aif", "aiff", "alac", "ape", "wv", "tta", "dsf", "dff"]
}

extension SoundQuality: Comparable {
    /// The better quality is the greater one.
    package static func < (a: SoundQuality, b: SoundQuality) -> Bool {
        guard a.isLossless == b.isLossless else { return b.isLossless }
        return (a.bitrate ?? 0) < (b.bitrate ?? 0)
    }
}
