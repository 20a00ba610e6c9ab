/// Text split into cells by the rule of `wcwidth`, which terminals use: each scalar takes no column, one or two.
///
/// Combining marks belong to the cell before them. Characters whose width differs between terminals are simplified,
/// so that the following text is where it should be: joiners and variation selectors are dropped, and flags become
/// letters.
struct CellText {
    struct Glyph: Equatable {
        var text: String
        var columns: Int
    }

    private(set) var glyphs: [Glyph] = []
    private(set) var columns = 0
    /// Limit of marks on a character; more are abuse, and slow for terminals.
    private static let mostMarks = 4

    init(_ text: String) {
        var marks = 0
        for scalar in VisibleText.of(text).unicodeScalars {
            guard let shown = Self.shown(scalar) else { continue }
            let count = Columns.count(shown)
            if count == 0 {
                marks += 1
                if !glyphs.isEmpty, marks <= Self.mostMarks { glyphs[glyphs.count - 1].text.unicodeScalars.append(shown) }
            } else {
                marks = 0
                glyphs.append(Glyph(text: String(Character(shown)), columns: count))
                columns += count
            }
        }
    }

    /// The replacement for a scalar; `nil` if it is dropped.
    private static func shown(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        if scalar.value < 0x7F { return scalar }
        switch scalar.value {
        case 0xFE00...0xFE0F, 0xE0100...0xE01EF: return nil
        case 0x2028, 0x2029: return " "
        case 0x1F1E6...0x1F1FF: return Unicode.Scalar(scalar.value - 0x1F1E6 + 0x41)
        default: return scalar.properties.generalCategory == .format ? nil : scalar
        }
    }

    /// The text, or the part of it that fits, with an ellipsis.
    func cut(to limit: Int) -> CellText {
        guard columns > limit else { return self }
        var taken = self
        while taken.columns > max(0, limit - 1), let last = taken.glyphs.popLast() { taken.columns -= last.columns }
        if limit > 0 {
            taken.glyphs.append(Glyph(text: "…", columns: 1))
            taken.columns += 1
        }
        return taken
    }

    var text: String { glyphs.map(\.text).joined() }
}
