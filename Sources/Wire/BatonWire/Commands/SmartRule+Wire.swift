import BatonCore
import BatonProtocol

/// The rule of a smart playlist as JSON:
/// `{"all":[{"f":"stars","is":"atLeast","v":"4"}],"order":"played","desc":1,"limit":100}`.
extension SmartRule {
    /// The rule as rows of playlists have it, whose readers need not know what is usual.
    func encode(into writer: inout JSONWriter) { writer.value(JSON(rule: self, namingUsual: true)) }

    init(from fields: Fields) throws(ProtocolFault) {
        let matchesAny = fields.has("any")
        guard matchesAny != fields.has("all") else {
            throw ProtocolFault(.badRequest, "A rule has either all or any.", at: fields.path)
        }
        let name = matchesAny ? "any" : "all"
        let conditions = try fields.elements(name, count: 1...Self.mostConditions, Condition.init)
        self.init(
            try fields.required(name, conditions), matchesAny: matchesAny, order: try fields.choice("order") ?? .artist,
            isDescending: try fields.flag("desc"), limit: try fields.int("limit", in: 1...Self.most) ?? 500)
    }
}

extension SmartRule {
    /// Refuses members that are not known in the rule of a command. Those of an answer are skipped.
    static func refuseUnknown(in rule: Fields) throws(ProtocolFault) {
        try rule.refuseUnknown { ["all", "any", "order", "desc", "limit"].contains($0) }
        for name in ["all", "any"] where rule.has(name) {
            _ = try rule.elements(name) { condition throws(ProtocolFault) in
                try condition.refuseUnknown { ["f", "is", "v"].contains($0) }
            }
        }
    }
}

extension SmartRule.Condition {
    fileprivate init(_ fields: Fields) throws(ProtocolFault) {
        self.init(
            try fields.required("f", fields.choice("f")), try fields.required("is", fields.choice("is")),
            value: try fields.required("v", fields.string("v", bytes: 0...256)))
        guard relation.fits(field) else { throw fields.fault("is", "\(relation.rawValue) cannot be asked of \(field.rawValue).") }
        if relation == .since, field.isDays {
            guard SmartRule.dayMs(value) != nil else { throw fields.fault("v", "since takes a day, as 2024-01-31.") }
        } else if field.isNumber {
            let numbers = relation == .oneOf ? value.split(separator: SmartRule.separator, omittingEmptySubsequences: false) : [value[...]]
            guard numbers.allSatisfy({ Int($0) != nil }) else {
                throw fields.fault("v", "\(field.rawValue) is compared with a whole number, as text.")
            }
        }
    }
}

extension SmartRule.Field {
    fileprivate var isNumber: Bool {
        switch self {
        case .title, .artist, .album, .genre: false
        case .year, .stars, .plays, .favourite, .durationMs, .addedDays, .playedDays: true
        }
    }
}

extension SmartRule.Relation {
    fileprivate func fits(_ field: SmartRule.Field) -> Bool {
        switch self {
        case .is, .isNot: true
        case .has: !field.isNumber
        case .atLeast, .atMost, .below, .above: field.isNumber && field != .favourite
        case .oneOf: field != .favourite
        case .since: field == .year || field.isDays
        }
    }
}
