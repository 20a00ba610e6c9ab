/// What a room without a speaker does while no one listens.
public enum WhenEmpty: String, Sendable, CaseIterable { case play, pause }

/// What a room remembers of the people in it: its rule for voting, the votes, who was sent out for how long, and what it does without people. It
/// is kept with the room.
package struct RoomPresence: Equatable, Sendable {
    package var whenEmpty = WhenEmpty.play
    /// Permille of those who hear that it takes to skip an entry; 0 is no voting.
    package var voteShare = usualShare
    /// The entry that the votes are about; of another one than is current they do not count.
    package private(set) var votedEntry: EntryID?
    package private(set) var voters: Set<String> = []
    /// Until when those who were sent out are refused, by the clock that goes on across restarts.
    package private(set) var refusedUntilMs: [String: Int64] = [:]

    package static let usualShare = 500
    package static let shares = 0...1000
    package static let minutes = 1...10_080
    /// Those who were refused longest give way.
    package static let mostRefused = 100
    package static let mostVoters = 10_000

    package init() {}

    // MARK: Votes

    /// Of those who hear; never less than one.
    package func needed(of hearing: Int) -> Int { max(1, (voteShare.times(max(0, hearing)) + 999) / 1000) }

    package func votes(for entry: EntryID?) -> Int { entry != nil && entry == votedEntry ? voters.count : 0 }

    /// False when this voter has voted for it already.
    mutating func vote(for entry: EntryID, by voter: String) -> Bool {
        if entry != votedEntry { (votedEntry, voters) = (entry, []) }
        guard voters.count < Self.mostVoters else { return false }
        return voters.insert(voter).inserted
    }

    mutating func endVote() { (votedEntry, voters) = (nil, []) }

    // MARK: Refusals

    mutating func refuse(_ person: String, untilMs: Int64, atMs nowMs: Int64) {
        refusedUntilMs = refusedUntilMs.filter { $0.value > nowMs }
        refusedUntilMs[person] = untilMs
        while refusedUntilMs.count > Self.mostRefused, let first = refusedUntilMs.min(by: { ($0.value, $0.key) < ($1.value, $1.key) }) {
            refusedUntilMs[first.key] = nil
        }
    }

    /// For how long this person is refused; `nil` for one who may come in.
    package func refusedMs(_ person: String, atMs nowMs: Int64) -> Int64? {
        guard let until = refusedUntilMs[person], until > nowMs else { return nil }
        return until - nowMs
    }

    // MARK: As it is kept

    /// Lines of words. People's names may hold anything, so their percent signs, spaces and line ends are encoded.
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
                if let until = Int64(words[1]), let person = PercentText.decoded(words[2]) { refusedUntilMs[person] = until }
            default: break
            }
        }
    }
}
