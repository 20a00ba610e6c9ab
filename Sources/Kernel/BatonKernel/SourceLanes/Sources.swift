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
    private var lanes: [String: SourceLane] = [:]
    /// Threads for the hub's own questions to its disk.
    package let blockingPool: any TaskExecutor
    /// Threads of low priority, for background work; the same as `blockingPool` if there are none.
    package let quietPool: any TaskExecutor
    private let makeThreads: MakeThreads
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
    private static let slowMs = 1_000

    /// Number of threads of a source, one for each question that may run at the same time.
    package nonisolated static let threadsOfOne = SourceLane.mostRunning

    /// A function that makes the threads of one source.
    package typealias MakeThreads = @Loop (_ source: String) -> any TaskExecutor

    init(
        _ connectors: [any Connector], blockingPool: (any TaskExecutor)? = nil, quietPool: (any TaskExecutor)? = nil,
        threads: MakeThreads? = nil, reactor: any Reactor, hold: WorkHold? = nil, settling: Settling? = nil,
        events: HubEvents? = nil, pageBytes: Int = WireLimits.standard.pageBytes, searchDeadline: Duration = .milliseconds(800),
        fittingRows: @escaping HubCodec.FittingRows, log: Log = .silent, wallMs: @escaping @Sendable () -> Int64 = { 0 }
    ) {
        self.connectors = connectors
        // Without a pool, as in simulated time, blocking work runs between the loop's own turns.
        let pool = blockingPool ?? Loop.jobs
        self.blockingPool = pool
        self.quietPool = quietPool ?? pool
        makeThreads = threads ?? { _ in pool }
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
        lanes[source] = nil
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
    package func latencyMs(of source: String) -> Int? { health.latencyMs(of: source) }

    /// True when a copy on disk is better than the source.
    func prefersCopy(of uri: ItemURI) -> Bool {
        guard !prefersKept, keptTracks?.has(uri) == true else { return true }
        let source = name(of: uri)
        return problem(of: source) != nil || metered.contains(source) || latencyMs(of: source).map { $0 >= Self.slowMs } ?? false
    }

    /// True when a source has this name, or this scheme of items.
    package func isTaken(_ name: String) -> Bool { connectors.contains { $0.source == name } || sourcesByScheme[name] != nil }

    // MARK: Asking

    /// Asks a source and waits for the answer, at most until the limit. While the source is down, its mirror answers, or the question fails
    /// at once.
    package func ask<Answer: Sendable>(
        _ connector: any Connector, within limit: Duration, outlastsSilence: Bool = false,
        _ question: @escaping @Sendable (any Connector) async throws(SourceFault) -> Answer
    ) async throws(SourceFault) -> Answer {
        try await answer(to: begin(connector, within: limit, outlastsSilence: outlastsSilence, question))
    }

    /// Starts a question without waiting, so that several sources can be asked at once.
    package func begin<Answer: Sendable>(
        _ connector: any Connector, within limit: Duration, outlastsSilence: Bool = false,
        _ question: @escaping @Sendable (any Connector) async throws(SourceFault) -> Answer
    ) throws(SourceFault) -> AskedSource<Answer> {
        let source = connector.source
        let absence = health.problem(of: source).map { SourceFault(.unavailable, $0) }
        guard let mirror = mirrors[source] else {
            if let absence { throw absence }
            return AskedSource(
                connector,
                try lane(of: source).ask(within: limit, sentences(of: connector), outlastsSilence: outlastsSilence) {
                    () async throws(SourceFault) in try await question(connector)
                })
        }
        let checkAfterFailure: @Sendable () async -> Void = { [weak self] in await self?.checkAfterFailure(connector) }
        // The mirror is on the hub's own disk, so this does not ask the source.
        let notes: @Loop (SourceFault) -> Question<Answer> = { [self] absence in
            let mirrored = MirroredSource(connector: connector, mirror: mirror, absence: absence, checkAfterFailure: checkAfterFailure)
            let answer = Question<Answer>()
            answer.ask(in: blockingPool, within: limit, reactor, orElse: sentences(of: connector).late) { () async throws(SourceFault) in
                try await question(mirrored)
            }
            return answer
        }
        if let absence { return AskedSource(connector, notes(absence)) }
        let mirrored = MirroredSource(connector: connector, mirror: mirror, absence: nil, checkAfterFailure: checkAfterFailure)
        let asked = try lane(of: source).ask(within: limit, sentences(of: connector), outlastsSilence: outlastsSilence) {
            () async throws(SourceFault) in try await question(mirrored)
        }
        return AskedSource(connector, asked, orElse: notes)
    }

    /// The answer to a question that was begun. If it is late, the mirror is asked instead.
    package func answer<Answer>(to asked: AskedSource<Answer>) async throws(SourceFault) -> Answer {
        switch await asked.question.answer {
        case .success(let answer): return answer
        case .failure(let fault):
            guard fault.code == .unavailable else { throw fault }
            checkAfterFailure(asked.connector)
            guard fault.isLate, let notes = asked.notes else { throw fault }
            return try await notes(fault).answer.get()
        }
    }

    /// Sets the mirror that provides a source's rows while it is down.
    package func show(_ mirror: (any SourceMirror)?, for source: String) { mirrors[source] = mirror }

    /// The tracks in a container, from the mirror of its source.
    package func mirroredTracks(of uri: ItemURI, in source: String) async -> [ItemURI] {
        guard let mirror = mirrors[source] else { return [] }
        let rows = try? await inBlockingPool { () async throws(SourceFault) in try mirror.tracks(of: uri, in: source) }
        return (rows ?? []).map(\.uri)
    }

    /// True while other questions run that background work would delay.
    package func isBusy(_ source: String) -> Bool { lanes[source].map { $0.running >= 2 } ?? false }

    func lane(of source: String) -> SourceLane {
        if let lane = lanes[source] { return lane }
        // A disk that hangs blocks some of its questions, and its source reports them.
        let whenSilent: @Loop () -> Void = { [weak self] in
            if let self, let connector = connectors.first(where: { $0.source == source }) { checkAfterFailure(connector) }
        }
        let lane = SourceLane(
            threads: makeThreads(source), reactor: reactor, whenSilent: remoteNames.contains(source) ? whenSilent : nil)
        lanes[source] = lane
        return lane
    }

    /// Runs blocking work without a time limit, since its result must be known. Quiet work has lower priority than all other
    /// threads.
    package func inBlockingPool<Answer: Sendable>(
        isQuiet: Bool = false, _ body: @escaping @Sendable () async throws(SourceFault) -> Answer
    ) async throws(SourceFault) -> Answer {
        try await withTaskExecutorPreference(isQuiet ? quietPool : blockingPool) { () async throws(SourceFault) in try await body() }
    }

    func sentences(of connector: any Connector) -> SourceLane.Sentences {
        let name = connector.about.name
        var late = SourceFault(.unavailable, "The source “\(name)” takes too long to answer.")
        late.isLate = true
        return SourceLane.Sentences(
            late: late,
            busy: SourceFault(.unavailable, "The source “\(name)” has too many questions to answer just now. Ask again in a moment."))
    }
}

/// A question to one source, with the mirror that answers when the source does not.
package struct AskedSource<Answer: Sendable> {
    let connector: any Connector
    let question: Question<Answer>
    /// The question to the mirror; `nil` without a mirror, or when the mirror is asked already.
    let notes: (@Loop (SourceFault) -> Question<Answer>)?

    init(_ connector: any Connector, _ question: Question<Answer>, orElse notes: (@Loop (SourceFault) -> Question<Answer>)? = nil) {
        self.connector = connector
        self.question = question
        self.notes = notes
    }
}
