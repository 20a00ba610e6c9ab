/// A whole screen of cells. A value: the changes between two frames are drawn.
///
/// All text enters by `put`, which removes characters that a terminal would obey.
struct Frame: Equatable, Sendable {
    let width: Int
    let height: Int
    private(set) var cells: [Cell]
    /// The position of the terminal's cursor; `nil` hides it.
    var cursor: Spot?
    /// A picture that the terminal draws over blank cells.
    var picture: ScreenPicture?

    init(width: Int, height: Int) {
        self.width = max(0, width)
        self.height = max(0, height)
        cells = Array(repeating: .blank, count: self.width * self.height)
    }

    subscript(row: Int, column: Int) -> Cell { cells[row * width + column] }

    /// The text of a row, for tests and for reading saved screens.
    func text(ofRow row: Int) -> String { cells[row * width..<(row + 1) * width].map(\.text).joined() }

    /// Writes text up to the right edge or `limit` columns, with an ellipsis if it is cut. Returns the column after it.
    @discardableResult
    mutating func put(_ text: String, row: Int, column: Int, look: Look = .plain, limit: Int = .max) -> Int {
        guard (0..<height).contains(row), column >= 0, column < width else { return column }
        var at = column
        for glyph in CellText(text).cut(to: max(0, min(limit, width - column))).glyphs {
            let place = row * width + at
            cells[place] = Cell(text: glyph.text, look: look)
            if glyph.columns == 2 { cells[place + 1] = Cell(text: "", look: look) }
            at += glyph.columns
        }
        return at
    }

    /// Right-aligns text in `limit` columns from `column` on.
    mutating func putRight(_ text: String, row: Int, column: Int, look: Look = .plain, limit: Int) {
        put(text, row: row, column: column + max(0, limit - CellText(text).columns), look: look, limit: limit)
    }

    /// Changes the style of cells, such as the selected row.
    mutating func paint(_ area: Area, _ change: (Look) -> Look) {
        for row in area.rows.clamped(to: 0..<height) {
            for column in area.columns.clamped(to: 0..<width) {
                cells[row * width + column].look = change(cells[row * width + column].look)
            }
        }
    }

    /// Sets a cell of a picture made of half blocks.
    mutating func dot(_ row: Int, _ column: Int, upper: RGB, lower: RGB) {
        guard (0..<height).contains(row), (0..<width).contains(column) else { return }
        cells[row * width + column] = Cell(text: "▀", look: Look(ink: .exact(upper), ground: .exact(lower)))
    }
}

/// A position on the screen, counted from 0.
struct Spot: Equatable, Sendable {
    var row: Int
    var column: Int
}

/// A part of the screen.
struct Area: Equatable, Sendable {
    var row: Int
    var column: Int
    var height: Int
    var width: Int

    init(_ row: Int, _ column: Int, height: Int, width: Int) {
        (self.row, self.column) = (row, column)
        (self.height, self.width) = (max(0, height), max(0, width))
    }

    var rows: Range<Int> { row..<row + height }
    var columns: Range<Int> { column..<column + width }
    var isEmpty: Bool { height == 0 || width == 0 }

    func contains(_ spot: Spot) -> Bool { rows.contains(spot.row) && columns.contains(spot.column) }
}

/// A picture that the terminal draws itself.
struct ScreenPicture: Equatable, Sendable {
    /// The id of the picture, which shows whether it has changed.
    var name: String
    var area: Area
    /// The bytes that draw the picture with the cursor at its upper left corner.
    var bytes: [UInt8]

    static func == (one: ScreenPicture, other: ScreenPicture) -> Bool { one.name == other.name && one.area == other.area }
}
