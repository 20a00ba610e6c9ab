import BatonCore
import Configuration

/// The rule of a smart playlist, as people type it: `stars>=4 'genre~jazz' year!=1999 'genre in jazz,blues' 'added since 2024-01-31'`.
struct SmartWords {
    private let conditions: [SmartRule.Condition]
    private let options: Arguments

    /// The longer signs come first, because they contain the shorter ones.
    private static let signs: [(sign: String, relation: SmartRule.Relation)] = [
        (">=", .atLeast), ("<=", .atMost), ("!=", .isNot), ("=", .is), ("~", .has), ("<", .below), (">", .above), (" in ", .oneOf),
        (" since ", .since),
    ]
    /// Short names of fields that hold days.
    private static let others: [String: SmartRule.Field] = ["added": .addedDays, "played": .playedDays]

    init(_ words: [String], _ options: Arguments) throws(Stop) {
        guard !words.isEmpty else { throw Stop(.usage, "Say what must be so: 'stars>=4', 'genre~jazz', 'year<=1999', 'playedDays>=90'.") }
        var conditions: [SmartRule.Condition] = []
        for word in words { conditions.append(try Self.condition(word)) }
        self.conditions = conditions
        self.options = options
        if let order = options["order"], SmartRule.Order(rawValue: order) == nil {
            throw Stop(.usage, "There is no order “\(order)”. There is: \(Self.names(SmartRule.Order.self)).")
        }
        if let limit = options["limit"], !(Int(limit).map { (1...SmartRule.most).contains($0) } ?? false) {
            throw Stop(.usage, "--limit is “\(limit)”. Write a number from 1 to \(SmartRule.most).")
        }
    }

    private static func condition(_ word: String) throws(Stop) -> SmartRule.Condition {
        let found = signs.compactMap { sign, relation in word.firstRange(of: sign).map { (range: $0, relation: relation) } }
            .min { a, b in a.range.lowerBound < b.range.lowerBound }
        guard let found else {
            throw Stop(.usage, "“\(word)” compares nothing. Write a field, one of >= <= != = ~ < > in since, and a value: 'stars>=4'.")
        }
        let name = String(word[..<found.range.lowerBound])
        guard let field = SmartRule.Field(rawValue: name) ?? others[name] else {
            throw Stop(.usage, "There is no field “\(name)”. There is: \(names(SmartRule.Field.self)).")
        }
        let value = String(word[found.range.upperBound...])
        guard found.relation == .oneOf else { return SmartRule.Condition(field, found.relation, value: value) }
        let values = value.split(separator: ",").map { $0.trimmed }
        return SmartRule.Condition(field, .oneOf, value: values.joined(separator: String(SmartRule.separator)))
    }

    private static func names<Name: CaseIterable & RawRepresentable<String>>(_ type: Name.Type) -> String {
        type.allCases.map(\.rawValue).joined(separator: ", ")
    }

    /// The hub checks whether a field can be compared in this way.
    var rule: SmartRule {
        var rule = SmartRule(conditions, matchesAny: options.has("any"), isDescending: options.has("desc"))
        if let order = options["order"].flatMap(SmartRule.Order.init(rawValue:)) { rule.order = order }
        if let limit = options["limit"].flatMap({ Int($0) }) { rule.limit = limit }
        return rule
    }
}

extension Substring {
    fileprivate var trimmed: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
