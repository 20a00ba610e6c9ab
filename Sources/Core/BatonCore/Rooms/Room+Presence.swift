/// Votes for skipping what plays, and people who are sent out of a room.
extension Room {
    /// A vote for skipping the current entry, which is skipped with the last vote that it takes. `hearing` is how many may vote now.
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

    /// People have left, so the votes that were given may be enough by now.
    package mutating func countVotes(
        of hearing: Int, at now: Moment, numbers: inout EntryNumbers
    ) throws(Refusal) -> Outcome {
        guard let current = queue.current, presence.voteShare > 0, presence.votes(for: current) > 0,
            presence.votes(for: current) >= presence.needed(of: hearing)
        else { return .noop(.same) }
        return try skip(current, by: nil, at: now, numbers: &numbers)
    }

    /// The votes for it are enough.
    private mutating func skip(
        _ current: EntryID, by author: String?, at now: Moment, numbers: inout EntryNumbers
    ) throws(Refusal) -> Outcome {
        presence.endVote()
        var outcome = try apply(.next(from: current), by: author, at: now, numbers: &numbers)
        outcome.touched.insert(.presence)
        return outcome
    }

    package mutating func setVoteShare(_ share: Int) -> Outcome {
        guard share != presence.voteShare else { return .noop(.same) }
        presence.voteShare = share
        if share == 0 { presence.endVote() }
        return touchingPresence()
    }

    /// Sends a person out, who is refused for so many minutes.
    package mutating func sendOut(_ person: String, minutes: Int, at now: Moment) -> Outcome {
        presence.refuse(person, untilMs: now.steadyMs + Int64(minutes) * 60_000, atMs: now.steadyMs)
        return touchingPresence()
    }

    private func touchingPresence() -> Outcome {
        var outcome = Outcome()
        outcome.touched = .presence
        return outcome
    }
}
