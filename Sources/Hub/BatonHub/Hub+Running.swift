package import BatonCore
package import BatonProtocol
package import BatonSeams

/// The hub as the program runs it: what is opened once it is there.
extension Hub {
    package var epoch: String { ledger.epoch }
    /// Where the web remote can be opened.
    package var pages: [String] {
        get { information.pages }
        set { information.pages = newValue }
    }

    /// The program is there; it is not kept alive by the hub.
    package func add(_ program: any ProgramFacts) { information.program = program }

    /// For the person at the hub's terminal; `nil` where there is an admin already, or no place for one.
    package func firstTicket() -> String? { users?.hasAdmin == true ? nil : deviceRegistry?.firstTicket() }

    /// A source beside those that have a place of their own here.
    package func add(source: any Connector) { sources.add(source) }

    /// Its connections count as the hub's, and end with it.
    package func add(_ dialect: any Dialect) { dialects.all.append(dialect) }

    /// The library is there.
    package func open(_ parts: LibraryParts) {
        for connector in parts.connectors { sources.add(connector) }
        library.open(parts)
        if let keeper = parts.places { places.open(keeper) }
        if let finder = parts.silences { silences.open(finder) }
        for live in rooms.all { plays.look(at: live) }
    }

    /// The accounts at servers are there: their sources can be asked from now on.
    package func open(_ parts: AccountParts) async {
        await accounts.open(parts)
        guard hold.isOn else { return }
        hold.whenOver { [accounts, events] in
            for name in accounts.names { events.send(.sourceChanged(name)) }
            events.send(.sourcesChanged)
        }
    }

    /// The stations of the radio are there.
    package func open(_ stations: any StationShelf) { radio.open(stations) }

    /// The podcasts are there.
    package func open(_ podcasts: any PodcastShelf) { self.podcasts.open(podcasts) }

    /// Where recordings are kept, and what records, is there.
    package func open(_ recordings: RecordingParts) {
        radio.recordings.open(recordings)
        radio.saving.open(recordings)
    }

    /// What makes music, and where that is kept, is there.
    package func open(_ generation: GenerationParts, _ connectors: any Connector...) async {
        for connector in connectors { sources.add(connector) }
        await clips.read(generation.keeper)
        await generating.open(generation)
        await endless.open()
        clips.open()
    }

    /// Where it is kept which items are not the same track is there.
    package func open(_ splits: any FoldSplitKeeper) { library.open(splits) }

    /// What servers have still to be told, and the rows that were noted of them. Before the accounts, whose sources it serves.
    package func open(_ outbox: any Outbox, _ mirror: any SourceMirror) {
        delivery.open(outbox)
        mirrorPasses.open(mirror)
        mirroredLists.open(mirror)
    }

    /// What encodes the streams of rooms is there.
    package func open(_ parts: StreamParts) { streams.open(parts) }

    /// What encodes items for devices that play along is there.
    package func open(_ parts: TranscodeParts) { transcodes.open(parts) }

    /// Sources are about to be opened; commands that need one wait until `settle`.
    package func beginSettling() { settling.begin() }

    package func settle() { settling.finish() }

    /// It is not kept alive by the hub.
    package func welcome(with music: any WelcomeMusic) { playback.welcomeMusic = music }

    /// Puts entries into an empty queue, so that a press on play plays them.
    package func offer(_ items: [NewEntry]) {
        guard rooms.first.room.queue.isEmpty, !items.isEmpty else { return }
        let effect = try? changes.change(rooms.first) { room, numbers, now throws(Refusal) in
            try room.apply(.add(items, at: .end), at: now, numbers: &numbers)
        }
        if effect != nil { publisher.tell() }
    }

    /// Tracks of other servers are copied here before they play.
    package func keep(tracks: any TrackKeeping) {
        sources.keeping = tracks
        ahead.roomChanged()
    }

    /// Whole copies of what people name are kept there, until there are so many bytes, and no more of them a second than `rate`.
    package func keep(_ kept: any KeptTracks, limit: Int64, rate: Int64 = 0, isPreferred: Bool = true) async {
        await keeping.open(kept, limit: limit, rate: rate, isPreferred: isPreferred)
    }

    /// Asks the player for its devices where a saved room waits for one.
    package func lookForOutputs() { players.lookForOutputs() }

    /// What the hub keeps for each connection, client, room and item, in numbers. Each has a bound.
    package var memoryFigures: HubDiagnostics.Memory.Part {
        HubDiagnostics.Memory.Part(
            "hub",
            dialects.all.flatMap(\.memoryFigures) + [
                .init("people", people.count), .init("rooms", rooms.shared.count), .init("privateRooms", rooms.personal.count),
                .init("deletedRooms", rooms.deleted.count),
                .init("entries", rooms.all.reduce(0) { $0 + $1.room.queue.count }),
                .init("playersLeaving", players.closing.count), .init("clients", choices.count), .init("mediaPasses", media.count),
            ])
    }
}
