/// Whose stars, favourites and plays a rule asks about, as pieces of SQL.
///
/// Those of the hub stand in `track` itself, where indexes know them. Those of a user are beside it, and a track without one has none: a
/// comparison that no such track passes is written so that SQLite may begin with the user's marks, which are few compared with tracks.
import BatonCore
import BatonSeams
import SQLite

enum SmartMarks {
    case hub
    case user(Person)

    static let dayMs: Int64 = 86_400_000

    init(of person: Person) { self = person.isUser ? .user(person) : .hub }

    /// What tracks are read from.
    var source: String {
        switch self {
        case .hub: "track"
        case .user: "track LEFT JOIN own_mark ON own_mark.item = track.item AND own_mark.person = ?"
        }
    }

    /// Of the source, which stands before all other values.
    var values: [Database.Value] {
        switch self {
        case .hub: []
        case .user(let person): [.text(person.text)]
        }
    }

    /// `nil` for orders that have nothing to do with marks.
    func order(_ order: SmartRule.Order) -> String? {
        switch order {
        case .plays: column("plays")
        case .played: column("played_ms")
        case .stars: column("stars")
        default: nil
        }
    }

    func favourite(_ isWanted: Bool) -> String {
        switch (self, isWanted) {
        case (.hub, _): "track.favourite = \(isWanted ? 1 : 0)"
        case (.user, true): "own_mark.favourite_ms > 0"
        case (.user, false): "ifnull(own_mark.favourite_ms, 0) = 0"
        }
    }

    /// The number itself is bound.
    func compare(_ name: String, _ sign: String, _ number: Int64) -> String {
        let passes = ["=": number == 0, "<>": number != 0, ">=": 0 >= number, "<=": 0 <= number, ">": 0 > number, "<": 0 < number]
        return "\(column(name, isMarked: passes[sign] == false)) \(sign) ?"
    }

    /// A track that was never played counts as played before all others. The moment is bound before the number of days.
    func playedDays(_ sign: String) -> String {
        if case .user = self, ["=", "<=", "<"].contains(sign) {
            return "own_mark.played_ms > 0 AND (? - own_mark.played_ms) / \(Self.dayMs) \(sign) ?"
        }
        let played = column("played_ms")
        return "(CASE \(played) WHEN 0 THEN 1 << 40 ELSE (? - \(played)) / \(Self.dayMs) END) \(sign) ?"
    }

    /// The moment is bound.
    var playedSince: String { "\(column("played_ms", isMarked: true)) >= ?" }

    /// `name` is one of ours, never a text from outside. `isMarked`: what is asked of it holds for no track without a mark.
    private func column(_ name: String, isMarked: Bool = false) -> String {
        switch self {
        case .hub: "track.\(name)"
        case .user: isMarked ? "own_mark.\(name)" : "ifnull(own_mark.\(name), 0)"
        }
    }
}
