import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// Looks up the tracks of a wish: when it is made, after a change that it depends on, when its source comes back, and every
/// quarter of an hour.
///
/// A track that has left the list is dropped if its server still has it, since a person has removed it then. A track that the
/// server has lost stays, and is marked.
@Loop
final class KeepReview {
    /// The result of asking a source for what a person wants to keep.
    struct Found {
        var title: String
        var kind: ItemKind?
        var tracks: [KeptContents.Track]
    }

    private let service: KeepService
    private var due: Set<String> = []
    /// Sources that were down at the last check.
    private var down: Set<String> = []
    private var working: Task<Void, Never>?
    private var alarm: (any Alarm)?
    private var clockwork: (any Alarm)?
    private var reviewedUs = Microseconds.min / 2

    private static let delay = Duration.milliseconds(500)
    private static let every = Duration.seconds(900)
    private static let sourcesPaceUs: Microseconds = 60_000_000

    init(_ service: KeepService) { self.service = service }

    private var sources: Sources { service.sources }

    func begin() {
        lookAtAll()
        clockwork?.cancel()
        clockwork = service.clock.after(Self.every) { [weak self] in self?.begin() }
    }

    func close() async {
        alarm?.cancel()
        clockwork?.cancel()
        working?.cancel()
        await working?.value
    }

    // MARK: Triggers

    /// Schedules a look at the affected wishes. It is called often, so it does no more.
    func note(_ change: CopyRuleCause) {
        guard service.store != nil, !service.isEmpty else { return }
        switch change {
        case .playlists: look { $0.kind == .playlist }
        case .favourites: look { $0.wish == .favourites }
        case .plays: look { $0.wish.rule == .played }
        // The newest episodes of a podcast exclude finished ones.
        case .finished: look { $0.kind == .podcast }
        case .sources: lookAtSources()
        }
    }

    /// Handles checked sources. Only one that has come back matters, since a failing track has its source checked each time.
    private func lookAtSources() {
        let nowDown = Set(sources.connectors.map(\.source).filter { sources.problem(of: $0) != nil })
        let back = down.subtracting(nowDown)
        down = nowDown
        if !back.isEmpty { service.plan.forgetTroubles { [sources] in back.contains(sources.name(of: $0)) } }
        service.fetching.consider()
        if !back.isEmpty, service.clock.nowUs - reviewedUs > Self.sourcesPaceUs { lookAtAll() }
    }

    func look(at wish: KeepWish) { look { $0.wish.name == wish.name } }

    private func lookAtAll() {
        reviewedUs = service.clock.nowUs
        look { _ in true }
    }

    private func look(_ isMeant: (KeepPlan.Entry) -> Bool) {
        for entry in service.plan.entries where isMeant(entry) { due.insert(entry.wish.name) }
        guard !due.isEmpty, alarm == nil, working == nil, !service.isClosed, !sources.hold.isOn else { return }
        alarm = service.clock.after(Self.delay) { [weak self] in
            self?.alarm = nil
            self?.work()
        }
    }

    private func work() {
        guard working == nil, !service.isClosed else { return }
        working = Task(executorPreference: Loop.jobs) { [weak self] in await self?.workAll() }
    }

    private func workAll() async {
        while !service.isClosed, !Task.isCancelled, let entry = service.plan.entries.first(where: { due.contains($0.wish.name) }) {
            due.remove(entry.wish.name)
            await look(again: entry)
        }
        due = []
        working = nil
        service.fetching.consider()
    }

    // MARK: Contents

    private func look(again entry: KeepPlan.Entry) async {
        let wish = entry.wish
        do throws(SourceFault) {
            var found = try await find(wish)
            await keepThoseThatLeft(entry, &found)
            guard let store = service.store, let current = service.plan.entry(of: wish), current.wish == wish else { return }
            service.plan.note(nil, of: wish)
            guard current.members != found.tracks.map(\.uri) || current.title != found.title || hasNews(found) else { return }
            try await service.inTurn { [service, found] () async throws(SourceFault) in
                guard service.plan.entry(of: wish)?.wish == wish else { return }
                try await service.put(wish, found: found, into: store)
            }
        } catch {
            service.plan.note(error.sentence, of: wish)
        }
    }

    private func hasNews(_ found: Found) -> Bool {
        found.tracks.contains { service.plan.tracks[$0.uri]?.hasLeft != $0.hasLeft }
    }

    /// Checks with the server each track that is missing in `found`. A track that is missing in this hub's own lists or rules
    /// was removed by a person.
    private func keepThoseThatLeft(_ entry: KeepPlan.Entry, _ found: inout Found) async {
        guard case .item(let item) = entry.wish, sources.remoteNames.contains(sources.name(of: item)) else { return }
        let there = Set(found.tracks.map(\.uri))
        for (place, uri) in entry.members.enumerated() where !there.contains(uri) {
            guard let track = service.plan.tracks[uri] else { continue }
            let isThere = await isStillThere(uri)
            guard isThere != true else { continue }
            found.tracks.insert(
                KeptContents.Track(uri, title: track.title, bytes: track.bytes, hasLeft: track.hasLeft || isThere == false),
                at: min(place, found.tracks.count))
        }
    }

    /// True when the server still has the track; `nil` when the server does not answer.
    private func isStillThere(_ uri: ItemURI) async -> Bool? {
        guard let connector = sources.usable(sources.name(of: uri)) else { return nil }
        do throws(SourceFault) {
            _ = try await sources.ask(connector, within: Sources.Limit.item) { connector throws(SourceFault) in
                try await connector.details(of: uri)
            }
            return true
        } catch {
            return error.code == .notFound || error.code == .gone ? false : nil
        }
    }

    /// Looks at the wishes for a track that the server has lost.
    func noteLeft(_ uri: ItemURI) {
        for entry in service.plan.entries where entry.members.contains(uri) { look(at: entry.wish) }
    }

    func find(_ wish: KeepWish) async throws(SourceFault) -> Found {
        switch wish {
        case .item(let uri): try await find(uri)
        case .favourites: Found(title: "Favourites", tracks: try await tracks(ofShelf: .favourites, most: KeepPlan.mostTracks))
        case .mostPlayed(let count): Found(title: "\(count) most played", tracks: try await tracks(ofShelf: .most, most: count))
        }
    }

    private func find(_ uri: ItemURI) async throws(SourceFault) -> Found {
        let row = try await sources.details(of: uri, trust: .itemsOnly).row
        var entries: [NewEntry] = []
        do throws(SourceFault) { entries = try await sources.expand(uri, trust: .itemsOnly) } catch {
            // A playlist or the newest episodes of a podcast may be empty for a while.
            guard error.code == .notFound, row.tags.kind.mayBeEmpty else { throw error }
        }
        let tracks = tracks(entries)
        guard !tracks.isEmpty || row.tags.kind.mayBeEmpty else {
            throw SourceFault(.unsupported, "“\(row.tags.title)” is on this machine already, or its source cannot be downloaded from.")
        }
        return Found(title: row.tags.title, kind: row.tags.kind, tracks: tracks)
    }

    /// The tracks from sources with downloads; items on this machine need no copy.
    private func tracks(_ entries: [NewEntry]) -> [KeptContents.Track] {
        let able = sources.able(to: .download)
        return entries.filter { able.contains(sources.name(of: $0.uri)) }.map { KeptContents.Track($0.uri, title: $0.tags.title) }
    }

    private func tracks(ofShelf shelf: LibraryShelf, most: Int) async throws(SourceFault) -> [KeptContents.Track] {
        var found: [KeptContents.Track] = []
        var page = PageRequest(limit: 100)
        repeat {
            let list = try await sources.browse(shelf.uri, sort: nil, page)
            // Older versions could mark a shelf that contains itself.
            for row in list.rows where found.count < most && !row.uri.isLibraryShelf {
                if !row.tags.kind.isContainer {
                    found += tracks([NewEntry(uri: row.uri, tags: row.tags)])
                } else if let entries = try? await sources.expand(row.uri, trust: .itemsOnly) {
                    found += tracks(entries)
                }
            }
            page.cursor = list.cursor
        } while page.cursor != nil && found.count < most
        return Array(found.prefix(most))
    }
}

extension ItemKind {
    fileprivate var mayBeEmpty: Bool { self == .playlist || self == .podcast }
}
