/// Rows for people: columns below each other on a terminal, tabs between them in a pipe.
struct Table {
    private var rows: [[String]] = []
    private var weights: [Int: TextStyle.Weight] = [:]
    /// Above the columns on a terminal. A pipe has none, so that each of its lines is a row.
    private let headers: [String]
    private let ink: TextStyle

    /// No column has more of a line than this, while the columns have to share it.
    private static let mostPercent = 45
    private static let gap = 2

    init(_ headers: [String] = [], _ ink: TextStyle = .none) {
        self.headers = headers
        self.ink = ink
    }

    mutating func add(_ cells: [String]) { rows.append(cells.map { VisibleText.of($0) }) }
    mutating func add(_ cells: String...) { add(cells) }

    /// Sets how one column is written. That is added after the widths were computed.
    mutating func paint(column: Int, _ weight: TextStyle.Weight) { weights[column] = weight }

    private func painted(_ text: String, _ column: Int) -> String { weights[column].map { ink.painted(text, $0) } ?? text }

    /// `width` is the width of the terminal, or `nil` for a pipe.
    func lines(width: Int?) -> [String] {
        guard let width else { return rows.map(piped) }
        // A column in which nothing stands has no header.
        let count = max(rows.map(\.count).max() ?? 0, 0)
        let natural = (0..<count).map { column in rows.map { $0.count > column ? Columns.count($0[column]) : 0 }.max() ?? 0 }
        let titles = headers.prefix(count).enumerated().map { natural[$0] > 0 ? $1 : "" }
        let wanted = natural.enumerated().map { column, own in max(own, column < titles.count ? Columns.count(titles[column]) : 0) }
        let widths = Self.shared(wanted, among: width)
        let head = titles.contains { !$0.isEmpty } && !rows.isEmpty ? [line(titles, widths, width, painting: false)].map(ink.faint) : []
        return head + rows.map { line($0, widths, width, painting: true) }
    }

    private func piped(_ row: [String]) -> String {
        row.enumerated().map { column, cell in painted(cell, column) }.joined(separator: "\t")
    }

    private func line(_ row: [String], _ widths: [Int], _ width: Int, painting: Bool) -> String {
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

    /// The widths of columns that want so much: narrow ones get it, and wide ones share what is left in equal parts.
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

    /// A later part of the same list has no headers.
    func print(isFirst: Bool = true) {
        let lines = lines(width: Output.isTerminal ? Columns.available : nil)
        for line in isFirst || !Output.isTerminal || headers.isEmpty ? lines[...] : lines.dropFirst() { Output.verbatim(line) }
    }
}
