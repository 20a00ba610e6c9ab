/// What a room makes of its player's reports. A report about an entry that was replaced meanwhile
/// changes nothing.
extension Room {
    package mutating func hear(_ report: PlayerReport, at now: Moment) -> Outcome {
        let before = sleepView(at: now)
        let asleep = sleepPlaces.asleep
        var outcome = take(report, at: now)
        // Listening on into the next entry is a decision too; a timer that ends with an entry goes to the next one by itself.
        if queue.current != before.entry, sleepPlaces.asleep == asleep { endOffer(into: &outcome) }
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
        case .described(let entry, let tags, let format): return described(entry, tags, format)
        case .chapters(let entry, let marks): return chapters(entry, marks)
        case .ended(let entry): return ended(entry, at: now)
        case .failed(let entry, let reason): return failed(entry, reason, at: now)
        case .away(let entry, let reason): return failed(entry, reason, isAway: true, at: now)
        case .outputTrouble(let sentence): return outputTrouble(sentence)
        // The hub's business: devices belong to no room, and where bytes come from is no part of it.
        case .devices, .starving: return .noop(.same)
        }
    }

    private mutating func began(_ entry: EntryID, at now: Moment) -> Outcome {
        if isLoading {
            // While an entry is being loaded, news of any other is of what played before.
            return entry == loaded ? loadedBegan(entry, at: now) : .noop(.moved)
        }
        if isAgain(entry, at: now) {
            beginsTwice = false
            return loadedBegan(entry, at: now)
        }
        if entry == followed, let step = nextStep { return followerBegan(step, at: now) }
        if entry == loaded { return loadedBegan(entry, at: now) }
        // Gone on to what was to follow before: to the room the loaded entry has ended.
        return withdrawn.contains(entry) ? playedThrough(at: now) : callBack(at: now)
    }

    /// Whether the loaded entry, which is to follow itself, has begun a second time, and not yet followed:
    /// it cannot have played to its end by now.
    private func isAgain(_ entry: EntryID, at now: Moment) -> Bool {
        guard beginsTwice, entry == loaded, let durationMs = queue.currentEntry?.tags.durationMs else { return false }
        return positionMs(at: now) < durationMs - Self.nearEndMs
    }

    /// May come twice, when an entry was loaded again before its first beginning was heard of.
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

    /// The player is at something the room knows nothing of. Names alone cannot always tell a
    /// second loading of an entry from the first, so it is told again what people see.
    private mutating func callBack(at now: Moment) -> Outcome {
        guard let loaded else { return .noop(.moved) }
        return start(loaded, fromMs: positionMs(at: now), paused: timeline.state == .paused, at: now)
    }

    private mutating func followerBegan(_ step: Step, at now: Moment) -> Outcome {
        var outcome = Outcome()
        endings.note(loaded)
        startAfresh(into: &outcome)
        take(step, at: now, into: &outcome)
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

    /// A measured line is taken when it agrees with what the room is doing, and told only when a
    /// remote would draw something visibly else from it.
    private mutating func line(_ entry: EntryID, _ measured: Timeline, at now: Moment) -> Outcome {
        guard entry == loaded, !isLoading, measured.rate == timeline.rate else { return .noop(.moved) }
        // Measured before the line that is shown was drawn, as just before a seek.
        guard measured.atUs >= timeline.atUs || timeline.atUs > now.us else { return .noop(.moved) }
        // Where one of the two lines has yet to begin, they are compared once it has: before that both stand near each other.
        let comparedUs = max(now.us, measured.atUs, timeline.atUs)
        guard !measured.isClose(to: timeline, atUs: comparedUs, withinMs: Self.lineToleranceMs) else { return .noop(.same) }
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
        guard isPlaying, !isHeld else { return .noop(.same) }  // What is paused stands still anyway.
        let wanted: Timeline.State = waiting ? .buffering : .playing
        guard wanted != timeline.state else { return .noop(.same) }
        draw(wanted, fromMs: positionMs(at: now), at: now)
        var outcome = Outcome()
        outcome.touched = [.timeline]
        return outcome
    }

    private mutating func described(_ entry: EntryID, _ tags: Tags, _ format: SoundFormat?) -> Outcome {
        guard let index = queue.index(of: entry) else { return .noop(.moved) }
        let known = queue.entries[index]
        // A file's name says less than what is in it; a source that knows its items says more.
        let merged = known.uri.isPlain ? known.tags.filled(from: tags) : known.tags.enriched(by: tags)
        guard let change = queue.describe(entry, merged, format ?? queue.entries[index].format) else { return .noop(.same) }
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

    /// Only a player that has run dry gets here; the follower's order must have come too late.
    private mutating func playedThrough(at now: Moment) -> Outcome {
        var outcome = Outcome()
        endings.note(loaded)
        if isJoined { return awaitServer(at: now) }
        startAfresh(into: &outcome)
        outcome.add(nextStep.map { go($0, at: now) } ?? runOut(at: now))
        return outcome
    }

    /// What is away is passed over, however much of it follows one another: it says nothing about the player or the rest of the
    /// queue. Once round the queue is enough.
    private mutating func failed(_ entry: EntryID, _ reason: String, isAway: Bool = false, at now: Moment) -> Outcome {
        if isJoined { return failedJoined(entry, reason, at: now) }
        var outcome = Outcome()
        let hasNotBegun = entry == loaded && isLoading
        if entry != loaded {
            guard !isLoading else { return .noop(.moved) }
            // The loaded entry has ended, and what was to follow it cannot be played.
            guard entry == followed, let step = nextStep else {
                return withdrawn.contains(entry) ? playedThrough(at: now) : callBack(at: now)
            }
            startAfresh(into: &outcome)
            take(step, at: now, into: &outcome)
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
        guard !isEnough, !repeatsCurrent, let step = nextStep else {
            let count = failures + passed
            if isEnough, count > 1 { problem = "Stopped after \(count) entries in a row could not be played. \(reason)" }
            failures = 0
            passed = 0
            if upcoming == nil, queue.count > 1 { outcome.add(runOut(at: now)) } else { halt(at: now, into: &outcome) }
            if hasNotBegun { restoreQueue(lostTo: entry, at: now, into: &outcome) }
            return outcome
        }
        outcome.add(go(step, at: now))
        return outcome
    }

    /// A single item that took the place of a queue and cannot be played gives it back, at the position where it was.
    private mutating func restoreQueue(lostTo entry: EntryID, at now: Moment, into outcome: inout Outcome) {
        guard let edit = queue.history.undoable, edit.kind == .replace, let undo = edit.undo, undo.giver == nil,
            undo.brought == [entry], !undo.taken.isEmpty, queue.count == 1, let back = try? self.undo(by: edit.author, at: now)
        else { return }
        outcome.add(back)
        // What came back is told to all, and is no answer to a command.
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
    /// It names a file or an address that was not read yet.
    fileprivate var isPlain: Bool { ["file", "http", "https"].contains(String(source)) }
}

extension Tags {
    /// What the source said wins where it said something; the file fills the rest.
    fileprivate func enriched(by file: Tags) -> Tags {
        var tags = file.filled(from: self)
        tags.kind = file.kind == .station ? .station : kind
        tags.streamTitle = file.streamTitle ?? streamTitle
        tags.durationMs = tags.kind == .station ? nil : durationMs ?? file.durationMs
        return tags
    }

    /// What the file says wins where it says something; what the source said fills the rest.
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
