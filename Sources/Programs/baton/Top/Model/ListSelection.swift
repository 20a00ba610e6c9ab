/// The selection in a list: the selected row, and the first visible one.
struct ListSelection: Equatable, Sendable {
    var row = 0
    var top = 0

    /// Keeps the selected row inside the list and visible.
    mutating func settle(count: Int, height: Int) {
        row = max(0, min(row, count - 1))
        let height = max(1, height)
        top = max(0, min(top, row, count - height))
        if row >= top + height { top = row - height + 1 }
    }

    mutating func move(by step: Int, count: Int) { row = max(0, min(count - 1, row + step)) }
}

/// A row of a list for drawing.
struct ListRow: Equatable, Sendable {
    /// A sign or number before the text.
    var head = ""
    var text: String
    var more = ""
    var end = ""
    var look = Look.plain
}
