/// A name for comparing: equal where two people would say that it is the same name, whatever its case and the form of its accents.
///
/// This is canonical caseless matching (Unicode D145). Strings of Swift are equal where they are canonically equivalent, so only the folding of case is
/// done here. The standard library has no table for that. Lowering, raising and lowering a letter gives its folded form, except for ı.
package struct CaselessName: Hashable, Sendable {
    private let folded: String

    /// The name as people wrote it.
    package init(_ name: String) {
        if name.utf8.allSatisfy({ $0 < 0x80 }) {
            folded = name.lowercased()
            return
        }
        var folded = String.UnicodeScalarView()
        for character in name {
            var iotas = 0
            for scalar in character.unicodeScalars {
                // An iota below a letter becomes a letter behind all marks, wherever it was written among them.
                if scalar == "\u{345}" { iotas += 1 } else { Self.fold(scalar, into: &folded) }
            }
            for _ in 0..<iotas { folded.append("\u{3B9}") }
        }
        self.folded = String(folded)
    }

    private static func fold(_ scalar: Unicode.Scalar, into folded: inout String.UnicodeScalarView) {
        // A small i without a dot stays apart from one with a dot, though its capital is that of both.
        guard scalar != "\u{131}" else { return folded.append(scalar) }
        for lower in scalar.properties.lowercaseMapping.unicodeScalars {
            for upper in lower.properties.uppercaseMapping.unicodeScalars {
                folded.append(contentsOf: upper.properties.lowercaseMapping.unicodeScalars)
            }
        }
    }
}
