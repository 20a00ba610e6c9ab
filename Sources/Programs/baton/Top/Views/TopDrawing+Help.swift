/// Draws all keys, in as many columns as fit.
extension TopDrawing {
    private static let nameWidth = 10
    private static let columnWidth = 38

    mutating func drawHelp() {
        let area = Self.helpArea(layout)
        let columns = max(1, area.width / Self.columnWidth)
        let lines = helpLines(in: area)
        let width = area.width / columns
        let first = model.helpTop * columns
        edit { frame in
            for (at, line) in lines.dropFirst(first).prefix(area.height * columns).enumerated() {
                let (column, row) = (at / area.height * width, area.row + at % area.height)
                let isHeading = line.says.isEmpty
                frame.put(line.name, row: row, column: column, look: isHeading ? .bold : .green, limit: isHeading ? width : Self.nameWidth)
                frame.put(line.says, row: row, column: column + Self.nameWidth, look: .plain, limit: width - Self.nameWidth - 1)
            }
        }
    }

    private static func helpArea(_ layout: TopLayout) -> Area {
        Area(1, 0, height: max(1, layout.progress.row - 1), width: layout.progress.width)
    }

    /// The lines of the help. Headings and empty lines are left out if they would push keys off the screen.
    private func helpLines(in area: Area) -> [(name: String, says: String)] {
        let whole = lines(withGroups: true)
        return whole.count <= area.height * max(1, area.width / Self.columnWidth) ? whole : lines(withGroups: false)
    }

    /// The number of rows by which the help can be scrolled.
    var mostHelp: Int {
        let area = Self.helpArea(layout)
        let columns = max(1, area.width / Self.columnWidth)
        return max(0, (helpLines(in: area).count + columns - 1) / columns - area.height)
    }

    private func lines(withGroups: Bool) -> [(name: String, says: String)] {
        TopKey.groups.enumerated().flatMap { at, group in
            (withGroups ? (at > 0 ? [("", "")] : []) + [(group.title, "")] : []) + group.keys.map { ($0.name, $0.says) }
        }
    }
}
