import BatonCore
import BatonKernel
import BatonSeams

/// Keeps places in step with servers that keep them for the person of their account, so that a book is gone on with on a phone where a
/// room left it, and the other way round. Accounts belong to the home, and so do places at servers.
///
/// What rooms and people change here is told by the outbox. What other devices change there is told by the servers that can, and else
/// read when the source can be used again, and every five minutes while clients are connected.
@Loop
final class ServerPlaces: ServerPlaceHearing {
    private let places: PlaceService
    private let servers: any ServerTelling
    private let sending: PlaceSending
    private let sources: Sources
    private let dialects: Dialects
    private let clock: HubClock
    private let log: Log
    /// Sources that were asked since they can be used.
    private var asked: Set<String> = []
    /// Items that are about to be looked at, and why: places of which one is not what the server was known to have.
    private var looks: [ItemURI: [ServerPlace]] = [:]
    private let work = BackgroundQueue()
    private var alarm: (any Alarm)?
    /// Nothing was asked for a while, since there was no client.
    private var isStale = false
    private var isClosed = false

    private static let pause = Duration.seconds(300)
    /// More than a person goes on with.
    private static let mostLooks = 200
    private nonisolated static let mostOwn = 50
    /// Notes of one source that are looked through for one item.
    private static let mostNotes = 1000

    init(
        _ places: PlaceService, _ sending: PlaceSending, _ servers: any ServerTelling, _ sources: Sources, _ dialects: Dialects,
        _ clock: HubClock, _ log: Log
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

    package func close() async {
        isClosed = true
        alarm?.cancel()
        await work.finish()
    }

    // MARK: To servers

    package func tell(_ told: PlaceService.Told) async {
        let source = sources.name(of: told.uri)
        guard told.person == .home else { return }
        // While it plays, its last half a minute is a place like others.
        let place = ServerPlace(told.place, isFinished: told.place.isFinished && told.state == .stopped)
        let note = WriteBack.progress(ServerPlaceNote(told.uri, place, told.state, on: told.place.device))
        do throws(SourceFault) { try await servers.add(note, for: source, atMs: told.place.atMs) } catch {
            log(.warning, "A place could not be noted for “\(source)”: \(error.sentence)")
        }
    }

    /// Whether what a note tells is still the place. What has become another one since is told by a note of its own.
    func isPlace(_ uri: ItemURI, atMs: Int64) async throws(SourceFault) -> Bool {
        guard places.isOpen else { return true }
        return try await current(uri)?.atMs == atMs
    }

    // MARK: From servers

    /// A source was added or changed, went down or came back.
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

    /// The first client is here.
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

    /// The newest places here of items of this source: the server may not have been told of one.
    private func own(of source: String) async throws(SourceFault) -> [(uri: ItemURI, place: ServerPlace)] {
        let rows = try await places.look { keeper throws(SourceFault) in
            try keeper.placed(by: .home, isFinished: false, PageWindow(limit: Self.mostOwn))
                + keeper.placed(by: .home, isFinished: true, PageWindow(limit: Self.mostOwn))
        }
        return rows.compactMap { row in
            guard sources.name(of: row.row.uri) == source, let place = row.places.current else { return nil }
            return (row.row.uri, ServerPlace(place, isFinished: place.isFinished))
        }
    }

    /// The server says that the person is there in this item. This hub may have told it so.
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
            // As where this item was listened to before there was an account.
            if isBehind, let place = try await current(uri) {
                await tell(PlaceService.Told(uri: uri, place: place, person: .home, state: place.isFinished ? .stopped : .paused))
            }
        } catch {
            log(.debug, "The place in \(uri.text) at “\(connector.about.name)” is not known: \(error.sentence)")
        }
    }

    private func current(_ uri: ItemURI) async throws(SourceFault) -> ItemPlace? {
        try await places.look { keeper throws(SourceFault) in try keeper.places(of: .home, in: uri).current }
    }

    /// Another device left this place there. `isAhead` when it counts from now on; otherwise it is a side place. Returns when it is kept.
    package func keep(_ place: ServerPlace, in uri: ItemURI, at source: String, isAhead: Bool) async throws(SourceFault) {
        guard places.isOpen else { return }
        let device = await device(of: uri, at: source)
        try await places.found(place, in: try await item(uri), by: ServerSessions(source, device, clock.now), isAhead: isAhead)
    }

    /// As what the other device shows itself there, where the server tells; else the server's own name.
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

    /// With its texts, where they are not known yet.
    private func item(_ uri: ItemURI) async throws(SourceFault) -> NewEntry {
        let known = try await places.look { keeper throws(SourceFault) in try keeper.placed(by: .home, in: uri) }
        guard known == nil, let row = try? await sources.details(of: uri, trust: .itemsOnly).row else {
            return NewEntry(uri: uri, tags: Tags())
        }
        return NewEntry(uri: uri, tags: row.tags)
    }
}

/// Names for what was heard elsewhere, where a server does not tell sessions apart: one that goes on keeps its name, so that a device
/// which is listened to for long stays one session.
package struct ServerSessions {
    let device: String
    let atMs: Int64
    private let start: String
    private let fresh: SessionID

    init(_ source: String, _ title: String, _ now: Moment) {
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
