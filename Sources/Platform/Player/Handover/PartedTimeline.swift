import BatonCore
import BatonSeams

/// Several files as one timeline in libmpv's format (EDL).
///
/// libmpv opens all of them at once, so a seek opens no file, and it starts a chapter with each. It rounds the times at which parts are
/// cut; without a margin each part would lose a sample at its end. The flag `no_clip`, which cuts nothing, is not an alternative: a seek
/// into a later part is then silent. No part states its start, so that libmpv begins at the file's first sample, whose time stamp is not
/// zero in MP3.
enum PartedTimeline {
    struct Part {
        var address: String
        var title: String
        var lengthUs: Microseconds
    }

    /// Less than half a sample at 48 kHz.
    static let marginUs: Microseconds = 10

    static func target(_ parts: [Part]) -> String {
        "edl://"
            + parts.map { part in
                let length = Playable.plainSeconds(us: max(0, part.lengthUs) + marginUs)
                return "\(quoted(part.address)),length=\(length),title=\(quoted(part.title))"
            }.joined(separator: ";")
    }

    /// The text with its length in bytes in front, so that a title may contain any character.
    static func quoted(_ text: String) -> String { "%\(text.utf8.count)%\(text)" }
}
