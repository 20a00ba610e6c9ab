import BatonCore
import BatonSeams

/// A joint between two places of one track: the rest follows from another source without a gap.
///
/// With the option `start`, libmpv opens the file and then seeks, and a seek empties the output: a few tenths of a second of the first
/// source would be lost. So the rest is opened as a segment of the file, which begins at libmpv's own zero. It begins a little early,
/// because decoders of MP3, AAC and Vorbis first give wrong samples, and a filter removes that part.
struct Joint: Equatable {
    /// The start of the rest, in the item.
    let startUs: Microseconds
    /// The same start in the file, minus the part that is removed.
    private let fileUs: Microseconds
    private let removedUs: Microseconds
    /// The end of the item in the file, if the item is a part of it.
    private let endUs: Microseconds?

    /// Duration with a whole number of samples at every usual rate.
    private static let warmUpUs: Microseconds = 200_000
    /// Length of a segment that runs to the end of its file. The length that libmpv estimates may be too short and would cut the music.
    private static let foreverUs: Microseconds = 1_000_000 * 1_000_000

    /// `beginUs` is the time stamp of the file's first sample. libmpv counts from it, except in segments.
    init(_ playable: Playable, startUs: Microseconds, beginUs: Microseconds) {
        self.startUs = startUs
        let wantedUs = Playable.cutUs(ms: playable.offsetMs) + startUs
        removedUs = min(Self.warmUpUs, wantedUs)
        fileUs = beginUs + wantedUs - removedUs
        endUs = playable.endMs.map { beginUs + Playable.cutUs(ms: $0) }
    }

    /// Offset to add to libmpv's position.
    var shiftUs: Microseconds { startUs - removedUs }

    /// The file at this address as a segment.
    func target(_ address: String) -> String {
        let lengthUs = endUs.map { max(0, $0 - fileUs) } ?? Self.foreverUs
        return "edl://\(PartedTimeline.quoted(address)),start=\(Playable.plainSeconds(us: fileUs)),length=\(Playable.seconds(us: lengthUs))"
    }

    var options: [MPVNode.Pair] { Self.opening.map { MPVNode.Pair(key: $0.name, value: .text($0.value)) } }

    /// Filter that removes the sound before the joint.
    var filter: String? { removedUs > 0 ? "atrim=start=\(Playable.plainSeconds(us: removedUs))" : nil }

    /// Options for segments: they need another demuxer, which refers to the file.
    static let opening = [PlayerOption("demuxer", "edl"), PlayerOption("access-references", "yes")]
    /// Options for all other files.
    static let usual = [PlayerOption("demuxer", "lavf"), PlayerOption("access-references", "no")]
}
