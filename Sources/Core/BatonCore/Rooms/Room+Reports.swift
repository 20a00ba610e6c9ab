/// The effect of the player's reports on a room. A report about an entry that has been replaced changes nothing.
extension Room {
    /// Takes a report of the player. One about an entry that was replaced changes nothing.
    package mutating func hear(_ report: PlayerReport, at now: Moment) -> Outcome {
        let before = sleepView(at: now)
        let asleep = sleepPositions.asleep
        var outcome = take(report, at: now)
        // Listening on into the next entry is a decision too, except where a timer that ended with the entry went on to the next one.
        if queue.current != before.entry, sleepPositions.asleep == asleep { endOffer(into: &outcome) }
        settleRendering(into: &outcome, at: now)
        settleSleep(since: before, isPress: false, into: &outcome, at: now)
        settleChapter(into: &outcome, at: now)
        settleLevelling(into: &outcome)
        return outcome
    }

    private mutating func take(_ report: PlayerReport, at now: Moment) -> Outcome {
        switch report {
        case .began(let entry): return began(entry, at: now)
        case .line(let entry, let position, let atUs, let rate):
            return line(entry, Timeline(entry: entry, positionMs: max(0, position), atUs: atUs, rate: rate, state: timeline.state), at: now)
        case .past(let entry, let age, let reach, let atUs): return past(entry, ageMs: age, reachMs: reach, atUs: atUs, at: now)
        case .buffering(let entry, let waiting): return buffering(entry, waiting, at: now)
        case .described(let entry, let tags, let format): return described(entry, tags, format: format)
        case .chapters(let entry, let marks): return chapters(entry, marks)
        case .ended(let entry): return ended(entry, at: now)
        case .failed(let entry, let reason): return failed(entry, reason, at: now)
        case .away(let entry, let reason): return failed(entry, reason, isAway: true, at: now)
        case .outputTrouble(let sentence): return outputTrouble(sentence)
        // The hub handles these: devices belong to no room, and the source of bytes does not concern it.
        case .devices, .starving: return .noop(.same)
        }
    }

    private mutating func began(_ entry: EntryID, at now: Moment) -> Outcome {
        if isLoading {
            // While an entry is being loaded, a report about another one is about what played before.
            return entry == loaded ? loadedBegan(entry, at: now) : .noop(.moved)
        }
        if isAgain(entry, at: now) {
            beginsTwice = false
            return loadedBegan(entry, at: now)
        }
        if entry == followed, let step = nextStep { return followerBegan(step, at: now) }
        if entry == loaded { return loadedBegan(entry, at: now) }
        // The player went on to an earlier follower, so the loaded entry has ended.
        return withdrawn.contains(entry) ? playedThrough(at: now) : callBack(at: now)
    }

    /// True when the loaded entry, which was ordered to follow itself, reports a second beginning that cannot be its repetition yet, because it is
    /// too far from its end.
    private func isAgain(_ entry: EntryID, at now: Moment) -> Bool {
        guard beginsTwice, entry == loaded, let durationMs = queue.currentEntry?.tags.durationMs else { return false }
        return positionMs(at: now) < durationMs - Self.nearEndMs
    }

    /// Called twice when an entry was loaded again before its first beginning was reported.
    private mutating func loadedBegan(_ entry: EntryID, at now: Moment) -> Outcome {
        var outcome = Outcome()
        isLoading = false
        isWaiting = false
        if timeline.state == .buffering, !isHeld { draw(.playing, fromMs: timeline.positionMs, at: now) }
        if queue.note(nil, on: entry) { outcome.touched.insert(.now) }
        outcome.touched.insert(.timeline)
        settleFollower(into: &outcome)
        return outcome
    }

    /// The player plays an entry that the room does not know. Ids alone cannot always tell a second loading from the first, so the player is told
    /// again to play what clients see.
    private mutating func callBack(at now: Moment) -> Outcome {
        guard let loaded else { return .noop(.moved) }
        return start(loaded, fromMs: positionMs(at: now), paused: timeline.state == .paused, at: now)
    }

    private mutating func followerBegan(_ step: Step, at now: Moment) -> Outcome {
        var outcome = Outcome()
        endings.note(loaded)
        startAfresh(into: &outcome)
        take(step, leaving: true, at: now, into: &outcome)
        loaded = step.entry.id
        followed = nil
        withdrawn = []
        beginsTwice = false
        isWaiting = false
        beganAtMs = 0
        _ = queue.note(nil, on: step.entry.id)
        draw(timeline.state == .paused ? .paused : .playing, fromMs: 0, at: now)
        outcome.touched.formUnion([.now, .timeline])
        settleFollower(into: &outcome)
        return outcome
    }

    /// Takes a measured line that agrees with the state of the room, and publishes it only when remotes would show a visible difference.
    private mutating func line(_ entry: EntryID, _ measured: Timeline, at now: Moment) -> Outcome {
        guard entry == loaded, !isLoading, measured.rate == timeline.rate else { return .noop(.moved) }
        // Ignored: measured before the shown line was drawn, as just before a seek.
        guard measured.atUs >= timeline.atUs || timeline.atUs > now.us else { return .noop(.moved) }
        // Lines are compared once both have begun; before that each stays near its start.
        let comparedUs = max(now.us, measured.atUs, timeline.atUs)
        let isOld = now.us.minus(timeline.atUs) >= Self.lineLifeUs
        guard isOld || !measured.isClose(to: timeline, atUs: comparedUs, withinMs: Self.lineToleranceMs) else { return .noop(.same) }
        let before = timeline
        timeline = measured
        keepPast(of: before)
        var outcome = Outcome()
        outcome.touched = [.timeline]
        return outcome
    }

    private mutating func buffering(_ entry: EntryID, _ waiting: Bool, at now: Moment) -> Outcome {
        guard entry == loaded, !isLoading else { return .noop(.moved) }
        isWaiting = waiting
        guard isPlaying, !isHeld else { return .noop(.same) }  // A paused position stands still anyway.
        let wanted: Timeline.State = waiting ? .buffering : .playing
        guard wanted != timeline.state else { return .noop(.same) }
        draw(wanted, fromMs: positionMs(at: now), at: now)
        var outcome = Outcome()
        outcome.touched = [.timeline]
        return outcome
    }

    private mutating func described(_ entry: EntryID, _ tags: Tags, format: SoundFormat?) -> Outcome {
        guard let index = queue.index(of: entry) else { return .noop(.moved) }
        let known = queue.entries[index]
        // The tags of a plain file are better than its name; a source that knows its items knows more than the file.
        let merged = known.uri.isPlain ? known.tags.filled(from: tags) : known.tags.enriched(by: tags)
        guard let change = queue.describe(entry, merged, format: format ?? queue.entries[index].format) else { return .noop(.same) }
        var outcome = Outcome()
        outcome.changes = [change]
        outcome.touched = entry == queue.current ? [.now] : [.queue]
        return outcome
    }

    private mutating func ended(_ entry: EntryID, at now: Moment) -> Outcome {
        guard entry == loaded, !isLoading else { return .noop(.moved) }
        return fallAsleepAtEnd(at: now) ?? goOnBehindStop(at: now) ?? playedThrough(at: now)
    }

    private mutating func chapters(_ entry: EntryID, _ marks: [ChapterList.Mark]) -> Outcome {
        guard entry == queue.current else { return .noop(.moved) }
        let list = ChapterList(marks, durationMs: currentEntry?.tags.durationMs)
        guard list != chapters else { return .noop(.same) }
        found = FoundChapters(entry: entry, list: list)
        return Outcome()
    }

    /// Reached only when the player has run dry, because the order for the follower came too late.
    private mutating func playedThrough(at now: Moment) -> Outcome {
        var outcome = Outcome()
        endings.note(loaded)
        if isJoined { return awaitServer(at: now) }
        startAfresh(into: &outcome)
        guard let step = nextStep else {
            outcome.add(runOut(at: now))
            return outcome
        }
        let pauses = pausesAfterCurrent
        if pauses { endSingle(into: &outcome) }
        outcome.add(go(step, leaving: true, pauses: pauses, at: now))
        return outcome
    }

    /// An entry whose source is away is skipped, however many there are in a row, because that says nothing about the player or the other entries.
    /// The search ends after one round through the queue.
    private mutating func failed(_ entry: EntryID, _ reason: String, isAway: Bool = false, at now: Moment) -> Outcome {
        if isJoined { return failedJoined(entry, reason, at: now) }
        var outcome = Outcome()
        let hasNotBegun = entry == loaded && isLoading
        if entry != loaded {
            guard !isLoading else { return .noop(.moved) }
            // The loaded entry has ended, and its follower cannot be played.
            guard entry == followed, let step = nextStep else {
                return withdrawn.contains(entry) ? playedThrough(at: now) : callBack(at: now)
            }
            startAfresh(into: &outcome)
            take(step, leaving: true, at: now, into: &outcome)
        } else if !isLoading, positionMs(at: now).minus(beganAtMs) >= Self.heardMs {
            failures = 0
            passed = 0
        }
        if isAway { passed += 1 } else { failures += 1 }
        _ = queue.note(reason, on: entry)
        problem = isAway ? passing(entry, reason) : reason
        outcome.touched.formUnion([.now, .room, .timeline])
        let limit = min(Self.failuresBeforeStopping, queue.count)
        let isEnough = failures >= limit || failures + passed >= queue.count
        guard !isEnough, !repeatsCurrent, let step = madeStep(ahead: 1) else {
            let count = failures + passed
            if isEnough, count > 1 { problem = "Stopped after \(count) entries in a row could not be played. \(reason)" }
            failures = 0
            passed = 0
            if upcoming == nil, queue.count > 1 {
                outcome.add(runOut(wasLeft: false, at: now))
            } else {
                halt(at: now, into: &outcome)
            }
            if hasNotBegun { restoreQueue(lostTo: entry, at: now, into: &outcome) }
            return outcome
        }
        skipped = entry
        outcome.add(go(step, at: now))
        return outcome
    }

    /// A single item that replaced a queue and cannot be played restores that queue, at its old position.
    private mutating func restoreQueue(lostTo entry: EntryID, at now: Moment, into outcome: inout Outcome) {
        guard let edit = queue.history.undoable, edit.kind == .replace, let undo = edit.undo, undo.sender == nil,
            undo.brought == [entry], !undo.taken.isEmpty, queue.count == 1, let back = try? self.undo(by: edit.author, at: now)
        else { return }
        outcome.add(back)
        // The restored entries are published to all clients, and are no answer to a command.
        outcome.added = []
    }

    private func passing(_ entry: EntryID, _ reason: String) -> String {
        let title = queue.index(of: entry).map { queue.entries[$0].tags.title } ?? ""
        return title.isEmpty ? reason : "“\(title)” was passed over. \(reason)"
    }

    private mutating func outputTrouble(_ sentence: String?) -> Outcome {
        guard outputProblem != sentence else { return .noop(.same) }
        outputProblem = sentence
        var outcome = Outcome()
        outcome.touched = [.room]
        return outcome
    }
}

extension ItemURI {
    /// True for a file or an address that has not been read yet.
    fileprivate var isPlain: Bool { ["file", "http", "https"].contains(String(source)) }
}

extension Tags {
    /// Tags of the source win where they say something; the file fills the rest.
    fileprivate func enriched(by file: Tags) -> Tags {
        var tags = file.filled(from: self)
        tags.kind = file.kind == .station ? .station : kind
        tags.streamTitle = file.streamTitle ?? streamTitle
        tags.durationMs = tags.kind == .station ? nil : durationMs ?? file.durationMs
        return tags
    }

    /// Tags of the file win where they say something; the source fills the rest.
    func filled(from file: Tags) -> Tags {
        var tags = file
        if tags.title.isEmpty { tags.title = title }
        if tags.artists.isEmpty { tags.artists = artists }
        if tags.album.isEmpty { tags.album = album }
        if tags.albumArtist.isEmpty { tags.albumArtist = albumArtist }
        tags.track = tags.track ?? track
        tags.disc = tags.disc ?? disc
        tags.year = tags.year ?? year
        tags.streamTitle = tags.streamTitle ?? streamTitle
        tags.art = tags.art ?? art
        // A file does not know whether it is a track or a chapter; a stream knows that it is live.
        tags.kind = tags.kind == .station ? .station : kind
        tags.durationMs = tags.kind == .station ? nil : tags.durationMs ?? durationMs
        return tags
    }
}
