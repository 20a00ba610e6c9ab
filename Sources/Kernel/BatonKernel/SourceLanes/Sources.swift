package import BatonCore
import BatonProtocol
package import BatonSeams

/// All connectors, and the mapping from items to them.
///
/// A source may answer slowly or never, so each is asked through its own lane (`SourceLane`) and with a time limit. A source
/// that cannot be used is *down*: the hub has a sentence with the reason, and only checks the source now and then, while the
/// others go on. A server with a silent lane is checked; when it does not answer that either, it is down, and nothing waits
/// for it.
@Loop
package final class Sources {
    /// Time limits for each kind of question.
    package enum Limit {
        /// Limit for a page of rows from one source.
        package static let list: Duration = .seconds(10)
        static let search: Duration = .seconds(3)
        /// Limit for questions about one item, which a command or a player waits for.
        package static let item: Duration = .seconds(10)
        /// A folder of ten thousand files on a slow disk.
        package static let whole: Duration = .seconds(60)
        /// Limit for a check of a source; an unanswered one marks the source as down earlier.
        package static let check: Duration = .seconds(10)
        /// Limit for background work, so that the next piece can begin.
        package static let background: Duration = .seconds(10)
    }

    /// Sources in use, those that are down included, in the order in which they were added.
    package private(set) var connectors: [any Connector]
    /// Sources that are known but not in use, with the reason.
    private var setAside: [String: SourceFault] = [:]
    /// The sources' names, by the schemes of their items.
    private var sourcesByScheme: [String: String] = [:]
    /// The names of sources on the network.
    package private(set) var remoteNames: Set<String> = []
    /// The lane of each source, by which it is asked.
    let lanes: SourceLanes
    /// Threads for the hub's own questions to its disk.
    package let blockingPool: any TaskExecutor
    /// Threads of low priority, for background work; the same as `blockingPool` if there are none.
    package let quietPool: any TaskExecutor
    /// The loop whose clock measures all time limits.
    package let reactor: any Reactor
    /// Holds background questions to sources.
    package let hold: WorkHold
    /// Tells whether all sources have been opened.
    let settling: Settling
    /// The events by which parts learn that a source went down or came back.
    package let events: HubEvents
    /// The sources that are down, with reasons.
    package let health: SourceHealth
    /// Limit on the bytes of one page of rows.
    package let pageBytes: Int
    /// The number of rows that fit into a page of some bytes, by the codec of the protocol.
    package let fittingRows: HubCodec.FittingRows
    /// Time for which a search waits for one source of several.
    let searchDeadline: Duration
    /// Searches whose later pages need rows of servers that the first page did not wait for.
    package let searches: OpenSearches
    /// Items of several sources that are the same track, as lists have shown them.
    package let knownVariants = KnownVariants()
    /// Recently shown tracks of servers.
    package var shownTracks = BoundedTable<NewEntry>(most: 2_000)
    /// Items that a person has marked as different tracks.
    package var splits = FoldSplits()
    /// Mirrors of the rows of sources, for the time when those are down.
    private(set) var mirrors: [String: any SourceMirror] = [:]
    /// Cached copies of servers' tracks; `nil` without a cache.
    package var keeping: (any TrackKeeping)?
    /// Copies that people asked for; `nil` without a store for them.
    package var keptTracks: (any KeptTracks)?
    /// True to play such a copy always; otherwise only when the source is down, slow or metered.
    package var prefersKept = true
    /// Sources on a metered network.
    package var metered: Set<String> = []
    /// Duration of a check from which a source counts as slow.
    private static let slowMs: Milliseconds = 1_000

    /// Number of threads of a source, one for each question that may run at the same time.
    package nonisolated static let threadsOfOne = SourceLane.mostRunning

    /// A function that makes the threads of one source.
    package typealias MakeThreads = @Loop (_ source: String) -> any TaskExecutor

    init(
        _ connectors: [any Connector], blockingPool: (any TaskExecutor)? = nil, quietPool: (any TaskExecutor)? = nil,
        threads: MakeThreads? = nil, reactor: any Reactor, hold: WorkHold? = nil, settling: Settling? = nil,
        events: HubEvents? = nil, pageBytes: Int = WireLimits.standard.pageBytes, searchDeadline: Duration = .milliseconds(800),
        fittingRows: @escaping HubCodec.FittingRows, log: Log = .silent, wallMs: @escaping @Sendable () -> Milliseconds = { 0 }
    ) {
        self.connectors = connectors
        // Without a pool, as in simulated time, blocking work runs between the loop's own turns.
        let pool = blockingPool ?? Loop.jobs
        self.blockingPool = pool
        self.quietPool = quietPool ?? pool
        lanes = SourceLanes(reactor, threads: threads ?? { _ in pool })
        self.reactor = reactor
        self.hold = hold ?? WorkHold(notes: nil, reactor, log)
        self.settling = settling ?? Settling()
        self.events = events ?? HubEvents()
        self.pageBytes = pageBytes
        self.searchDeadline = searchDeadline
        searches = OpenSearches(reactor)
        self.fittingRows = fittingRows
        health = SourceHealth(reactor, log: log, events: self.events, wallMs: wallMs)
        listSchemes()
    }

    /// Adds a connector. It replaces one of the same name.
    package func add(_ connector: any Connector) {
        if let at = connectors.firstIndex(where: { $0.source == connector.source }) {
            connectors[at] = connector
        } else {
            connectors.append(connector)
        }
        listSchemes()
    }

    /// Removes a source: for a while, if there is a fault that says why, else for good. Running questions are answered as
    /// usual.
    package func remove(_ source: String, because fault: SourceFault? = nil) {
        connectors.removeAll { $0.source == source }
        setAside[source] = fault
        health.forget(source)
        lanes.forget(source)
        shownTracks.forget { name(of: $0) == source }
        listSchemes()
    }

    private func listSchemes() {
        sourcesByScheme = [:]
        remoteNames = []
        for connector in connectors {
            let about = connector.about
            if about.abilities.contains(.remote) { remoteNames.insert(connector.source) }
            let schemes = about.schemes
            for scheme in schemes.isEmpty ? [connector.source] : schemes { sourcesByScheme[scheme] = connector.source }
        }
    }

    func close() {
        health.close()
        searches.close()
    }

    /// Sets the mirror that provides a source's rows while it is down.
    package func show(_ mirror: (any SourceMirror)?, for source: String) { mirrors[source] = mirror }

    // MARK: Sources of items

    func connector(for uri: ItemURI) async throws(SourceFault) -> any Connector {
        try await connector(named: name(of: uri)) { self.name(of: uri) }
    }

    /// The connector of this name. An unknown source may still be opened, and `again` returns its name afterwards.
    package func connector(named source: String, again: @Loop () -> String? = { nil }) async throws(SourceFault) -> any Connector {
        if let found = connectors.first(where: { $0.source == source }) { return found }
        await settling.wait()
        let source = again() ?? source
        if let found = connectors.first(where: { $0.source == source }) { return found }
        if let fault = setAside[source] { throw fault }
        throw SourceFault(.notFound, "This hub has no source called “\(source)”.")
    }

    /// The names of the sources that are up.
    package var present: Set<String> { Set(connectors.map(\.source)).subtracting(health.down) }

    /// The source of this name, unless it is down.
    package func usable(_ source: String) -> (any Connector)? {
        health.problem(of: source) == nil ? connectors.first { $0.source == source } : nil
    }

    /// The names of the sources with this ability.
    package func able(to ability: SourceAbout.Abilities) -> Set<String> {
        Set(connectors.filter { $0.about.abilities.contains(ability) }.map(\.source))
    }

    /// The name of an item's source. A path belongs to the source that takes paths.
    package func name(of uri: ItemURI) -> String {
        if uri.text.hasPrefix("/"), let files = connectors.first(where: { $0.about.abilities.contains(.paths) }) { return files.source }
        let scheme = String(uri.source)
        return sourcesByScheme[scheme] ?? scheme
    }

    /// A sentence for each source that is down, in the order of the sources' names.
    package var problems: [String] { health.problems }

    /// The reason why a source is down; `nil` while it can be asked.
    package func problem(of source: String) -> String? { health.problem(of: source) }

    /// Milliseconds of the last successful check; `nil` if there was none, as for a source that has just been added.
    package func latencyMs(of source: String) -> Milliseconds? { health.latencyMs(of: source) }

    /// True when a copy on disk is better than the source.
    func prefersCopy(of uri: ItemURI) -> Bool {
        guard !prefersKept, keptTracks?.has(uri) == true else { return true }
        let source = name(of: uri)
        return problem(of: source) != nil || metered.contains(source) || latencyMs(of: source).map { $0 >= Self.slowMs } ?? false
    }

    /// True when a source has this name, or this scheme of items.
    package func isTaken(_ name: String) -> Bool { connectors.contains { $0.source == name } || sourcesByScheme[name] != nil }
}
