import BatonCore
import BatonSeams

/// Files without their silences as one time line, as libmpv reads it (EDL).
///
/// A filter that removes silence would leave libmpv's position that of what was heard, from which the place in the book cannot be told.
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

    /// A book of 20 hours has ten thousand segments and this runs on the loop, so they are written as bytes and not as strings.
    static func target(_ sources: [Source], _ cuts: SilenceCuts) -> String {
        // Without the word each segment would be a chapter, and libmpv would hold and tell thousands of them.
        var text = Array("edl://!no_chapters".utf8)
        text.reserveCapacity(cuts.cuts.count * 64)
        var startUs = 0
        var rest = cuts.cuts[...]
        for source in sources {
            let address = Array(PartedTimeline.quoted(source.address).utf8)
            let endUs = source.lengthUs.map { startUs + $0 }
            var fromUs = startUs
            while let cut = rest.first, endUs.map({ cut.lowerBound * 1000 < $0 }) ?? true {
                add(from: fromUs, to: cut.lowerBound * 1000, of: startUs, source, address, to: &text)
                fromUs = max(fromUs, cut.upperBound * 1000)
                // It goes on in the next file.
                if let endUs, cut.upperBound * 1000 > endUs { break }
                rest = rest.dropFirst()
            }
            add(from: fromUs, to: endUs, of: startUs, source, address, to: &text)
            startUs = endUs ?? startUs
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// None where nothing is left of it. Without a start libmpv begins at the file's first sample, whatever its time stamp.
    private static func add(
        from fromUs: Int, to endUs: Int?, of startUs: Int, _ source: Source, _ address: [UInt8], to text: inout [UInt8]
    ) {
        if let endUs, endUs <= fromUs { return }
        text.append(UInt8(ascii: ";"))
        text += address
        if fromUs > startUs {
            text += ",start=".utf8
            add(seconds: max(0, fromUs - startUs + source.beginUs), to: &text)
        }
        guard let endUs else { return }
        text += ",length=".utf8
        add(seconds: endUs - fromUs + PartedTimeline.marginUs, to: &text)
    }

    private static func add(seconds us: Int, to text: inout [UInt8]) {
        var rest = us
        var digits: [UInt8] = []
        digits.reserveCapacity(20)
        while rest > 0 || digits.count < 8 {
            if digits.count == 6 { digits.append(UInt8(ascii: ".")) }
            digits.append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        }
        text += digits.reversed()
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
