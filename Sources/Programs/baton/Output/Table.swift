/// Rows for people: aligned columns on a terminal, tabs between them in a pipe.
struct Table {
    private var rows: [[String]] = []
    private var weights: [Int: TextStyle.Weight] = [:]
    /// Headers of the columns on a terminal. A pipe gets none, so that each of its lines is a row.
    private let headers: [String]
    private let ink: TextStyle

    /// Limit of a column's share of the line, while the columns do not fit.
    private static let mostPercent = 45
    private static let gap = 2

    init(_ headers: [String] = [], _ ink: TextStyle = .none) {
        self.headers = headers
        self.ink = ink
    }

    mutating func add(_ cells: [String]) { rows.append(cells.map { VisibleText.of($0) }) }
    mutating func add(_ cells: String...) { add(cells) }

    /// Sets the style of a column, which does not change its width.
    mutating func paint(column: Int, _ weight: TextStyle.Weight) { weights[column] = weight }

    private func painted(_ text: String, _ column: Int) -> String { weights[column].map { ink.painted(text, $0) } ?? text }

    /// The lines for a terminal of this width, or for a pipe if `width` is `nil`.
    func lines(width: Int?) -> [String] {
        guard let width else { return rows.map(piped) }
        // Empty columns have no header.
        let count = max(rows.map(\.count).max() ?? 0, 0)
        let natural = (0..<count).map { column in rows.map { $0.count > column ? Columns.count($0[column]) : 0 }.max() ?? 0 }
        let titles = headers.prefix(count).enumerated().map { natural[$0] > 0 ? $1 : "" }
        let wanted = natural.enumerated().map { column, own in max(own, column < titles.count ? Columns.count(titles[column]) : 0) }
        let widths = Self.shared(wanted, among: width)
        let head =
            titles.contains { !$0.isEmpty } && !rows.isEmpty
            ? [line(titles, widths: widths, within: width, painting: false)].map(ink.faint) : []
        return head + rows.map { line($0, widths: widths, within: width, painting: true) }
    }

    private func piped(_ row: [String]) -> String {
        row.enumerated().map { column, cell in painted(cell, column) }.joined(separator: "\t")
    }

    private func line(_ row: [String], widths: [Int], within width: Int, painting: Bool) -> String {
        var line = ""
        var left = width
        let last = row.lastIndex { !$0.isEmpty } ?? 0
        for (column, cell) in row.enumerated() where left > 0 && column <= last {
            let own = Columns.cut(cell, to: widths[column])
            let gap = String(repeating: " ", count: widths[column] > 0 ? Self.gap : 0)
            let text = Columns.cut(column == last ? own : Columns.padded(own, to: widths[column]) + gap, to: left)
            left -= Columns.count(text)
            line += painting ? painted(text, column) : text
        }
        return line
    }

    /// Divides the width among columns: narrow ones get their width, and wide ones share the rest equally.
    static func shared(_ wanted: [Int], among width: Int) -> [Int] {
        let used = wanted.filter { $0 > 0 }
        let room = width - gap * max(0, used.count - 1)
        guard used.reduce(0, +) > room, used.count > 1 else { return wanted.map { min($0, max(1, width)) } }
        var (left, limit, open) = (room, 0, used.count)
        for own in used.sorted() {
            limit = left / open
            guard own <= limit else { break }
            left -= own
            open -= 1
        }
        return wanted.map { min($0, max(1, min(limit, width * mostPercent / 100))) }
    }

    /// Prints the table. Later parts of the same list have no headers.
    func print(isFirst: Bool = true) {
        let lines = lines(width: Output.isTerminal ? Columns.available : nil)
        for line in isFirst || !Output.isTerminal || headers.isEmpty ? lines[...] : lines.dropFirst() { Output.verbatim(line) }
    }
}
