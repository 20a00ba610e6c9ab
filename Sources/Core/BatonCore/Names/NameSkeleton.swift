/// The visual form of a name: two names with equal skeletons are hard to tell apart by eye, such as "paul" with a Latin and with a Cyrillic a.
///
/// Letters that look alike become one (`LookalikeTable`), and invisible characters are left out. Canonically equal texts need no step of their own,
/// because `==` and hashes of `String` treat them as equal.
package struct NameSkeleton: Equatable, Sendable {
    /// The skeleton in lower case, since the case of user names does not count.
    private let folded: String
    /// A skeleton in which capital I and 1 become a small L and 0 becomes O, as in many fonts. A capital L looks like none of them.
    private let written: String

    /// The skeleton of a name as it was written.
    package init(_ name: String) {
        var scalars = String.UnicodeScalarView()
        for scalar in name.unicodeScalars where !scalar.properties.isDefaultIgnorableCodePoint {
            if scalar.properties.isWhitespace {
                scalars.append(" ")
            } else if let plain = Self.plainLetter(scalar) {
                scalars.append(plain)
            } else {
                scalars.append(contentsOf: (LookalikeTable.letters[scalar] ?? String(scalar)).unicodeScalars)
            }
        }
        folded = Self.mapped(String(scalars).lowercased())
        let written = scalars.map { Self.alike[$0] ?? $0 }.map { $0 == "L" ? "L" : String($0).lowercased() }.joined()
        self.written = Self.mapped(written)
    }

    /// Maps lookalikes again for lower-case letters, some of which have one that their capitals lack.
    private static func mapped(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { scalars.append(contentsOf: (LookalikeTable.letters[scalar] ?? String(scalar)).unicodeScalars) }
        return String(scalars)
    }

    /// True for names that could be taken for each other.
    package func isLike(_ other: NameSkeleton) -> Bool { folded == other.folded || written == other.written }

    private static let alike: [Unicode.Scalar: Unicode.Scalar] = ["I": "l", "1": "l", "|": "l", "0": "o"]

    /// The plain letter of a full-width letter, or of a letter or digit of the mathematical alphabets.
    private static func plainLetter(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar.value {
        case 0xFF01...0xFF5E: Unicode.Scalar(scalar.value - 0xFEE0)
        case 0x1D400...0x1D6A3:
            Unicode.Scalar((scalar.value - 0x1D400) % 52 + ((scalar.value - 0x1D400) % 52 < 26 ? 0x41 : 0x61 - 26))
        case 0x1D7CE...0x1D7FF: Unicode.Scalar((scalar.value - 0x1D7CE) % 10 + 0x30)
        default: nil
        }
    }
}
