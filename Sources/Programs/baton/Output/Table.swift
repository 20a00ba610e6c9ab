/// Rows for people: columns below each other on a terminal, tabs between them in a pipe.
struct Table {
    private var rows: [[String]] = []
    private var paints: [Int: (String) -> String] = [:]

    mutating func add(_ cells: [String]) { rows.append(cells.map { VisibleText.of($0) }) }
    mutating func add(_ cells: String...) { add(cells) }

    /// Sets the colour of one column. Colours are added after the widths were computed.
    mutating func paint(column: Int, _ paint: @escaping (String) -> String) { paints[column] = paint }

    /// `width` is the width of the terminal, or `nil` for a pipe.
    func lines(width: Int?) -> [String] {
        guard let width else { return rows.map { $0.joined(separator: "\t") } }
        let widest = (rows.map(\.count).max() ?? 0)
        let widths = (0..<widest).map { column in rows.map { $0.count > column ? Columns.count($0[column]) : 0 }.max() ?? 0 }
        return rows.map { row in line(row, widths, width) }
    }

    private func line(_ row: [String], _ widths: [Int], _ width: Int) -> String {
        var line = ""
        var left = width
        for (column, cell) in row.enumerated() where left > 0 {
            let isLast = column == row.count - 1
            let text = Columns.cut(isLast ? cell : Columns.padded(cell, to: widths[column]) + "  ", to: left)
            left -= Columns.count(text)
            line += paints[column]?(text) ?? text
        }
        return line
    }

    func print() {
        for line in lines(width: Output.isTerminal ? Columns.available : nil) { Output.verbatim(line) }
    }
}
