/// The text that is permitted in headers of this program. Names are tokens and values have no control characters, so that one header cannot become
/// two.
package enum HeaderText {
    /// True for a token of RFC 9110, 5.6.2: names of headers, and subprotocols.
    package static func isToken(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 > 32 && $0 < 127 && !"()<>@,;:\\\"/[]?={}".utf8.contains($0) }
    }

    /// True for text without control characters other than tabs.
    package static func isValue(_ text: String) -> Bool { text.utf8.allSatisfy { ($0 >= 32 || $0 == 9) && $0 != 127 } }
}
