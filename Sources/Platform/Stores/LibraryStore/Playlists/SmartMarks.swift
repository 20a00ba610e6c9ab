/// SQL for the stars, favourites and plays in a rule, for the hub or for one user.
///
/// The hub's marks are columns of `track` and indexed. A user's marks are in a table beside it, and a track without a row there has none.
/// Comparisons that such tracks fail are written so that SQLite can start with the user's marks, which are few.
import BatonCore
import BatonSeams
import SQLite

enum SmartMarks {
    case hub
    case user(Person)

    static let dayMs: Milliseconds = 86_400_000

    init(of person: Person) { self = person.isUser ? .user(person) : .hub }

    /// The tables for FROM.
    var source: String {
        switch self {
        case .hub: "track"
        case .user: "track LEFT JOIN own_mark ON own_mark.item = track.item AND own_mark.person = ?"
        }
    }

    /// Values for the tables, bound before all others.
    var values: [Database.Value] {
        switch self {
        case .hub: []
        case .user(let person): [.text(person.text)]
        }
    }

    /// `nil` for orders that do not use marks.
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

    /// A comparison whose number is bound later.
    func compare(_ name: String, sign: String, to number: Int64) -> String {
        let passes = ["=": number == 0, "<>": number != 0, ">=": 0 >= number, "<=": 0 <= number, ">": 0 > number, "<": 0 < number]
        return "\(column(name, isMarked: passes[sign] == false)) \(sign) ?"
    }

    /// Tracks that were never played count as older than all others. The current time is bound before the number of days.
    func playedDays(_ sign: String) -> String {
        if case .user = self, ["=", "<=", "<"].contains(sign) {
            return "own_mark.played_ms > 0 AND (? - own_mark.played_ms) / \(Self.dayMs) \(sign) ?"
        }
        let played = column("played_ms")
        return "(CASE \(played) WHEN 0 THEN 1 << 40 ELSE (? - \(played)) / \(Self.dayMs) END) \(sign) ?"
    }

    /// A comparison whose time is bound later.
    var playedSince: String { "\(column("played_ms", isMarked: true)) >= ?" }

    /// `name` is a constant of this file, never a text from outside. `isMarked` means that tracks without a mark cannot pass the
    /// comparison.
    private func column(_ name: String, isMarked: Bool = false) -> String {
        switch self {
        case .hub: "track.\(name)"
        case .user: isMarked ? "own_mark.\(name)" : "ifnull(own_mark.\(name), 0)"
        }
    }
}
