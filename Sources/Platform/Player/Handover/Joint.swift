import BatonSeams

/// Where the rest of a track is joined to what was heard of it from another place, to the sample.
///
/// With the option `start` libmpv seeks in the file that it has just opened, and a seek empties the output: a few tenths of a second of
/// the first place would be lost. So the rest is opened as a segment of the file, which begins at libmpv's own zero. It begins a little
/// too early, because decoders of MP3, AAC and Vorbis give wrong samples at first, and a filter removes that part again.
struct Joint: Equatable {
    /// Where the rest begins, in the item.
    let startUs: Int
    /// The same in the file, less the part that is removed.
    private let fileUs: Int
    private let removedUs: Int
    /// Where the item ends in the file, when it is a part of it.
    private let endUs: Int?

    /// A whole number of samples at every usual rate.
    private static let warmUpUs = 200_000
    /// For a whole file, whose end stops it: the length that libmpv estimates may be too short and would cut music off.
    private static let foreverUs = 1_000_000 * 1_000_000

    /// `beginUs` is the time stamp of the file's first sample, which libmpv calls zero everywhere but in segments.
    init(_ playable: Playable, startUs: Int, beginUs: Int) {
        self.startUs = startUs
        let wantedUs = Playable.cutUs(ms: playable.offsetMs) + startUs
        removedUs = min(Self.warmUpUs, wantedUs)
        fileUs = beginUs + wantedUs - removedUs
        endUs = playable.endMs.map { beginUs + Playable.cutUs(ms: $0) }
    }

    /// What has to be added to libmpv's position.
    var shiftUs: Int { startUs - removedUs }

    /// A segment of the file with this address.
    func target(_ address: String) -> String {
        let lengthUs = endUs.map { max(0, $0 - fileUs) } ?? Self.foreverUs
        return "edl://\(PartedTimeline.quoted(address)),start=\(Playable.plainSeconds(us: fileUs)),length=\(Playable.seconds(us: lengthUs))"
    }

    var options: [MPVNode.Pair] { Self.opening.map { MPVNode.Pair(key: $0.name, value: .text($0.value)) } }

    /// Removes what stands before the joint.
    var filter: String? { removedUs > 0 ? "atrim=start=\(Playable.plainSeconds(us: removedUs))" : nil }

    /// Segments are opened by another demuxer, and it refers to the file.
    static let opening = [PlayerOption("demuxer", "edl"), PlayerOption("access-references", "yes")]
    /// What all other files are opened with.
    static let usual = [PlayerOption("demuxer", "lavf"), PlayerOption("access-references", "no")]
}
