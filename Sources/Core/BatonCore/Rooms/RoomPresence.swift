/// The behaviour of a room without a speaker while no device listens.
public enum WhenEmpty: String, Sendable, CaseIterable { case play, pause }

/// The presence data of a room: its voting rule, the votes, the people who were sent out, and its behaviour while empty. It is stored with the room.
package struct RoomPresence: Equatable, Sendable {
    /// The rule that the owner chose; it matters only in rooms without a speaker.
    package var whenEmpty = WhenEmpty.play
    /// Permille of the people hearing the room whose votes skip an entry; 0 turns voting off.
    package var voteShare = usualShare
    /// The entry that the votes are about; they count only while it is current.
    package private(set) var votedEntry: EntryID?
    /// The people who have voted for `votedEntry`, each once.
    package private(set) var voters: Set<String> = []
    /// The end of each refusal on the steady clock, which continues across restarts.
    package private(set) var refusedUntilMs: [String: Milliseconds] = [:]

    /// The share in a new room: half of the people.
    package static let usualShare = 500
    /// Allowed shares, in permille.
    package static let shares = 0...1000
    /// Allowed lengths of a refusal in minutes: up to a week.
    package static let minutes = 1...10_080
    /// Maximum number of refusals; those that end first are dropped.
    package static let mostRefused = 100
    /// Number of votes that are stored for one entry.
    package static let mostVoters = 10_000

    package init() {}

    // MARK: Votes

    /// Number of votes that skip an entry when `hearing` people hear the room; at least one.
    package func needed(of hearing: Int) -> Int { max(1, (voteShare.times(max(0, hearing)) + 999) / 1000) }

    /// Number of votes for an entry; 0 for one that the votes are not about.
    package func votes(for entry: EntryID?) -> Int { entry != nil && entry == votedEntry ? voters.count : 0 }

    /// Returns false when this voter has voted for it already.
    mutating func vote(for entry: EntryID, by voter: String) -> Bool {
        if entry != votedEntry { (votedEntry, voters) = (entry, []) }
        guard voters.count < Self.mostVoters else { return false }
        return voters.insert(voter).inserted
    }

    mutating func endVote() { (votedEntry, voters) = (nil, []) }

    // MARK: Refusals

    mutating func refuse(_ person: String, untilMs: Milliseconds, atMs nowMs: Milliseconds) {
        refusedUntilMs = refusedUntilMs.filter { $0.value > nowMs }
        refusedUntilMs[person] = untilMs
        while refusedUntilMs.count > Self.mostRefused, let first = refusedUntilMs.min(by: { ($0.value, $0.key) < ($1.value, $1.key) }) {
            refusedUntilMs[first.key] = nil
        }
    }

    /// The remaining time of a person's refusal; `nil` if the person may come in.
    package func refusedMs(_ person: String, atMs nowMs: Milliseconds) -> Milliseconds? {
        guard let until = refusedUntilMs[person], until > nowMs else { return nil }
        return until - nowMs
    }

    // MARK: Storage

    /// One line per value. Names may hold any character, so percent signs, spaces and line ends are encoded.
    package var text: String {
        var lines: [String] = []
        if voteShare != Self.usualShare { lines.append("share \(voteShare)") }
        if whenEmpty != .play { lines.append("empty \(whenEmpty.rawValue)") }
        if let votedEntry, !voters.isEmpty {
            lines.append((["votes", votedEntry.text] + voters.sorted().map { PercentText.encoded($0) }).joined(separator: " "))
        }
        for (person, until) in refusedUntilMs.sorted(by: { $0.key < $1.key }) {
            lines.append("refused \(until) \(PercentText.encoded(person))")
        }
        return lines.joined(separator: "\n")
    }

    /// A line that cannot be read, such as one of a later version, is skipped.
    package init(text: String) {
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            switch words.first {
            case "share" where words.count == 2: voteShare = Int(words[1]).flatMap { Self.shares.contains($0) ? $0 : nil } ?? voteShare
            case "empty" where words.count == 2: whenEmpty = WhenEmpty(rawValue: String(words[1])) ?? whenEmpty
            case "votes" where words.count > 2:
                votedEntry = EntryID(text: String(words[1]))
                voters = votedEntry == nil ? [] : Set(words.dropFirst(2).compactMap { PercentText.decoded($0) })
            case "refused" where words.count == 3:
                if let until = Milliseconds(words[1]), let person = PercentText.decoded(words[2]) { refusedUntilMs[person] = until }
            default: break
            }
        }
    }
}
