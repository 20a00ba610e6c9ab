/// Where a person goes on in an item, as a room is told beforehand, so that no player waits for a disk.
package struct ResumePoint: Equatable, Sendable {
    package var positionMs: Int
    /// Wall clock. It decides only how far speech goes back.
    package var atMs: Int64

    package init(positionMs: Int, atMs: Int64) {
        self.positionMs = positionMs
        self.atMs = atMs
    }

    /// Like after a pause, a little before the place.
    package func positionMs(at wallMs: Int64) -> Int { max(0, positionMs.minus(Resumption.backMs(afterPauseOf: wallMs.minus(atMs)))) }
}

extension Room {
    /// Where an entry begins when no position is named: at the person's place in it. One that plays already begins anew.
    func beginningMs(of entry: QueueEntry, at now: Moment) -> Int {
        beginsInside(entry) ? starts[entry.uri]?.positionMs(at: now.wallMs) ?? 0 : 0
    }

    /// Such an entry is loaded when its turn has come, since a player goes on gaplessly at the beginning only.
    func beginsInside(_ entry: QueueEntry) -> Bool {
        starts[entry.uri] != nil && (entry.id != timeline.entry || timeline.state == .stopped)
    }

    /// The places have changed of the person who listens here.
    package mutating func setStarts(_ starts: [ItemURI: ResumePoint]) -> Outcome {
        guard starts != self.starts else { return .noop(.same) }
        self.starts = starts
        var outcome = Outcome()
        settleFollower(into: &outcome)
        return outcome
    }
}
