/// Text as the cells that it takes, by the rule of `wcwidth` that terminals count by: each scalar by itself has no column, one or two.
///
/// Marks stand in the cell before them. Characters that terminals disagree about are taken apart or left out, so that what follows
/// stands where it is thought to be: joiners and variation selectors are left out, and flags become letters.
struct CellText {
    struct Glyph: Equatable {
        var text: String
        var columns: Int
    }

    private(set) var glyphs: [Glyph] = []
    private(set) var columns = 0
    /// More marks than that on one character are a picture of their own, and slow terminals.
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

    /// What stands for a scalar; `nil` when nothing does.
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
