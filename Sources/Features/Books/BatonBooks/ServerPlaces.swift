import BatonCore
import BatonKernel
import BatonSeams

/// Synchronises places with servers that store them for the person of their account, so that a book can go on between a phone
/// and a room. Accounts belong to the home, and so do places at servers.
///
/// Changes here are sent by the outbox. Changes by other devices are pushed by servers that can. From others they are read
/// when the source becomes available, and every five minutes while clients are connected.
@Loop
final class ServerPlaces: ServerPlaceHearing {
    private let places: PlaceService
    private let servers: any ServerTelling
    private let sending: PlaceSending
    private let sources: Sources
    private let dialects: Dialects
    private let clock: HubClock
    private let log: Log
    /// Sources that were read since they became available.
    private var asked: Set<String> = []
    /// Items to compare, each with the places that differ from the server's known one.
    private var looks: [ItemURI: [ServerPlace]] = [:]
    private let work = BackgroundQueue()
    private var alarm: (any Alarm)?
    /// True when reading was skipped, since there was no client.
    private var isStale = false
    private var isClosed = false

    private static let pause = Duration.seconds(300)
    /// Limit on compared items: more than a person listens to.
    private static let mostLooks = 200
    private nonisolated static let mostOwn = 50
    /// Limit on notes of a source that are searched for an item.
    private static let mostNotes = 1000

    init(
        places: PlaceService, sending: PlaceSending, servers: any ServerTelling, sources: Sources, dialects: Dialects,
        clock: HubClock, log: Log
    ) {
        self.places = places
        self.sending = sending
        self.servers = servers
        self.sources = sources
        self.dialects = dialects
        self.clock = clock
        self.log = log
        places.serverPlaces = self
        sending.serverPlaces = self
    }

    func close() async {
        isClosed = true
        alarm?.cancel()
        await work.finish()
    }

    // MARK: To servers

    func tell(_ told: PlaceService.ServerReport) async {
        let source = sources.name(of: told.uri)
        guard told.person == .home else { return }
        // During playback the last half minute is a place like others, and not the end.
        let place = ServerPlace(told.place, isFinished: told.place.isFinished && told.state == .stopped)
        let note = WriteBack.progress(ServerPlaceNote(told.uri, place, state: told.state, on: told.place.device))
        do throws(SourceFault) { try await servers.add(note, for: source, atMs: told.place.atMs) } catch {
            log(.warning, "A place could not be noted for “\(source)”: \(error.sentence)")
        }
    }

    /// True while the note's place is still current. A later place has its own note.
    func isPlace(_ uri: ItemURI, atMs: Milliseconds) async throws(SourceFault) -> Bool {
        guard places.isOpen else { return true }
        return try await current(uri)?.atMs == atMs
    }

    // MARK: From servers

    /// Handles sources that were added or changed, went down or came back.
    func considerAll() {
        asked.formIntersection(sources.connectors.map(\.source))
        for connector in sources.connectors where connector.about.abilities.contains(.progress) {
            let name = connector.source
            if sources.usable(name) == nil || sources.latencyMs(of: name) == nil {
                asked.remove(name)
            } else if asked.insert(name).inserted {
                read(connector)
            }
        }
    }

    /// Handles the first client.
    func arrived() { if isStale { readAll() } }

    private func readAll() {
        isStale = false
        asked = []
        considerAll()
    }

    private func read(_ connector: any Connector) {
        guard !isClosed, places.isOpen else { return }
        work.add { [weak self, sources, log] in
            do throws(SourceFault) {
                let found = try await sources.ask(connector, within: Sources.Limit.list) { connector throws(SourceFault) in
                    try await connector.places()
                }
                for (uri, place) in found { self?.heard(place, in: uri, at: connector.source) }
                for (uri, place) in try await self?.own(of: connector.source) ?? [] { self?.heard(place, in: uri, at: connector.source) }
            } catch {
                log(.debug, "The places at “\(connector.about.name)” are not known: \(error.sentence)")
            }
        }
        guard alarm == nil else { return }
        alarm = clock.after(Self.pause) { [weak self] in
            guard let self else { return }
            alarm = nil
            if dialects.connections > 0 { readAll() } else { isStale = true }
        }
    }

    /// The newest places here for items of this source, since the server may not have received one.
    private func own(of source: String) async throws(SourceFault) -> [(uri: ItemURI, place: ServerPlace)] {
        let rows = try await places.look { storage throws(SourceFault) in
            try storage.placed(by: .home, isFinished: false, PageWindow(limit: Self.mostOwn))
                + storage.placed(by: .home, isFinished: true, PageWindow(limit: Self.mostOwn))
        }
        return rows.compactMap { row in
            guard sources.name(of: row.row.uri) == source, let place = row.places.current else { return nil }
            return (row.row.uri, ServerPlace(place, isFinished: place.isFinished))
        }
    }

    /// Handles a place that the server pushed. It may come from this hub's own note.
    func heard(_ place: ServerPlace, in uri: ItemURI, at source: String) {
        guard !isClosed, places.isOpen, looks.count < Self.mostLooks else { return }
        let isNew = looks[uri] == nil
        if looks[uri]?.contains(place) != true { looks[uri, default: []].append(place) }
        if isNew { work.add { [weak self] in await self?.look(at: uri, source) } }
    }

    private func look(at uri: ItemURI, _ source: String) async {
        let news = looks.removeValue(forKey: uri) ?? []
        guard !isClosed, let connector = sources.usable(source) else { return }
        do throws(SourceFault) {
            let isBehind = try await sending.look(
                at: uri, news: news, of: connector,
                unless: { [self] () async throws(SourceFault) in
                    let waiting = try await servers.pending(of: source, limit: Self.mostNotes)
                    return waiting.contains { if case .progress(let note) = $0.note { note.uri == uri && !$0.isRefused } else { false } }
                },
                ours: { [self] () async throws(SourceFault) in try await current(uri).map { ServerPlace($0, isFinished: $0.isFinished) } })
            // This happens when the item was played here before the account existed.
            if isBehind, let place = try await current(uri) {
                await tell(PlaceService.ServerReport(uri: uri, place: place, person: .home, state: place.isFinished ? .stopped : .paused))
            }
        } catch {
            log(.debug, "The place in \(uri.text) at “\(connector.about.name)” is not known: \(error.sentence)")
        }
    }

    private func current(_ uri: ItemURI) async throws(SourceFault) -> ItemPlace? {
        try await places.look { storage throws(SourceFault) in try storage.places(of: .home, in: uri).current }
    }

    /// Stores the place of another device. `isAhead` is true when it becomes the current place; otherwise it is a side place.
    /// It is stored when this returns.
    func store(_ place: ServerPlace, in uri: ItemURI, at source: String, isAhead: Bool) async throws(SourceFault) {
        guard places.isOpen else { return }
        let device = await device(of: uri, at: source)
        try await places.found(place, in: try await item(uri), by: ServerSessions(source, titled: device, at: clock.now), isAhead: isAhead)
    }

    /// The name of the other device, if the server reports it; else the server's own name.
    private func device(of uri: ItemURI, at source: String) async -> String {
        guard let connector = sources.usable(source) else { return source }
        let title = connector.about.name
        guard connector.about.abilities.contains(.sessions) else { return title }
        let saved = try? await sources.ask(connector, within: Sources.Limit.item) { connector throws(SourceFault) in
            try await connector.savedQueue()
        }
        guard let saved = saved.flatMap({ $0 }), saved.entries.first?.uri == uri, let device = saved.savedBy else { return title }
        return device
    }

    /// The entry for an item, with its texts if they are known.
    private func item(_ uri: ItemURI) async throws(SourceFault) -> NewEntry {
        let known = try await places.look { storage throws(SourceFault) in try storage.placed(by: .home, in: uri) }
        guard known == nil, let row = try? await sources.details(of: uri, trust: .itemsOnly).row else {
            return NewEntry(uri: uri, tags: Tags())
        }
        return NewEntry(uri: uri, tags: row.tags)
    }
}

/// Session names for listening elsewhere, at servers that do not tell sessions apart. A session that continues keeps its
/// name, so that a device which plays for long is one session.
struct ServerSessions {
    let device: String
    let atMs: Milliseconds
    private let start: String
    private let fresh: SessionID

    init(_ source: String, titled title: String, at now: Moment) {
        device = title
        atMs = now.wallMs
        start = "at \(source.prefix(24)) "
        fresh = SessionID(start + String(now.random, radix: 36))
    }

    func session(after current: ItemPlace?, isAhead: Bool) -> SessionID {
        guard isAhead, let current, current.session.text.hasPrefix(start) else { return fresh }
        return current.session
    }
}
