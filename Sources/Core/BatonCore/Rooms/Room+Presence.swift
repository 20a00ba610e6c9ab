/// Votes to skip the current entry, and people who were sent out of a room.
extension Room {
    /// Votes to skip the current entry, which is skipped once there are enough votes. `hearing` is the number of people who may vote now.
    package mutating func vote(
        for entry: EntryID?, by voter: String, of hearing: Int, named author: String?, at now: Moment, numbers: inout EntryNumbers
    ) throws(Refusal) -> Outcome {
        guard presence.voteShare > 0 else { throw Refusal(.invalidState, "There is no voting in “\(name)”.") }
        guard let current = queue.current else { throw Refusal(.invalidState, "Nothing plays in “\(name)” that could be skipped.") }
        guard entry == nil || entry == current else { return .noop(.moved) }
        guard presence.vote(for: current, by: voter) else { return .noop(.same) }
        guard presence.votes(for: current) >= presence.needed(of: hearing) else { return touchingPresence() }
        return try skip(current, by: author, at: now, numbers: &numbers)
    }

    /// Called when people have left, which may make the existing votes enough.
    package mutating func countVotes(
        of hearing: Int, at now: Moment, numbers: inout EntryNumbers
    ) throws(Refusal) -> Outcome {
        guard let current = queue.current, presence.voteShare > 0, presence.votes(for: current) > 0,
            presence.votes(for: current) >= presence.needed(of: hearing)
        else { return .noop(.same) }
        return try skip(current, by: nil, at: now, numbers: &numbers)
    }

    /// Skips the entry because there are enough votes.
    private mutating func skip(
        _ current: EntryID, by author: String?, at now: Moment, numbers: inout EntryNumbers
    ) throws(Refusal) -> Outcome {
        presence.endVote()
        var outcome = try apply(.next(from: current), by: author, at: now, numbers: &numbers)
        outcome.touched.insert(.presence)
        return outcome
    }

    /// Sets the share of votes that skips an entry, in permille; 0 turns voting off and forgets the votes.
    package mutating func setVoteShare(_ share: Int) -> Outcome {
        guard share != presence.voteShare else { return .noop(.same) }
        presence.voteShare = share
        if share == 0 { presence.endVote() }
        return touchingPresence()
    }

    /// Sends a person out and refuses them for this many minutes.
    package mutating func sendOut(_ person: String, minutes: Int, at now: Moment) -> Outcome {
        presence.refuse(person, untilMs: now.steadyMs + Milliseconds(minutes) * 60_000, atMs: now.steadyMs)
        return touchingPresence()
    }

    private func touchingPresence() -> Outcome {
        var outcome = Outcome()
        outcome.touched = .presence
        return outcome
    }
}
