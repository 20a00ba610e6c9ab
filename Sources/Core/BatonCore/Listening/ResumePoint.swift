/// The place where a person resumes an item. A room is told in advance, so that no player waits for a disk.
package struct ResumePoint: Equatable, Sendable {
    /// The position of the place itself; `positionMs(at:)` is where listening begins.
    package var positionMs: Milliseconds
    /// Wall clock time. It only decides how far speech goes back.
    package var atMs: Milliseconds

    package init(positionMs: Milliseconds, atMs: Milliseconds) {
        self.positionMs = positionMs
        self.atMs = atMs
    }

    /// The resume position: a little before the place, as after a pause.
    package func positionMs(at wallMs: Milliseconds) -> Milliseconds {
        max(0, positionMs.minus(Resumption.backMs(afterPauseOf: wallMs.minus(atMs))))
    }
}

extension Room {
    /// The start position of an entry when none is named: the person's place in it. An entry that plays already starts from its beginning.
    func beginningMs(of entry: QueueEntry, at now: Moment) -> Milliseconds {
        beginsInside(entry) ? starts[entry.uri]?.positionMs(at: now.wallMs) ?? 0 : 0
    }

    /// True when the entry starts inside. Such an entry is loaded at its turn, since a player can follow gaplessly only from the beginning.
    func beginsInside(_ entry: QueueEntry) -> Bool {
        starts[entry.uri] != nil && (entry.id != timeline.entry || timeline.state == .stopped)
    }

    /// Called when the places of the person who listens here have changed.
    package mutating func setStarts(_ starts: [ItemURI: ResumePoint]) -> Outcome {
        guard starts != self.starts else { return .noop(.same) }
        self.starts = starts
        var outcome = Outcome()
        settleFollower(into: &outcome)
        return outcome
    }
}
