import BatonCore
import BatonSeams

/// Files without their silences as one time line, as libmpv reads it (EDL).
///
/// A filter that removes silence would leave libmpv's position that of what was heard, and nobody could tell where in the book that is.
/// Segments have known places, so positions can be told in both directions (`SilenceCuts`). What is cut off lies inside a silence, so that
/// decoders which give wrong samples behind a seek do so where nothing is to be heard.
enum TrimmedTimeline {
    struct Source {
        var address: String
        /// `nil` is up to its end.
        var lengthUs: Int?
        /// The time stamp of its first sample.
        var beginUs: Int
    }

    static func target(_ sources: [Source], _ cuts: SilenceCuts) -> String {
        var segments: [String] = []
        var startUs = 0
        var rest = cuts.cuts[...]
        for source in sources {
            let endUs = source.lengthUs.map { startUs + $0 }
            var fromUs = startUs
            while let cut = rest.first, endUs.map({ cut.lowerBound * 1000 < $0 }) ?? true {
                segments += segment(source, from: fromUs, to: cut.lowerBound * 1000, of: startUs)
                fromUs = max(fromUs, cut.upperBound * 1000)
                // It goes on in the next file.
                if let endUs, cut.upperBound * 1000 > endUs { break }
                rest = rest.dropFirst()
            }
            segments += segment(source, from: fromUs, to: endUs, of: startUs)
            startUs = endUs ?? startUs
        }
        return "edl://" + segments.joined(separator: ";")
    }

    /// None where nothing is left of it. Without a start libmpv begins at the file's first sample, whatever its time stamp.
    private static func segment(_ source: Source, from fromUs: Int, to endUs: Int?, of startUs: Int) -> [String] {
        if let endUs, endUs <= fromUs { return [] }
        var words = [PartedTimeline.quoted(source.address)]
        if fromUs > startUs { words.append("start=\(Playable.plainSeconds(us: max(0, fromUs - startUs + source.beginUs)))") }
        if let endUs { words.append("length=\(Playable.plainSeconds(us: endUs - fromUs + PartedTimeline.marginUs))") }
        return [words.joined(separator: ",")]
    }
}

extension LoadedEntries.Slot {
    /// Which moment of the item libmpv means.
    func itemUs(_ playerUs: Double) -> Double {
        guard let trim = playable.trim else { return playerUs + Double(shiftUs) }
        return Double(trim.cuts.itemUs(ofLeftUs: Int(playerUs.rounded())))
    }

    /// Where libmpv has a moment of the item.
    func playerUs(_ itemUs: Int) -> Int {
        guard let trim = playable.trim else { return itemUs - shiftUs }
        return trim.cuts.leftUs(ofItemUs: itemUs)
    }
}
