/// What may stand in a header that this program sends. Names are tokens and values have no control characters, so that no
/// header can become two.
package enum HeaderText {
    /// A token of RFC 9110, 5.6.2: names of headers, and subprotocols.
    package static func isToken(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 > 32 && $0 < 127 && !"()<>@,;:\\\"/[]?={}".utf8.contains($0) }
    }

    package static func isValue(_ text: String) -> Bool { text.utf8.allSatisfy { ($0 >= 32 || $0 == 9) && $0 != 127 } }
}
