import BatonCore
import BatonProtocol

/// The book tags of a row, as members of the row itself.
extension BookTags {
    private static let mostNarrators = 4
    private static let limit = DisplayText(bytes: 256)

    func encodeMembers(into row: inout JSONWriter) {
        if !series.isEmpty { row.member("series", row.shown(series, Self.limit)) }
        if !number.isEmpty { row.member("number", row.shown(number, DisplayText(bytes: 16))) }
        let narrators = narrators.prefix(Self.mostNarrators)
        if !narrators.isEmpty { row.member("narrators", narrators.map { row.shown($0, Self.limit) }) }
    }

    /// `nil` if the row has no book tags.
    init?(from fields: Fields) throws(ProtocolFault) {
        self.init(
            narrators: try fields.texts("narrators") ?? [], series: try fields.text("series") ?? "",
            number: try fields.text("number") ?? "")
        if self == BookTags() { return nil }
    }
}
