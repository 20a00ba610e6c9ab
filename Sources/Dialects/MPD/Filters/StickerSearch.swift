/// The question of `sticker find`: a name, and perhaps a condition, an order and a window.
struct StickerSearch: Sendable {
    enum Relation: String {
        case equals = "="
        case less = "<"
        case greater = ">"
        case numberEquals = "eq"
        case numberLess = "lt"
        case numberGreater = "gt"
        case contains, startsWith = "starts_with"
    }

    /// The value by which the rows are sorted.
    enum Order: String {
        case uri, value, number = "value_int"
    }

    let name: String
    private var relation: Relation?
    private var value = ""
    private var order: Order?
    private var isDescending = false
    private var window = SongRange.everything

    /// Reads the words behind the folder: `NAME [OPERATOR VALUE] [sort TYPE] [window START:END]`.
    init(_ words: [String]) throws(Ack) {
        var rest = words[...]
        name = rest.removeFirst()
        if let word = SongQuestion.take("window", from: &rest) { window = try Argument.range(word) }
        if let word = SongQuestion.take("sort", from: &rest) {
            isDescending = word.hasPrefix("-")
            guard let order = Order(rawValue: isDescending ? String(word.dropFirst()) : word) else {
                throw Ack(.argument, "Unknown sort tag")
            }
            self.order = order
        }
        guard let sign = rest.popFirst() else { return }
        guard let value = rest.popFirst(), rest.isEmpty else { throw Ack(.argument, "bad request") }
        guard let relation = Relation(rawValue: sign) else { throw Ack(.argument, "bad operator") }
        self.relation = relation
        self.value = value
    }

    func matches(_ text: String) -> Bool {
        switch relation {
        case nil: true
        case .equals: text.utf8.elementsEqual(value.utf8)
        case .less: text.utf8.lexicographicallyPrecedes(value.utf8)
        case .greater: value.utf8.lexicographicallyPrecedes(text.utf8)
        case .numberEquals: Self.number(text) == Self.number(value)
        case .numberLess: Self.number(text) < Self.number(value)
        case .numberGreater: Self.number(text) > Self.number(value)
        case .contains: text.contains(value)
        case .startsWith: text.hasPrefix(value)
        }
    }

    /// The rows in their order, which is that of the names unless another is asked for, within the window.
    func sorted(_ rows: [(name: String, value: String)]) -> [(name: String, value: String)] {
        let sorted = rows.sorted { one, other in
            switch order {
            case nil, .uri: Self.precedes(one.name, other.name)
            case .value: Self.precedes(one.value, other.value)
            case .number: Self.number(one.value) < Self.number(other.value)
            }
        }
        let rows = isDescending ? sorted.reversed() : sorted
        return Array(rows[window.within(rows.count)])
    }

    private static func precedes(_ one: String, _ other: String) -> Bool { one.utf8.lexicographicallyPrecedes(other.utf8) }

    private static func number(_ text: String) -> Int { LeadingNumber(text)?.value ?? 0 }
}
