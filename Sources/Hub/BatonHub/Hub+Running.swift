package import BatonCore
package import BatonKernel
package import BatonLibrary
package import BatonListening
package import BatonMaking
package import BatonProtocol
package import BatonRadio
package import BatonSeams
package import BatonServers

/// The hub as the program runs it: what is opened once it is there.
extension Hub {
    package var epoch: String { kernel.ledger.epoch }
    /// Where the web remote can be opened.
    package var pages: [String] {
        get { kernel.information.pages }
        set { kernel.information.pages = newValue }
    }

    /// The program is there; it is not kept alive by the hub.
    package func add(_ program: any ProgramFacts) { kernel.information.program = program }

    /// For the person at the hub's terminal; `nil` where there is an admin already, or no place for one.
    package func firstTicket() -> String? { users?.hasAdmin == true ? nil : deviceRegistry?.firstTicket() }

    /// A source beside those that have a place of their own here.
    package func add(source: any Connector) { kernel.sources.add(source) }

    /// Its connections count as the hub's, and end with it.
    package func add(_ dialect: any Dialect) { kernel.dialects.all.append(dialect) }

    /// The program could not open the store of a feature, which is named among the hub's problems; the others run.
    package func note(_ fault: FeatureFault, of feature: FeatureName) { kernel.note(fault, of: feature) }

    private func attempt(_ feature: FeatureName, _ open: () async throws(FeatureFault) -> Void) async {
        do throws(FeatureFault) { try await open() } catch { kernel.note(error, of: feature) }
    }

    /// The library is there.
    package func open(_ parts: LibraryParts) {
        for connector in parts.connectors { kernel.sources.add(connector) }
        features.library.library.open(parts)
        if let places = parts.places { features.books.open(places) }
        if let silences = parts.silences { features.books.open(silences) }
        for live in rooms.all { features.library.plays.look(at: live) }
    }

    /// The accounts at servers are there: their sources can be asked from now on.
    package func open(_ parts: AccountParts) async {
        await features.servers.accounts.open(parts)
        guard hold.isOn else { return }
        hold.whenOver { [accounts = features.servers.accounts, events = kernel.events] in
            for name in accounts.names { events.send(.sourceChanged(name)) }
            events.send(.sourcesChanged)
        }
    }

    /// The stations of the radio are there.
    package func open(_ stations: any StationShelf) { features.radio.radio.open(stations) }

    /// The podcasts are there.
    package func open(_ podcasts: any PodcastShelf) { features.podcasts.podcasts.open(podcasts) }

    /// Where recordings are kept, and what records, is there.
    package func open(_ recordings: RecordingParts) { features.radio.open(recordings) }

    /// What makes music, and where that is kept, is there.
    package func open(_ generation: GenerationParts, _ connectors: any Connector...) async {
        for connector in connectors { kernel.sources.add(connector) }
        await attempt(features.making.name) { () async throws(FeatureFault) in try await features.making.open(generation) }
    }

    /// Where it is kept which items are not the same track is there.
    package func open(_ splits: any FoldSplitKeeper) { features.library.library.open(splits) }

    /// What servers have still to be told, and the rows that were noted of them. Before the accounts, whose sources it serves.
    package func open(_ outbox: any Outbox, _ mirror: any SourceMirror) { features.servers.open(outbox, mirror) }

    /// What encodes the streams of rooms is there.
    package func open(_ parts: StreamParts) { features.listening.streams.open(parts) }

    /// What encodes items for devices that play along is there.
    package func open(_ parts: TranscodeParts) { features.listening.transcodes.open(parts) }

    /// Sources are about to be opened; commands that need one wait until `settle`.
    package func beginSettling() { kernel.settling.begin() }

    package func settle() { kernel.settling.finish() }

    /// It is not kept alive by the hub.
    package func welcome(with music: any WelcomeMusic) { features.playing.playback.welcomeMusic = music }

    /// Puts entries into an empty queue, so that a press on play plays them.
    package func offer(_ items: [NewEntry]) {
        guard rooms.first.room.queue.isEmpty, !items.isEmpty else { return }
        let effect = try? kernel.changes.change(rooms.first) { room, numbers, now throws(Refusal) in
            try room.apply(.add(items, at: .end), at: now, numbers: &numbers)
        }
        if effect != nil { kernel.publisher.tell() }
    }

    /// Tracks of other servers are copied here before they play.
    package func keep(tracks: any TrackKeeping) {
        kernel.sources.keeping = tracks
        features.copies.ahead.roomChanged()
    }

    /// Whole copies of what people name are kept there, until there are so many bytes, and no more of them a second than `rate`.
    package func keep(_ kept: any KeptTracks, limit: Int64, rate: Int64 = 0, isPreferred: Bool = true) async {
        await attempt(features.copies.name) { () async throws(FeatureFault) in
            try await features.copies.keeping.open(kept, limit: limit, rate: rate, isPreferred: isPreferred)
        }
    }

    /// Asks the player for its devices where a saved room waits for one.
    package func lookForOutputs() { kernel.players.lookForOutputs() }

    /// What the hub keeps for each connection, client, room and item, in numbers. Each has a bound.
    package var memoryFigures: HubDiagnostics.Memory.Part {
        HubDiagnostics.Memory.Part(
            "hub",
            kernel.dialects.all.flatMap(\.memoryFigures) + [
                .init("people", kernel.people.count), .init("rooms", rooms.shared.count), .init("privateRooms", rooms.personal.count),
                .init("deletedRooms", rooms.deleted.count),
                .init("entries", rooms.all.reduce(0) { $0 + $1.room.queue.count }),
                .init("playersLeaving", kernel.players.closing.count), .init("clients", kernel.choices.count),
                .init("mediaPasses", kernel.media.count),
            ])
    }
}
