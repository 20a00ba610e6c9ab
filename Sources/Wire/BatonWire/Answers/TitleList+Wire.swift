import BatonCore
package import BatonProtocol

/// The JSON form of `TitleList` and its parts.
extension TitleList {
    private static let mostGaps = 100
    private static let gapBytes = 48

    /// Writes the newest titles that fit into a page, and the number of the others.
    package func encode(into writer: inout JSONWriter, bytes: Int) {
        let gaps = gaps.suffix(Self.mostGaps)
        let end = writer.count + bytes - gaps.count * Self.gapBytes
        let shown = rows.suffix(fitting(end - writer.count - 128))
        writer.object { page in
            page.member("now", nowMs)
            page.member("from", ifPresent: fromMs)
            page.member("to", ifPresent: toMs)
            page.member("titles", array: { list in for row in shown { list.object(row.encodeMembers) } })
            if !gaps.isEmpty { page.member("gaps", array: { list in for gap in gaps { list.object(gap.encodeMembers) } }) }
            let left = more + rows.count - shown.count
            if left > 0 { page.member("more", left) }
        }
    }

    /// Number of the newest titles that fit.
    private func fitting(_ bytes: Int) -> Int {
        var left = bytes
        return rows.reversed().prefix { row in
            left -= JSONWriter.bytes { $0.object(row.encodeMembers) }.count + 1
            return left >= 0
        }.count
    }
}
