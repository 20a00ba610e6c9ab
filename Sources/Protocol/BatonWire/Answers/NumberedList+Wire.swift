package import BatonProtocol

/// A list that is answered in pages, with a number of rows as its cursor.
package protocol NumberedList {
    associatedtype Row: ListedRow
    /// Under which name the rows stand.
    static var member: StaticString { get }
    var rows: [Row] { get }
    var cursor: String? { get }
    var total: Int { get }
    init(_ rows: [Row], cursor: String?, total: Int)
}

package protocol ListedRow {
    func encodeMembers(into writer: inout JSONWriter)
    init(from fields: Fields) throws(ProtocolFault)
}

extension NumberedList {
    /// Rows that do not fit into a page are left out; the client asks for them from there.
    package func encode(into writer: inout JSONWriter, bytes: Int) {
        let end = writer.count + bytes
        writer.object { page in
            page.member("total", total)
            let written = page.member(Self.member, rows, upTo: end, atLeast: 1) { row, list in list.object(row.encodeMembers) }
            page.member("cursor", ifPresent: written == rows.count ? cursor : cursor(after: written))
        }
    }

    /// The page's own cursor names the row behind its last one.
    private func cursor(after written: Int) -> String? {
        let end = cursor.flatMap { Int($0) } ?? total
        return String(end - rows.count + written)
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(result: value)
        let member = "\(Self.member)"
        guard fields.has(member) else { throw fields.missing(member) }
        self.init(
            try fields.cappedList(member, Row.init(from:)).elements, cursor: try fields.text("cursor"),
            total: try fields.count("total") ?? 0)
    }
}
