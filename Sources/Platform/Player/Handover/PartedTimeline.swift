import BatonSeams

/// Several files as one time line, as libmpv reads it (EDL).
///
/// libmpv opens all of them at once, so a seek opens no file, and begins a chapter with each. Parts are cut at times
/// that libmpv rounds; without a margin each would lose a sample at its end. The flag `no_clip`, which cuts nothing, is no way out: a
/// seek into a later part is then silent. No part names its start: libmpv then begins at the file's first sample, whose time stamp is not
/// zero in MP3.
enum PartedTimeline {
    struct Part {
        var address: String
        var title: String
        var lengthUs: Int
    }

    /// Less than half a sample at 48,000 in a second.
    static let marginUs = 10

    static func target(_ parts: [Part]) -> String {
        "edl://"
            + parts.map { part in
                let length = Playable.plainSeconds(us: max(0, part.lengthUs) + marginUs)
                return "\(quoted(part.address)),length=\(length),title=\(quoted(part.title))"
            }.joined(separator: ";")
    }

    /// With its length in bytes in front, so that a title may hold any character.
    static func quoted(_ text: String) -> String { "%\(text.utf8.count)%\(text)" }
}
