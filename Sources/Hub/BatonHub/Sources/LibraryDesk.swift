import BatonCore
import BatonProtocol
package import BatonSeams

/// What the hub keeps of the items of all sources, and of its own library: marks, plays and playlists,
/// folders and scans. It asks off the loop, and shows the sections `lib` and `pl`.
///
/// All of it may be missing: then nothing is shown, and what is asked for is `unsupported`.
@Loop
final class LibraryDesk {
    unowned let hub: Hub
    private(set) var keepsakes: (any Keepsakes)?
    private(set) var keeper: (any LibraryKeeper)?
    private(set) var pictures: (any PictureMaking)?
    /// Pictures that are being made.
    var picturesInLine = 0
    let errands = Errands()

    /// While one goes on.
    private var scan: ScanReport?
    /// Of the last one that was seen to its end.
    private var lastScan: ScanReport?
    private var listening: Task<Void, Never>?
    private var alarm: (any Alarm)?
    private var shownUs = Int64.min / 2
    /// A scan reads faster than anybody looks.
    private static let paceUs: Int64 = 500_000
    /// Nothing that nobody waits for may hold up what comes behind it for longer.
    static let errandLimit: Duration = .seconds(10)

    init(hub: Hub) { self.hub = hub }

    func open(_ parts: LibraryParts) {
        keepsakes = parts.keepsakes
        keeper = parts.keeper
        pictures = parts.pictures
        changed()
        guard let keeper else { return }
        let news = keeper.news
        listening = Task(executorPreference: Loop.jobs) { [weak self] in
            for await report in news { await self?.heard(report) }
        }
    }

    func close() async {
        listening?.cancel()
        alarm?.cancel()
        await errands.finish()
    }

    // MARK: Asking off the loop

    /// However long it takes: the answer decides what a command came to.
    func keep<Answer: Sendable>(
        _ change: @escaping @Sendable (any Keepsakes) throws(SourceFault) -> Answer
    ) async throws(SourceFault) -> Answer {
        let keepsakes = try present()
        return try await hub.sources.inWorkshop { () async throws(SourceFault) in try change(keepsakes) }
    }

    /// Whoever only looks does not wait for ever.
    func look<Answer: Sendable>(
        _ question: @escaping @Sendable (any Keepsakes) throws(SourceFault) -> Answer
    ) async throws(SourceFault) -> Answer {
        let keepsakes = try present()
        return try await limited(Sources.Limit.list) { () async throws(SourceFault) in try question(keepsakes) }
    }

    func limited<Answer: Sendable>(
        _ limit: Duration, _ body: @escaping @Sendable () async throws(SourceFault) -> Answer
    ) async throws(SourceFault) -> Answer {
        let question = Question<Answer>()
        let late = SourceFault(.unavailable, "The hub's disk takes too long to answer.")
        question.ask(in: hub.sources.workshop, within: limit, hub.reactor, orElse: late, body)
        switch await question.answer {
        case .success(let answer): return answer
        case .failure(let fault): throw fault
        }
    }

    private func present() throws(SourceFault) -> any Keepsakes {
        guard let keepsakes else { throw SourceFault(.unsupported, "This hub was started without a place to keep such things.") }
        return keepsakes
    }

    // MARK: Showing

    private func heard(_ report: ScanReport?) {
        if let report {
            scan = report.isDone ? nil : report
            if report.isDone { lastScan = report }
        }
        changed(isEnd: report?.isDone == true)
    }

    /// Asks for one: it goes on for everybody who looks, before it has anything to tell. False when none was begun.
    func scanning(_ ask: @Loop () async throws(SourceFault) -> Bool) async throws(SourceFault) -> Bool {
        let wasIdle = scan == nil
        var hasBegun = false
        // Before, since a short one is over when the answer comes.
        scan = scan ?? ScanReport()
        defer { if wasIdle, !hasBegun, scan == ScanReport() { scan = nil } }
        hasBegun = try await ask()
        return hasBegun
    }

    /// Of the scan that goes on, or of the last one of this hub's life.
    var scanReport: ScanReport? { scan ?? lastScan }

    /// Shows it soon: at once, or half a second after the last time. The end of something is not kept waiting.
    func changed(isEnd: Bool = false) {
        guard alarm == nil || isEnd else { return }
        alarm?.cancel()
        let dueUs = isEnd ? 0 : max(0, shownUs + Self.paceUs - hub.reactor.nowUs)
        alarm = hub.reactor.after(.microseconds(dueUs)) { [weak self] in
            guard let self else { return }
            self.alarm = nil
            self.errands.add { [weak self] in
                await self?.show()
                self?.hub.crowd.tell()
            }
        }
    }

    /// Counts anew, and shows what that came to; telling is left to the caller.
    func show() async {
        guard keepsakes != nil, let census = try? await look({ keepsakes throws(SourceFault) in try keepsakes.census() }) else { return }
        shownUs = hub.reactor.nowUs
        if keeper != nil {
            let scan = scan.map { LibrarySection.Scan(done: $0.seen, total: $0.total, failed: $0.failed) }
            _ = hub.post(
                EncodedSection(
                    LibrarySection(
                        revision: census.libraryRevision, tracks: census.tracks, albums: census.albums, artists: census.artists, scan: scan)
                ))
        }
        _ = hub.post(EncodedSection(PlaylistsSection(revision: census.playlistRevision, count: census.playlists)))
    }

    // MARK: Rows

    /// What this house thinks of them, where they do not bring that along, and which cannot be had now.
    func marked(_ rows: [ItemRow]) async -> [ItemRow] {
        var rows = rows
        let sources = rows.map { Sources.name(of: $0.uri) }
        let marking = hub.sources.able(to: .marks)
        let bare = rows.indices.filter { !marking.contains(sources[$0]) }.map { rows[$0].uri }
        if !bare.isEmpty, keepsakes != nil,
            let marks = try? await look({ keepsakes throws(SourceFault) in try keepsakes.marks(of: bare) })
        {
            for index in rows.indices { rows[index].mark = marks[rows[index].uri] ?? rows[index].mark }
        }
        let present = hub.sources.present
        for index in rows.indices where !present.contains(sources[index]) { rows[index].isAway = true }
        return rows
    }

    // MARK: Plays

    func notePlayed(_ entry: QueueEntry, in room: RoomID) {
        guard keepsakes != nil else { return }
        let item = NewEntry(uri: entry.uri, tags: entry.tags)
        let atMs = hub.now.wallMs
        errands.add { [weak self] in
            guard let self, let keepsakes = self.keepsakes else { return }
            do throws(SourceFault) {
                try await self.limited(Self.errandLimit) { () async throws(SourceFault) in
                    try keepsakes.notePlayed(item, room: room, atMs: atMs)
                }
                self.changed()
            } catch {
                self.hub.log(.warning, "That something was played could not be noted: \(error.sentence)")
            }
            await self.hub.sources.writeBack(.played(item.uri, atMs: atMs), about: item.uri)
        }
    }
}

/// What stands behind the library: it may come after the hub has begun to answer.
package struct LibraryParts {
    package var keepsakes: (any Keepsakes)?
    package var keeper: (any LibraryKeeper)?
    package var pictures: (any PictureMaking)?
    package var connectors: [any Connector]

    package init(
        keepsakes: (any Keepsakes)? = nil, keeper: (any LibraryKeeper)? = nil, pictures: (any PictureMaking)? = nil,
        connectors: [any Connector] = []
    ) {
        self.keepsakes = keepsakes
        self.keeper = keeper
        self.pictures = pictures
        self.connectors = connectors
    }
}

extension Hub {
    /// The library is there.
    package func open(_ library: LibraryParts) {
        for connector in library.connectors { sources.add(connector) }
        libraryDesk.open(library)
        for live in rooms { listen(to: live) }
    }

    /// Looks at how much of what plays in a room was heard, and again when that will be enough.
    func listen(to live: LiveRoom) {
        guard libraryDesk.keepsakes != nil else { return }
        if let played = live.listening.look(at: live.room, now: now) { libraryDesk.notePlayed(played, in: live.room.id) }
        let dueUs = live.isGone ? nil : live.listening.dueUs
        guard dueUs != live.listeningDueUs else { return }
        live.listeningAlarm?.cancel()
        live.listeningDueUs = dueUs
        live.listeningAlarm = dueUs.map { dueUs in
            reactor.after(.microseconds(max(0, dueUs - reactor.nowUs))) { [weak self, weak live] in
                guard let self, let live else { return }
                live.listeningDueUs = nil
                self.listen(to: live)
            }
        }
    }
}
