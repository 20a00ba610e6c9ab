import BatonCore
import BatonProtocol

/// The library's list: the shelves, the content of a container, or search results.
struct LibraryModel: Equatable, Sendable {
    /// A container that was opened, on the path from the shelves.
    struct Step: Equatable, Sendable {
        var uri: ItemURI
        var title: String
        var kind: ItemKind
        /// The selection in the parent list.
        var before: ListSelection
    }

    /// The text in the search field.
    var text = ""
    var isTyping = false
    private(set) var trail: [Step] = []
    private(set) var rows: [ItemRow] = []
    private(set) var total: Int?
    /// The cursor of the next page.
    private(set) var cursor: String?
    /// The query that the rows answer.
    private var shown: LibraryQuestion.What?
    /// The servers whose search results are still missing.
    private(set) var asked: [String] = []
    /// The hub's sentence if there are no rows.
    private(set) var trouble: String?
    private(set) var isAsking = false
    /// The selection to restore when the rows arrive.
    private var backTo: ListSelection?

    static let pageOfRows = 100
    /// Limit of typed text, below the hub's limit of 200 characters.
    private static let mostText = 100

    var wanted: LibraryQuestion.What {
        if let step = trail.last { return .node(step.uri) }
        let words = words
        return words.isEmpty ? .shelves : .search(words)
    }

    private var words: String { text.split(separator: " ").joined(separator: " ") }

    var title: String { trail.isEmpty ? "" : trail.map(\.title).joined(separator: " › ") }
    /// The container of the rows, if its tracks have an order.
    var ordered: ItemURI? { trail.last.flatMap { [.album, .playlist, .book].contains($0.kind) ? $0.uri : nil } }
    var isKnown: Bool { shown == wanted }

    // MARK: Queries

    /// The query for the wanted list; `nil` if the rows are current.
    mutating func question() -> LibraryQuestion? {
        guard shown != wanted || trouble != nil else { return nil }
        isAsking = true
        trouble = nil
        return LibraryQuestion(what: wanted)
    }

    /// The query for the next page, when the selection is near the end of the rows.
    mutating func more(near row: Int) -> LibraryQuestion? {
        guard isKnown, !isAsking, let cursor, row + Self.pageOfRows / 4 >= rows.count else { return nil }
        isAsking = true
        return LibraryQuestion(what: wanted, cursor: cursor)
    }

    /// The query for results of slower servers.
    mutating func rest() -> LibraryQuestion? {
        guard isKnown, !isAsking, !asked.isEmpty, let cursor else { return nil }
        isAsking = true
        return LibraryQuestion(what: wanted, cursor: cursor)
    }

    /// Takes a page of rows. Returns the selection for a new list, or `nil` for an outdated answer or a further page.
    mutating func take(_ list: ItemList, of question: LibraryQuestion) -> ListSelection? {
        guard question.what == wanted else { return nil }
        isAsking = false
        trouble = nil
        let isFirst = question.cursor == nil
        rows = isFirst ? list.rows : rows + list.rows
        (shown, total, cursor, asked) = (question.what, list.total ?? (isFirst ? nil : total), list.cursor, list.asked)
        guard isFirst else { return nil }
        defer { backTo = nil }
        return backTo ?? ListSelection()
    }

    mutating func fail(_ question: LibraryQuestion, _ sentence: String) {
        guard question.what == wanted else { return }
        isAsking = false
        if question.cursor == nil { (rows, cursor, total) = ([], nil, nil) }
        trouble = sentence
    }

    // MARK: Navigation

    mutating func open(_ row: ItemRow, from place: ListSelection) {
        trail.append(Step(uri: row.variants.first ?? row.uri, title: ItemLines.title(row), kind: row.tags.kind, before: place))
        isTyping = false
        backTo = nil
    }

    /// Goes one level up or leaves the search; returns false at the top.
    mutating func leave() -> Bool {
        if let step = trail.popLast() {
            backTo = step.before
            return true
        }
        guard !text.isEmpty else { return false }
        text = ""
        return true
    }

    mutating func type(_ typed: String) {
        trail = []
        // A line break in pasted text becomes a space; other control characters are dropped.
        let clean = typed.unicodeScalars.map { $0.value < 0x20 || 0x7F..<0xA0 ~= $0.value ? " " : Character($0) }
        text = String((text + String(clean)).prefix(Self.mostText))
    }

    mutating func erase() { if !text.isEmpty { text.removeLast() } }
    mutating func eraseWord() {
        while text.last == " " { text.removeLast() }
        while let last = text.last, last != " " { text.removeLast() }
    }
}
