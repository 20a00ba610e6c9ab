import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// Commands about places in spoken items. They wait for a disk, so they run off the loop.
@Loop
struct ProgressCommands {
    let places: PlaceService
    let sources: Sources
    let marks: any PersonMarks
    let changes: RoomChanges
    let clock: HubClock

    func install(in commands: CommandTable) {
        commands.answer(Commands.ProgressAsleep.self, asleep)
        commands.answer(Commands.ProgressHere.self, here)
        commands.ask(Commands.ProgressTold.self, take)
        commands.find(Commands.ProgressListing.self, with: changes.ledger, list)
        commands.ask(Commands.ProgressRestore.self) { command, accepted async throws(SourceFault) in
            let (hand, atMs, session) = (hand(accepted), clock.wallMs(), command.session)
            return try await set(command.uri, for: accepted) { places, _ throws(Refusal) in
                try places.restore(session, by: hand, atMs: atMs)
            }
        }
        commands.ask(Commands.ProgressFinish.self) { command, accepted async throws(SourceFault) in
            let (hand, atMs) = (hand(accepted), clock.wallMs())
            return try await set(command.uri, goesThere: false, for: accepted) { places, durationMs throws(Refusal) in
                places.finish(durationMs: durationMs, by: hand, atMs: atMs)
            }
        }
        commands.ask(Commands.ProgressReset.self) { command, accepted async throws(SourceFault) in
            let (hand, atMs) = (hand(accepted), clock.wallMs())
            return try await set(command.uri, for: accepted) { places, _ throws(Refusal) in places.reset(by: hand, atMs: atMs) }
        }
    }

    /// Handles the report of a sleeping listener, for entries that the queue still has.
    private func asleep(_ command: Commands.ProgressAsleep, _ accepted: AcceptedCommand) -> Answer {
        let room = accepted.live.room
        var places = AsleepPlaces([])
        if let asleep = room.sleepPositions.asleep {
            places.atMs = asleep.atMs
            let points: [(AsleepPlaces.Moment, HeardPoint)] = [(.end, asleep.ended), (.begin, asleep.began), (.press, asleep.pressed)]
            places.rows = points.compactMap { moment, point in
                room.queue.index(of: point.entry).map {
                    AsleepPlaces.Row(
                        moment: moment, entry: point.entry, title: room.queue.entries[$0].tags.title, positionMs: point.positionMs)
                }
            }
        }
        return changes.ledger.found(places, for: accepted)
    }

    /// Lets the room go on, although its person listens elsewhere too.
    private func here(_ command: Commands.ProgressHere, _ accepted: AcceptedCommand) throws(ProtocolFault) -> Answer {
        let answer = try changes.answer(accepted) { room, _, _ in room.setElsewhere(nil) }
        places.goOnHere(in: accepted.live)
        return answer
    }

    // MARK: Lists

    private func list(_ command: Commands.ProgressListing, _ accepted: AcceptedCommand) async throws(SourceFault) -> ProgressList {
        let (person, page, isFinished) = (accepted.identity.person, command.page, command.isFinished)
        if let uri = command.uri {
            let row = try await places.lookInTurn { storage throws(SourceFault) in try storage.placed(by: person, in: uri) }
            return ProgressList(await rows(row.map { [$0] } ?? [], of: person))
        }
        let from = page.window.offset
        // One extra row tells whether there are more.
        let window = PageWindow(from: from, limit: page.limit + 1)
        let placed = try await places.lookInTurn { storage throws(SourceFault) in
            try storage.placed(by: person, isFinished: isFinished, window)
        }
        let shown = await rows(Array(placed.prefix(page.limit)), of: person)
        return ProgressList(shown, cursor: placed.count > shown.count ? String(from + shown.count) : nil)
    }

    private func rows(_ placed: [ItemWithPlaces], of person: Person) async -> [PlacedItem] {
        let items = await marks.marked(placed.map(\.row), for: person)
        return zip(items, placed).map { item, row in
            PlacedItem(uri: item.uri, item: item.tags.title.isEmpty ? nil : item, place: row.places.current, sides: row.places.sides)
        }
    }

    // MARK: Reports

    private func take(_ report: Commands.ProgressTold, _ accepted: AcceptedCommand) async throws(SourceFault) -> Answer {
        let identity = accepted.identity
        if report.isAtEnd, let answer = try await played(report, accepted) { return answer }
        let name = identity.listenerName
        let session = ListeningSession(report.session, on: name, from: report.parent)
        let atMs = clock.wallMs()
        let stored = try await change(report.uri, for: accepted) { places, durationMs throws(Refusal) in
            try places.take(
                PlaceReport(session, positionMs: report.positionMs, durationMs: durationMs, isAtEnd: report.isAtEnd, atMs: atMs))
        }
        if stored.change == .moved, !report.isAtEnd {
            places.ask(Elsewhere(device: name, positionMs: report.positionMs), about: report.uri, of: identity.person)
        }
        return done(stored.change, stored: stored.places, of: report.uri, for: accepted)
    }

    /// Counts a report about music as a play, when the person has no place in the item. An item that no source calls music
    /// may be a book, and invalid reports are refused with the places.
    private func played(_ report: Commands.ProgressTold, _ accepted: AcceptedCommand) async throws(SourceFault) -> Answer? {
        let person = accepted.identity.person
        let known = try await places.look { storage throws(SourceFault) in try storage.placed(by: person, in: report.uri) }
        guard known == nil, report.parent != report.session else { return nil }
        let heard = try await item(report.uri, accepted)
        guard heard.tags.kind == .track, !heard.tags.title.isEmpty else { return nil }
        if let durationMs = heard.tags.durationMs, report.positionMs - durationMs > Places.beyondEndMs { return nil }
        marks.notePlayed(heard, by: person, in: accepted.live.room.id, sinceMs: clock.wallMs() - max(0, report.positionMs))
        return done(.moved, stored: Places(), of: report.uri, for: accepted)
    }

    private func change(
        _ uri: ItemURI, for accepted: AcceptedCommand,
        by body: @escaping @Sendable (inout Places, _ durationMs: Milliseconds?) throws(Refusal) -> Places.Change
    ) async throws(SourceFault) -> PlaceService.StoredPlaces {
        try await places.change(
            uri, of: accepted.identity.person, item: { () async throws(SourceFault) in try await item(uri, accepted) }, by: body)
    }

    /// The item of a report. The source is asked when the person has no place in it.
    private func item(_ uri: ItemURI, _ accepted: AcceptedCommand) async throws(SourceFault) -> NewEntry {
        do throws(SourceFault) {
            let row = try await sources.details(of: uri, trust: accepted.identity.trust).row
            guard !row.tags.kind.isContainer, row.tags.kind != .station else {
                throw SourceFault(.unsupported, "“\(row.tags.title)” is nothing in which there is a place to go on.")
            }
            return NewEntry(uri: row.uri, tags: row.tags)
        } catch {
            // While its source is unavailable, the report is stored without its texts.
            guard error.code == .unavailable else { throw error }
            return NewEntry(uri: uri, tags: Tags())
        }
    }

    // MARK: By hand

    /// The command as a listening session. A repeated command has the same session.
    private func hand(_ accepted: AcceptedCommand) -> ListeningSession {
        let press = accepted.key.map { "k" + $0.key.prefix(SessionID.mostBytes - 1) } ?? "p" + String(clock.now.random, radix: 36)
        return ListeningSession(SessionID(press), on: accepted.identity.listenerName)
    }

    private func set(
        _ uri: ItemURI, goesThere: Bool = true, for accepted: AcceptedCommand,
        by body: @escaping @Sendable (inout Places, _ durationMs: Milliseconds?) throws(Refusal) -> Places.Change
    ) async throws(SourceFault) -> Answer {
        let stored = try await change(uri, for: accepted, by: body)
        if goesThere, stored.change == .moved, let answer = goThere(stored.places, in: uri, accepted) { return answer }
        return done(stored.change, stored: stored.places, of: uri, for: accepted)
    }

    /// Moves the room to the new place, if the item is current there.
    private func goThere(_ stored: Places, in uri: ItemURI, _ accepted: AcceptedCommand) -> Answer? {
        let live = accepted.live
        guard let place = stored.current, live.room.currentEntry?.uri == uri, live.room.timeline.state != .stopped else { return nil }
        places.startAnew(in: live.room.id)
        return try? changes.answer(accepted, with: data(stored, uri)) { room, numbers, now throws(Refusal) in
            try room.apply(.seek(entry: nil, toMs: place.positionMs), at: now, numbers: &numbers)
        }
    }

    private func done(_ change: Places.Change, stored: Places, of uri: ItemURI, for accepted: AcceptedCommand) -> Answer {
        changes.done(change != .same, for: accepted, data(stored, uri))
    }

    private func data(_ stored: Places, _ uri: ItemURI) -> ProgressList {
        ProgressList([PlacedItem(uri: uri, place: stored.current, sides: stored.sides)])
    }
}

extension Identity {
    /// The name of a listening device.
    fileprivate var listenerName: String { displayName.isEmpty ? authorName : displayName }
}
