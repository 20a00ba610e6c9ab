import BatonCore
import BatonSeams

/// Files without their silences as one timeline in libmpv's format (EDL).
///
/// A filter that removes silence would change libmpv's position, from which the position in the book could not be computed. Segments have
/// known positions, so these convert in both directions (`SilenceCuts`). Cuts are inside silences, so that wrong samples of decoders after
/// a seek are not audible.
enum TrimmedTimeline {
    struct Source {
        var address: String
        /// `nil` if it lasts to the end of the file.
        var lengthUs: Microseconds?
        /// Time stamp of the first sample.
        var beginUs: Microseconds
    }

    /// Written as bytes and not as strings, since a book of 20 hours has ten thousand segments and this runs on the loop.
    static func target(_ sources: [Source], _ cuts: SilenceCuts) -> String {
        // Without this word each segment would be a chapter, and libmpv would store and report thousands of them.
        var text = Array("edl://!no_chapters".utf8)
        text.reserveCapacity(cuts.cuts.count * 64)
        var startUs: Microseconds = 0
        var rest = cuts.cuts[...]
        for source in sources {
            let address = Array(PartedTimeline.quoted(source.address).utf8)
            let endUs = source.lengthUs.map { startUs + $0 }
            var fromUs = startUs
            while let cut = rest.first, endUs.map({ Microseconds(cut.lowerBound) < $0 }) ?? true {
                add(from: fromUs, to: Microseconds(cut.lowerBound), of: startUs, source, address, to: &text)
                fromUs = max(fromUs, Microseconds(cut.upperBound))
                // The cut continues in the next file.
                if let endUs, Microseconds(cut.upperBound) > endUs { break }
                rest = rest.dropFirst()
            }
            add(from: fromUs, to: endUs, of: startUs, source, address, to: &text)
            startUs = endUs ?? startUs
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Adds a segment, unless it is empty. Without a start libmpv begins at the file's first sample, whatever its time stamp.
    private static func add(
        from fromUs: Microseconds, to endUs: Microseconds?, of startUs: Microseconds, _ source: Source, _ address: [UInt8],
        to text: inout [UInt8]
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

    private static func add(seconds us: Microseconds, to text: inout [UInt8]) {
        var rest = us.count
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
    /// Converts libmpv's position to the item's.
    func itemUs(_ playerUs: Double) -> Double {
        guard let trim = playable.trim else { return playerUs + Double(shiftUs) }
        return Double(trim.cuts.itemUs(ofLeftUs: Microseconds(playerUs.rounded())))
    }

    /// Converts the item's position to libmpv's.
    func playerUs(_ itemUs: Microseconds) -> Microseconds {
        guard let trim = playable.trim else { return itemUs - shiftUs }
        return trim.cuts.leftUs(ofItemUs: itemUs)
    }
}
