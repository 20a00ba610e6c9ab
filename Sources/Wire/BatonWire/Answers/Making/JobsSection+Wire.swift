import BatonCore
package import BatonProtocol

/// The JSON form of `JobsSection`.
extension JobsSection {
    /// Writes the rows that fit into the section, and counts the unfinished ones among those left out.
    package func encode(into writer: inout JSONWriter) {
        let end = writer.count + Self.section.cap - 32
        writer.object { section in
            let written = section.member("jobs", rows, upTo: end, atLeast: 1) { row, list in list.object(row.encodeMembers) }
            let left = rows.dropFirst(written).count { !$0.state.isOver } + more
            if left > 0 { section.member("more", left) }
        }
    }
}
