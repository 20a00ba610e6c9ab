/// The looks of a name: two names whose skeletons meet are hard to tell apart by eye, such as "paul" with a Latin and with a Cyrillic a.
///
/// Letters that look alike are taken for one (`LookalikeTable`), and what cannot be seen is left out. Texts that Unicode counts as
/// canonically equal need no step of their own: `==` and hashes of `String` hold them for equal.
package struct NameSkeleton: Equatable, Sendable {
    /// In lower case, since users are told apart without regard to case.
    private let folded: String
    /// The same where a capital I and a one are a small L, and a zero is an O, as in many fonts. A capital L looks like none of them.
    private let written: String

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

    /// Once more for small letters: some have a likeness that their capitals do not have.
    private static func mapped(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { scalars.append(contentsOf: (LookalikeTable.letters[scalar] ?? String(scalar)).unicodeScalars) }
        return String(scalars)
    }

    package func isLike(_ other: NameSkeleton) -> Bool { folded == other.folded || written == other.written }

    private static let alike: [Unicode.Scalar: Unicode.Scalar] = ["I": "l", "1": "l", "|": "l", "0": "o"]

    /// Full-width letters, and the alphabets and digits of mathematics, which are the same letters in other dress.
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
