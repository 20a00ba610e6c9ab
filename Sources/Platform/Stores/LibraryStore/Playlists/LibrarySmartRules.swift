/// SQL for smart playlists. The keywords of a rule select fixed pieces of SQL; its values are bound.
import BatonCore
import BatonSeams
import SQLite

struct SmartQuery {
    private let marks: SmartMarks
    private var filter: String
    private var values: [Database.Value]
    private var order: String
    private var limit: Int

    /// Throws a sentence for an invalid rule. Stars, favourites and plays are those of `person`. With a `day`, a random order stays the
    /// same for that day.
    init(_ rule: SmartRule, of person: Person = .home, nowMs: Milliseconds, day: Int64? = nil) throws(SourceFault) {
        guard rule.conditions.count <= SmartRule.mostConditions else {
            throw SourceFault(.badRequest, "A rule has at most \(SmartRule.mostConditions) conditions, not \(rule.conditions.count).")
        }
        let marks = SmartMarks(of: person)
        self.marks = marks
        values = marks.values
        var parts: [String] = []
        for condition in rule.conditions {
            let part = try SmartPart(condition, marks, nowMs: nowMs)
            parts.append("(\(part.sql))")
            values += part.values
        }
        let joined = parts.joined(separator: rule.matchesAny ? " OR " : " AND ")
        filter = LibraryDatabase.isMusic + (parts.isEmpty ? "" : " AND (\(joined))")
        let direction = rule.isDescending ? " DESC" : ""
        var columns = marks.order(rule.order).map { [$0, "track.id"] } ?? Self.orders[rule.order, default: ["track.id"]]
        if let day, rule.order == .random { columns = [Self.order(of: "track.id", on: day), "track.id"] }
        order = columns.map { $0 + direction }.joined(separator: ", ")
        limit = min(max(1, rule.limit), SmartRule.most)
    }

    /// A pseudo-random order that stays the same for a day: Knuth's multiplicative hash with an offset for the day.
    static func order(of number: String, on day: Int64) -> String { "(\(number) * 2654435761 + \(day &* 2_246_822_519)) % 4294967296" }

    /// The rows, with the file of each in the column behind them.
    func rows(_ shape: RowShape, from: Int, most: Int) -> (String, [Database.Value]) {
        (
            """
            SELECT \(shape.columns), folder.path || '/' || file.name FROM \(marks.source) \(shape.joins)
            JOIN file ON file.id = track.file JOIN folder ON folder.id = file.folder
            WHERE \(filter) ORDER BY \(order) LIMIT ? OFFSET ?
            """, values + [.int(max(0, min(most, limit - from))), .int(from)]
        )
    }

    /// Number of tracks and their total duration.
    var measured: (String, [Database.Value]) {
        (
            """
            SELECT count(*), coalesce(sum(duration_ms), 0) FROM (
                SELECT duration_ms FROM \(marks.source) WHERE \(filter) ORDER BY \(order) LIMIT ?)
            """, values + [.int(limit)]
        )
    }

    private static let orders: [SmartRule.Order: [String]] = [
        .title: ["track.sort_title", "track.id"],
        .artist: ["track.sort_artist", "track.holder", "track.disc", "track.track", "track.id"],
        .album: [
            "(SELECT sort FROM holder WHERE holder.id = track.holder)", "track.holder", "track.disc", "track.track", "track.id",
        ],
        .added: ["track.id"],
        .random: ["random()"],
    ]
}

/// One condition.
struct SmartPart {
    var sql: String
    var values: [Database.Value]

    init(_ condition: SmartRule.Condition, _ marks: SmartMarks, nowMs: Milliseconds) throws(SourceFault) {
        let (field, relation) = (condition.field, condition.relation)
        if relation == .oneOf, field != .favourite {
            self = try SmartPart(anyOf: condition, marks, nowMs)
            return
        }
        if let texts = Self.texts[field] {
            guard let sql = texts[relation] else { throw Self.meaningless(condition, "is, isNot, has or in") }
            let folded = Folding.fold(condition.value)
            self.sql = sql
            values = [.text(folded.isEmpty ? condition.value : folded)]
            return
        }
        if field == .favourite {
            guard let wanted = Self.truths[condition.value], [.is, .isNot].contains(relation) else {
                throw Self.meaningless(condition, "is or isNot with 1 or 0")
            }
            sql = marks.favourite(wanted == (relation == .is))
            values = []
            return
        }
        if relation == .since, field.isDays {
            guard let dayMs = SmartRule.dayMs(condition.value) else {
                throw SourceFault(.badRequest, "“\(condition.value)” is no day for \(field.rawValue). Write it as 2024-01-31.")
            }
            sql = field == .addedDays ? "track.added_ms >= ?" : marks.playedSince
            values = [.time(dayMs)]
            return
        }
        guard let sign = Self.signs[relation], relation != .since || field == .year else {
            throw Self.meaningless(condition, "is, isNot, atLeast, atMost, below, above or in")
        }
        guard let number = Int64(condition.value), abs(number) < 1 << 40 else {
            throw SourceFault(.badRequest, "“\(condition.value)” is no whole number for \(field.rawValue).")
        }
        (sql, values) = Self.compare(field, sign: sign, to: number, marks: marks, nowMs: nowMs)
    }

    /// One condition for each value, joined by OR.
    private init(anyOf condition: SmartRule.Condition, _ marks: SmartMarks, _ nowMs: Milliseconds) throws(SourceFault) {
        var parts: [SmartPart] = []
        for value in condition.value.split(separator: SmartRule.separator, omittingEmptySubsequences: false) {
            parts.append(try SmartPart(SmartRule.Condition(condition.field, .is, value: String(value)), marks, nowMs: nowMs))
        }
        sql = parts.map { "(\($0.sql))" }.joined(separator: " OR ")
        values = parts.flatMap(\.values)
    }

    private static func compare(
        _ field: SmartRule.Field, sign: String, to number: Int64, marks: SmartMarks, nowMs: Milliseconds
    ) -> (String, [Database.Value]) {
        let dayMs = SmartMarks.dayMs
        switch field {
        // Year 0 means that the year is not known.
        case .year: return ("track.year > 0 AND track.year \(sign) ?", [.int(number)])
        case .durationMs: return ("track.duration_ms \(sign) ?", [.int(number)])
        case .addedDays: return ("(? - track.added_ms) / \(dayMs) \(sign) ?", [.time(nowMs), .int(number)])
        case .playedDays: return (marks.playedDays(sign), [.time(nowMs), .int(number)])
        case .stars: return (marks.compare("stars", sign: sign, to: number), [.int(number)])
        case .plays: return (marks.compare("plays", sign: sign, to: number), [.int(number)])
        default: return ("track.\(field.rawValue) \(sign) ?", [.int(number)])
        }
    }

    private static let signs: [SmartRule.Relation: String] = [
        .is: "=", .isNot: "<>", .atLeast: ">=", .atMost: "<=", .below: "<", .above: ">", .since: ">=",
    ]
    private static let truths = ["1": true, "0": false, "true": true, "false": false]

    private static let texts: [SmartRule.Field: [SmartRule.Relation: String]] = [
        .title: [.is: "fold(track.title) = ?", .isNot: "fold(track.title) <> ?", .has: "instr(fold(track.title), ?) > 0"],
        .artist: names(
            of: .artist, "holder.key", select: "SELECT member.track FROM holder JOIN member ON member.holder = holder.id",
            column: "track.id"),
        .genre: names(
            of: .genre, "holder.key", select: "SELECT member.track FROM holder JOIN member ON member.holder = holder.id", column: "track.id"
        ),
        .album: names(of: .album, "holder.fold", select: "SELECT holder.id FROM holder", column: "track.holder"),
    ]

    /// Conditions on names. Albums, artists and genres are few compared with tracks, so they are searched first.
    private static func names(of kind: ItemKind, _ name: String, select: String, column: String) -> [SmartRule.Relation: String] {
        let those = "\(select) WHERE holder.kind = '\(kind.rawValue)'"
        return [
            .is: "\(column) IN (\(those) AND \(name) = ?)",
            .isNot: "\(column) NOT IN (\(those) AND \(name) = ?)",
            .has: "\(column) IN (\(those) AND instr(holder.fold, ?) > 0)",
        ]
    }

    private static func meaningless(_ condition: SmartRule.Condition, _ meaning: String) -> SourceFault {
        SourceFault(
            .badRequest,
            "A condition on \(condition.field.rawValue) is \(meaning), not \(condition.relation.rawValue) “\(condition.value)”.")
    }
}

extension SmartRule {
    var packed: [UInt8] {
        var packer = Packer()
        for number in [matchesAny ? 1 : 0, isDescending ? 1 : 0, limit, conditions.count] { packer.put(number) }
        packer.put(order.rawValue)
        for condition in conditions { packer.put([condition.field.rawValue, condition.relation.rawValue, condition.value]) }
        return packer.bytes
    }

    init?(packed: [UInt8]) {
        var unpacker = Unpacker(packed)
        guard let any = unpacker.int(), let down = unpacker.int(), let limit = unpacker.int(), let count = unpacker.int(),
            let order = unpacker.text().flatMap(Order.init)
        else { return nil }
        var conditions: [Condition] = []
        for _ in 0..<count {
            guard let texts = unpacker.texts(), texts.count == 3, let field = Field(rawValue: texts[0]),
                let relation = Relation(rawValue: texts[1])
            else { return nil }
            conditions.append(Condition(field, relation, value: texts[2]))
        }
        self.init(conditions, matchesAny: any == 1, order: order, isDescending: down == 1, limit: limit)
    }
}
