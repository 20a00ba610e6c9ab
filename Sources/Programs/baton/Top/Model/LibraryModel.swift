import BatonCore
import BatonProtocol

/// The list of the library: the shelves, what is in something, or what a search has found so far.
struct LibraryModel: Equatable, Sendable {
    /// What is opened, from the shelves on.
    struct Step: Equatable, Sendable {
        var uri: ItemURI
        var title: String
        var kind: ItemKind
        /// Where the person was in the list around it.
        var before: ListPlace
    }

    /// What is being typed, or was typed last.
    var text = ""
    var isTyping = false
    private(set) var trail: [Step] = []
    private(set) var rows: [ItemRow] = []
    private(set) var total: Int?
    /// Where the next rows begin.
    private(set) var cursor: String?
    /// What the rows belong to.
    private var shown: LibraryQuestion.What?
    /// The servers that a search still waits for.
    private(set) var asked: [String] = []
    /// Why there is nothing, in the hub's words.
    private(set) var trouble: String?
    private(set) var isAsking = false
    /// Where the person comes back to, with the answer.
    private var backTo: ListPlace?

    static let pageOfRows = 100
    /// More than a person types; the hub takes 200 characters.
    private static let mostText = 100

    var wanted: LibraryQuestion.What {
        if let step = trail.last { return .node(step.uri) }
        let words = words
        return words.isEmpty ? .shelves : .search(words)
    }

    private var words: String { text.split(separator: " ").joined(separator: " ") }

    var title: String { trail.isEmpty ? "" : trail.map(\.title).joined(separator: " › ") }
    /// What a row is in, when it is something whose tracks have an order.
    var ordered: ItemURI? { trail.last.flatMap { [.album, .playlist, .book].contains($0.kind) ? $0.uri : nil } }
    var isKnown: Bool { shown == wanted }

    // MARK: Asking

    /// What has to be asked for the list to be what is wanted; `nil` when it is.
    mutating func question() -> LibraryQuestion? {
        guard shown != wanted || trouble != nil else { return nil }
        isAsking = true
        trouble = nil
        return LibraryQuestion(what: wanted)
    }

    /// The next rows, when the person comes near to the end of those that are there.
    mutating func more(near row: Int) -> LibraryQuestion? {
        guard isKnown, !isAsking, let cursor, row + Self.pageOfRows / 4 >= rows.count else { return nil }
        isAsking = true
        return LibraryQuestion(what: wanted, cursor: cursor)
    }

    /// What servers that were slower may have found.
    mutating func rest() -> LibraryQuestion? {
        guard isKnown, !isAsking, !asked.isEmpty, let cursor else { return nil }
        isAsking = true
        return LibraryQuestion(what: wanted, cursor: cursor)
    }

    /// Gives where the person is in the new list, or nothing when the answer came too late or goes on where the list ended.
    mutating func take(_ list: ItemList, of question: LibraryQuestion) -> ListPlace? {
        guard question.what == wanted else { return nil }
        isAsking = false
        trouble = nil
        let isFirst = question.cursor == nil
        rows = isFirst ? list.rows : rows + list.rows
        (shown, total, cursor, asked) = (question.what, list.total ?? (isFirst ? nil : total), list.cursor, list.asked)
        guard isFirst else { return nil }
        defer { backTo = nil }
        return backTo ?? ListPlace()
    }

    mutating func fail(_ question: LibraryQuestion, _ sentence: String) {
        guard question.what == wanted else { return }
        isAsking = false
        if question.cursor == nil { (rows, cursor, total) = ([], nil, nil) }
        trouble = sentence
    }

    // MARK: Going about

    mutating func open(_ row: ItemRow, from place: ListPlace) {
        trail.append(Step(uri: row.places.first ?? row.uri, title: ItemLines.title(row), kind: row.tags.kind, before: place))
        isTyping = false
        backTo = nil
    }

    /// One step back, out of the search at last; false when there is none.
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
        // A line break in pasted text is a space; other control characters are no words.
        let clean = typed.unicodeScalars.map { $0.value < 0x20 || 0x7F..<0xA0 ~= $0.value ? " " : Character($0) }
        text = String((text + String(clean)).prefix(Self.mostText))
    }

    mutating func erase() { if !text.isEmpty { text.removeLast() } }
    mutating func eraseWord() {
        while text.last == " " { text.removeLast() }
        while let last = text.last, last != " " { text.removeLast() }
    }
}
