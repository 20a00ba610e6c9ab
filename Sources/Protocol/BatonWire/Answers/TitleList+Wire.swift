import BatonCore
package import BatonProtocol

/// The JSON form of `TitleList` and its parts.
extension TitleList {
    private static let mostGaps = 100
    private static let gapBytes = 48

    /// Writes the newest titles that fit into a page, and the number of the others.
    package func encode(into writer: inout JSONWriter, bytes: Int) {
        let gaps = gapsMs.suffix(Self.mostGaps)
        let end = writer.count + bytes - gaps.count * Self.gapBytes
        let shown = rows.suffix(fitting(end - writer.count - 128))
        writer.object { page in
            page.member("now", nowMs)
            page.member("from", ifPresent: keptMs?.lowerBound)
            page.member("to", ifPresent: keptMs?.upperBound)
            page.member("titles", array: { list in for row in shown { list.object(row.encodeMembers) } })
            if !gaps.isEmpty { page.member("gaps", array: { list in for gap in gaps { Self.encode(gap, into: &list) } }) }
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

    private static func encode(_ gap: Range<Int64>, into list: inout JSONWriter) {
        list.object { one in
            one.member("at", gap.lowerBound)
            one.member("end", gap.upperBound)
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(result: value)
        guard fields.has("titles") else { throw fields.missing("titles") }
        let kept: ClosedRange<Int64>?
        if let from = try fields.int64("from"), let to = try fields.int64("to"), from <= to { kept = from...to } else { kept = nil }
        self.init(
            try fields.cappedList("titles", Row.init(from:)).elements, nowMs: try fields.required("now", fields.int64("now")), keptMs: kept,
            gapsMs: try fields.cappedList("gaps", Self.gap).elements, more: try fields.count("more") ?? 0)
    }

    private static func gap(_ fields: Fields) throws(ProtocolFault) -> Range<Int64> {
        let begin = try fields.required("at", fields.int64("at"))
        return begin..<max(begin, try fields.required("end", fields.int64("end")))
    }
}
