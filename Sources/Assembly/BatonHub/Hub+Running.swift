package import BatonCore
package import BatonDialectAccess
package import BatonKernel
package import BatonLibrary
package import BatonListening
package import BatonMaking
package import BatonProtocol
package import BatonRadio
package import BatonSeams
package import BatonServers

/// Parts that the program adds to a running hub.
extension Hub {
    package var epoch: String { kernel.ledger.epoch }
    package var pages: [String] {
        get { kernel.information.pages }
        set { kernel.information.pages = newValue }
    }

    /// Adds the program, which the hub does not own.
    package func add(_ program: any ProgramFacts) { kernel.information.program = program }

    /// The link for the person at the hub's terminal; `nil` when there is an admin, or pairing is unavailable.
    package func firstTicket() -> String? { users?.hasAdmin == true ? nil : deviceRegistry?.firstTicket() }

    /// Adds a source without a feature of its own.
    package func add(source: any Connector) { kernel.sources.add(source) }

    /// Adds a dialect. Its connections count as the hub's, and end with it.
    package func add(_ dialect: any Dialect) { kernel.dialects.all.append(dialect) }

    /// Adds a dialect that the hub's owner can switch.
    package func add(_ dialect: any SwitchedDialect) async { await features.dialectAccess.switches.add(dialect) }

    /// Opens the passwords of dialects, and what was switched.
    package func open(_ parts: DialectParts) async {
        await attempt(features.dialectAccess.name) { () async throws(FeatureFault) in try await features.dialectAccess.open(parts) }
    }

    /// Checks passwords for dialects.
    package var dialectPasswords: any DialectPasswords { features.dialectAccess.passwords }

    /// Notes that the store of a feature could not be opened. The fault is listed in the hub's problems, and the other
    /// features run.
    package func note(_ fault: FeatureFault, of feature: FeatureName) { kernel.note(fault, of: feature) }

    private func attempt(_ feature: FeatureName, _ open: () async throws(FeatureFault) -> Void) async {
        do throws(FeatureFault) { try await open() } catch { kernel.note(error, of: feature) }
    }

    package func open(_ parts: LibraryParts) {
        for connector in parts.connectors { kernel.sources.add(connector) }
        features.library.library.open(parts)
        if let places = parts.places { features.books.open(places) }
        if let silences = parts.silences { features.books.open(silences) }
        for live in rooms.all { features.library.plays.look(at: live) }
    }

    /// Opens the accounts at servers, whose sources can be asked from now on.
    package func open(_ parts: AccountParts) async {
        await features.servers.accounts.open(parts)
        guard hold.isOn else { return }
        hold.whenOver { [accounts = features.servers.accounts, events = kernel.events] in
            for name in accounts.names { events.send(.sourceChanged(name)) }
            events.send(.sourcesChanged)
        }
    }

    package func open(_ stations: any StationShelf) { features.radio.radio.open(stations) }

    package func open(_ podcasts: any PodcastShelf) { features.podcasts.podcasts.open(podcasts) }

    package func open(_ recordings: RecordingParts) { features.radio.open(recordings) }

    /// Opens the workers for generated music and their store.
    package func open(_ generation: MakingParts, _ connectors: any Connector...) async {
        for connector in connectors { kernel.sources.add(connector) }
        await attempt(features.making.name) { () async throws(FeatureFault) in try await features.making.open(generation) }
    }

    /// Opens the store of items that are different tracks.
    package func open(_ splits: any FoldSplitStorage) { features.library.library.open(splits) }

    /// Opens the outbox and the mirror for servers. This comes before the accounts, whose sources use them.
    package func open(_ outbox: any Outbox, _ mirror: any SourceMirror) { features.servers.open(outbox, mirror) }

    package func open(_ parts: StreamParts) { features.listening.streams.open(parts) }

    package func open(_ parts: TranscodeParts) { features.listening.transcodes.open(parts) }

    /// Marks that sources are being opened; commands that need one wait until `settle`.
    package func beginSettling() { kernel.settling.begin() }

    package func settle() { kernel.settling.finish() }

    /// Sets the welcome music, which the hub does not own.
    package func welcome(with music: any WelcomeMusic) { features.playing.playback.welcomeMusic = music }

    /// Puts entries into an empty queue, so that play starts them.
    package func offer(_ items: [NewEntry]) {
        guard rooms.first.room.queue.isEmpty, !items.isEmpty else { return }
        let effect = try? kernel.changes.change(rooms.first) { room, numbers, now throws(Refusal) in
            try room.apply(.add(items, at: .end), at: now, numbers: &numbers)
        }
        if effect != nil { kernel.publisher.tell() }
    }

    /// Sets the cache for tracks of other servers, which are copied before they play.
    package func keep(tracks: any TrackKeeping) {
        kernel.sources.keeping = tracks
        features.copies.ahead.roomChanged()
    }

    /// Sets the store of copies that people ask for, with a limit in bytes, and a limit of bytes in a second in `rate`.
    package func keep(_ kept: any KeptTracks, limit: Int64, rate: Int64 = 0, isPreferred: Bool = true) async {
        await attempt(features.copies.name) { () async throws(FeatureFault) in
            try await features.copies.keeping.open(kept, limit: limit, rate: rate, isPreferred: isPreferred)
        }
    }

    package func lookForOutputs() { kernel.players.lookForOutputs() }

    /// Number of stored values for connections, clients, rooms and items. Each has a limit.
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
