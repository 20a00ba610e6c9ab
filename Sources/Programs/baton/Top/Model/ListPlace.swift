/// Where a person is in a list: the row that is chosen, and the first that is seen.
struct ListPlace: Equatable, Sendable {
    var row = 0
    var top = 0

    /// Keeps the row inside of the list, and on the screen.
    mutating func settle(count: Int, height: Int) {
        row = max(0, min(row, count - 1))
        let height = max(1, height)
        top = max(0, min(top, row, count - height))
        if row >= top + height { top = row - height + 1 }
    }

    mutating func move(by step: Int, count: Int) { row = max(0, min(count - 1, row + step)) }
}

/// One row of a list, as it is drawn.
struct ListRow: Equatable, Sendable {
    /// A sign or a number.
    var head = ""
    var text: String
    var more = ""
    var end = ""
    var look = Look.plain
}
