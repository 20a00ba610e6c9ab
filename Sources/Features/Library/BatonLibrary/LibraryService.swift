package import BatonCore
import BatonKernel
import BatonProtocol
package import BatonSeams

/// The hub's data on the items of all sources, and its own library: marks, plays and playlists, folders and scans. It reads
/// off the loop, and publishes the sections `lib` and `pl`.
///
/// Each of its stores is optional: without one its sections are missing, and its commands are `unsupported`.
@Loop
package final class LibraryService: ItemMarking, PersonMarks {
    let sources: Sources
    let servers: any ServerTelling
    let settling: Settling
    let publisher: StatePublisher
    let rooms: RoomList
    let clock: HubClock
    private let log: Log
    private(set) var userMarks: (any UserMarks)?
    private(set) var bookmarks: (any BookmarkStorage)?
    private(set) var persons: (any PersonStorage)?
    private(set) var control: (any LibraryControl)?
    private(set) var pictures: (any PictureMaking)?
    private(set) var splits: (any FoldSplitStorage)?
    /// Number of pictures in the making.
    var picturesInLine = 0
    let backgroundQueue = BackgroundQueue()
    private let ports: Ports
    private var playlistRevision = -1

    /// The running scan.
    private var scan: ScanReport?
    /// The last completed scan.
    private var lastScan: ScanReport?
    private var listening: Task<Void, Never>?
    private var alarm: (any Alarm)?
    private var shownUs = Microseconds.min / 2
    /// Time between two reports of a scan, which is faster than people read.
    private static let paceUs: Microseconds = 500_000

    init(
        sources: Sources, servers: any ServerTelling, settling: Settling, publisher: StatePublisher, ports: Ports,
        rooms: RoomList, clock: HubClock, log: Log
    ) {
        self.sources = sources
        self.servers = servers
        self.settling = settling
        self.publisher = publisher
        self.ports = ports
        self.rooms = rooms
        self.clock = clock
        self.log = log
    }

    /// Copies on this machine; some of them follow marks, plays and playlists.
    var copies: (any CopyKnowing)? { ports.copies }

    package func open(_ parts: LibraryParts) {
        userMarks = parts.userMarks
        bookmarks = parts.bookmarks
        persons = parts.persons
        control = parts.control
        pictures = parts.pictures
        if let splits = parts.splits { open(splits) }
        changed()
        guard let control else { return }
        let news = control.news
        listening = Task(executorPreference: Loop.jobs) { [weak self] in
            for await report in news { await self?.heard(report) }
        }
    }

    package func open(_ splits: any FoldSplitStorage) {
        self.splits = splits
        readSplits(splits)
    }

    func close() async {
        listening?.cancel()
        alarm?.cancel()
        await backgroundQueue.finish()
    }

    // MARK: Asking off the loop

    /// Changes marks without a time limit, since the result is the answer to a command.
    func changeMarks<Answer: Sendable>(
        _ change: @escaping @Sendable (any UserMarks) throws(SourceFault) -> Answer
    ) async throws(SourceFault) -> Answer {
        let userMarks = try present()
        return try await sources.inBlockingPool { () async throws(SourceFault) in try change(userMarks) }
    }

    /// Reads marks within a time limit, since the answer is optional.
    func look<Answer: Sendable>(
        _ question: @escaping @Sendable (any UserMarks) throws(SourceFault) -> Answer
    ) async throws(SourceFault) -> Answer {
        let userMarks = try present()
        return try await sources.limited(Sources.Limit.list) { () async throws(SourceFault) in try question(userMarks) }
    }

    private func present() throws(SourceFault) -> any UserMarks {
        guard let userMarks else { throw SourceFault(.unsupported, "This hub was started without a place to keep such things.") }
        return userMarks
    }

    // MARK: Showing

    private func heard(_ report: ScanReport?) {
        if let report {
            scan = report.isDone ? nil : report
            if report.isDone { lastScan = report }
        }
        changed(isEnd: report?.isDone == true)
    }

    /// Starts a scan. Clients see that it runs before its first report. False when none was started.
    func scanning(_ ask: @Loop () async throws(SourceFault) -> Bool) async throws(SourceFault) -> Bool {
        let wasIdle = scan == nil
        var hasBegun = false
        // This comes first, since a short scan is over before the answer.
        scan = scan ?? ScanReport()
        defer { if wasIdle, !hasBegun, scan == ScanReport() { scan = nil } }
        hasBegun = try await ask()
        return hasBegun
    }

    /// The running scan, or the last one since the start of the hub.
    var scanReport: ScanReport? { scan ?? lastScan }

    /// Publishes at once, or half a second after the last time. The end of a scan is published without delay.
    func changed(isEnd: Bool = false) {
        guard alarm == nil || isEnd else { return }
        alarm?.cancel()
        let dueUs = isEnd ? 0 : max(0, shownUs + Self.paceUs - clock.nowUs)
        alarm = clock.after(.microseconds(dueUs)) { [weak self] in
            guard let self else { return }
            self.alarm = nil
            self.backgroundQueue.add { [weak self] in
                await self?.show()
                self?.publisher.tell()
            }
        }
    }

    /// Counts again, and publishes the result; the caller tells the clients.
    func show() async {
        guard userMarks != nil, let libraryCounts = try? await look({ userMarks throws(SourceFault) in try userMarks.libraryCounts() })
        else { return }
        shownUs = clock.nowUs
        if control != nil {
            let scan = scan.map { LibrarySection.Scan(done: $0.seen, total: $0.total, failed: $0.failed) }
            publisher.publish(
                .library(
                    LibrarySection(
                        revision: libraryCounts.libraryRevision, tracks: libraryCounts.tracks, albums: libraryCounts.albums,
                        artists: libraryCounts.artists, scan: scan)))
        }
        if libraryCounts.playlistRevision != playlistRevision {
            playlistRevision = libraryCounts.playlistRevision
            copies?.note(.playlists)
        }
        publisher.publish(.playlists(PlaylistsSection(revision: libraryCounts.playlistRevision, count: libraryCounts.playlists)))
    }

    // MARK: Rows

    /// Adds the hub's marks to rows whose source has none or older ones, and marks the rows of unavailable sources.
    ///
    /// Users have marks of their own, and see no others.
    package func marked(_ rows: [ItemRow], for person: Person = .home) async -> [ItemRow] {
        var rows = rows
        let names = rows.map { sources.name(of: $0.uri) }
        if person.isUser {
            await markOwn(&rows, of: person)
        } else {
            await markOfHub(&rows, names)
        }
        let present = sources.present
        for index in rows.indices where !present.contains(names[index]) {
            let variants = [rows[index].uri] + rows[index].variants
            rows[index].isAway = !variants.contains { present.contains(sources.name(of: $0)) || sources.hasCopy(of: $0) }
        }
        if let copies, !copies.isEmpty { for index in rows.indices { copies.mark(&rows[index]) } }
        return rows
    }

    private func markOfHub(_ rows: inout [ItemRow], _ names: [String]) async {
        let marking = sources.able(to: .marks)
        let pending = servers.pendingItems
        if !pending.isEmpty { for index in rows.indices { rows[index].isPending = pending[rows[index].uri] != nil } }
        let bare = rows.indices.filter { !marking.contains(names[$0]) || rows[$0].isPending }.map { rows[$0].uri }
        guard !bare.isEmpty, userMarks != nil,
            let marks = try? await look({ userMarks throws(SourceFault) in try userMarks.marks(of: bare) })
        else { return }
        for index in rows.indices {
            guard let mark = marks[rows[index].uri] else { continue }
            if marking.contains(names[index]) {
                // The source has the better play count, since it includes other players.
                (rows[index].mark.isFavourite, rows[index].mark.stars) = (mark.isFavourite, mark.stars)
            } else {
                rows[index].mark = mark
            }
        }
    }

    func report(_ sentence: String) { log(.warning, sentence) }

    // MARK: Plays

    package func notePlayed(_ item: NewEntry, by person: Person, in room: RoomID, sinceMs: Milliseconds) {
        guard userMarks != nil else { return }
        let atMs = clock.now.wallMs
        if person.isUser { return notePlayed(item, by: person, in: room, atMs: atMs) }
        backgroundQueue.add { [weak self] in
            guard let self, let userMarks = self.userMarks else { return }
            do throws(SourceFault) {
                // This comes first, so that the server gets the play even if the hub ends in between.
                try await self.servers.add(.played(item.uri, atMs: sinceMs), for: self.sources.name(of: item.uri), atMs: sinceMs)
                try await self.sources.limited(Sources.Limit.background) { () async throws(SourceFault) in
                    try userMarks.notePlayed(item, room: room, atMs: atMs)
                }
                self.changed()
                self.copies?.note(.plays)
            } catch {
                self.log(.warning, "That something was played could not be noted: \(error.sentence)")
            }
        }
    }

    /// Tells a source once that an entry begins, if it shows current plays. An unavailable source is not told later.
    func noteBegun(_ entry: QueueEntry) {
        servers.tellOnce(.nowPlaying(entry.uri), to: sources.name(of: entry.uri), atMs: clock.now.wallMs)
    }
}

/// The stores of the library. They may be opened after the hub has begun to answer.
package struct LibraryParts {
    var userMarks: (any UserMarks)?
    var bookmarks: (any BookmarkStorage)?
    /// The store of single persons' data.
    var persons: (any PersonStorage)?
    /// The store of places in spoken items.
    package var places: (any PlaceStorage)?
    package var silences: (any SilenceFinding)?
    var control: (any LibraryControl)?
    var pictures: (any PictureMaking)?
    var splits: (any FoldSplitStorage)?
    package var connectors: [any Connector]

    package init(
        userMarks: (any UserMarks)? = nil, bookmarks: (any BookmarkStorage)? = nil, persons: (any PersonStorage)? = nil,
        places: (any PlaceStorage)? = nil, silences: (any SilenceFinding)? = nil,
        control: (any LibraryControl)? = nil, pictures: (any PictureMaking)? = nil, splits: (any FoldSplitStorage)? = nil,
        connectors: [any Connector] = []
    ) {
        self.userMarks = userMarks
        self.bookmarks = bookmarks
        self.persons = persons
        self.places = places
        self.silences = silences
        self.control = control
        self.pictures = pictures
        self.splits = splits
        self.connectors = connectors
    }
}
