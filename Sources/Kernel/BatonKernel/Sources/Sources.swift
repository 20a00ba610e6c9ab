package import BatonCore
import BatonProtocol
package import BatonSeams

/// All connectors, and which of them an item belongs to.
///
/// A source may take long to answer, or never answer, so each is asked through a lane of its own (`SourceLane`) and with a
/// time limit. A source that cannot be used is *down*: a sentence says why, the hub only asks it now and then whether it can be
/// used again, and the others go on. A server whose lane is silent is asked how it is; when it does not answer that either, it is
/// down, and nothing waits for it.
@Loop
package final class Sources {
    /// How long each kind of question may take.
    package enum Limit {
        package static let list: Duration = .seconds(10)
        static let search: Duration = .seconds(3)
        package static let item: Duration = .seconds(10)
        /// A folder of ten thousand files on a slow disk.
        package static let whole: Duration = .seconds(60)
        package static let check: Duration = .seconds(10)
        /// Work that nobody waits for, so that the next piece of it can begin.
        package static let background: Duration = .seconds(10)
    }

    package private(set) var connectors: [any Connector]
    /// Sources that are known and not used, with the reason.
    private var setAside: [String: SourceFault] = [:]
    /// The sources' names, by the schemes of their items.
    private var sourcesByScheme: [String: String] = [:]
    /// The names of those that answer over a network.
    package private(set) var remoteNames: Set<String> = []
    private var lanes: [String: SourceLane] = [:]
    /// For the hub's own questions to its disk.
    package let blockingPool: any TaskExecutor
    package let quietPool: any TaskExecutor
    private let makeThreads: MakeThreads
    package let reactor: any Reactor
    /// Whether work that asks them by itself waits.
    package let hold: WorkHold
    /// Whether all sources that there will be are there.
    let settling: Settling
    package let events: HubEvents
    /// Which of them are down, and why.
    package let health: SourceHealth
    /// Bytes of one page of rows.
    package let pageBytes: Int
    package let fittingRows: HubCodec.FittingRows
    /// How long a search waits for one source of several.
    let searchDeadline: Duration
    package let searches: OpenSearches
    package let knownPlaces = KnownPlaces()
    /// Tracks of servers that were shown last.
    package var shownTracks = BoundedTable<NewEntry>(most: 2_000)
    /// Items that a person has said are not the same track.
    package var splits = FoldSplits()
    /// What was noted of the rows of sources, for when they are away.
    private(set) var mirrors: [String: any SourceMirror] = [:]
    /// Whole copies of tracks of other servers; `nil` where none are kept.
    package var keeping: (any TrackKeeping)?
    /// Whole copies that people asked for; `nil` where none are.
    package var keptTracks: (any KeptTracks)?
    /// Whether such a copy plays also while its source can be used; otherwise only when that is away, slow or paid by use.
    package var prefersKept = true
    /// Sources whose network is paid by use.
    package var metered: Set<String> = []
    /// A source that takes so long to say that it can be used is slow.
    private static let slowMs = 1_000

    /// One for each question that a source may be asked at the same time, as far as they block.
    package nonisolated static let threadsOfOne = SourceLane.mostRunning

    /// Makes the threads of one source.
    package typealias MakeThreads = @Loop (_ source: String) -> any TaskExecutor

    init(
        _ connectors: [any Connector], blockingPool: (any TaskExecutor)? = nil, quietPool: (any TaskExecutor)? = nil,
        threads: MakeThreads? = nil, reactor: any Reactor, hold: WorkHold? = nil, settling: Settling? = nil,
        events: HubEvents? = nil, pageBytes: Int = WireLimits.standard.pageBytes, searchDeadline: Duration = .milliseconds(800),
        fittingRows: @escaping HubCodec.FittingRows, log: Log = .silent, wallMs: @escaping @Sendable () -> Int64 = { 0 }
    ) {
        self.connectors = connectors
        // Without one, as in simulated time, they run between the loop's own turns.
        let pool = blockingPool ?? Loop.jobs
        self.blockingPool = pool
        self.quietPool = quietPool ?? pool
        makeThreads = threads ?? { _ in pool }
        self.reactor = reactor
        self.hold = hold ?? WorkHold(nil, reactor, log)
        self.settling = settling ?? Settling()
        self.events = events ?? HubEvents()
        self.pageBytes = pageBytes
        self.searchDeadline = searchDeadline
        searches = OpenSearches(reactor)
        self.fittingRows = fittingRows
        health = SourceHealth(reactor, log, self.events, wallMs: wallMs)
        listSchemes()
    }

    /// One of the same name gives way to it.
    package func add(_ connector: any Connector) {
        if let at = connectors.firstIndex(where: { $0.source == connector.source }) {
            connectors[at] = connector
        } else {
            connectors.append(connector)
        }
        listSchemes()
    }

    /// The source is not asked for now, or from now on not known at all, if there is no reason. Questions that it is being asked
    /// are answered as usual.
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

    // MARK: Who is asked

    func connector(for uri: ItemURI) async throws(SourceFault) -> any Connector {
        try await connector(named: name(of: uri)) { self.name(of: uri) }
    }

    /// A source that is not there may be one of those that are still opened; `again` names it then.
    package func connector(named source: String, again: @Loop () -> String? = { nil }) async throws(SourceFault) -> any Connector {
        if let found = connectors.first(where: { $0.source == source }) { return found }
        await settling.wait()
        let source = again() ?? source
        if let found = connectors.first(where: { $0.source == source }) { return found }
        if let fault = setAside[source] { throw fault }
        throw SourceFault(.notFound, "This hub has no source called “\(source)”.")
    }

    /// The connectors' names, of those that can be used now.
    package var present: Set<String> { Set(connectors.map(\.source)).subtracting(health.down) }

    /// The source of this name, unless it is down.
    package func usable(_ source: String) -> (any Connector)? {
        health.problem(of: source) == nil ? connectors.first { $0.source == source } : nil
    }

    /// The names of those that can do this.
    package func able(to ability: SourceAbout.Abilities) -> Set<String> {
        Set(connectors.filter { $0.about.abilities.contains(ability) }.map(\.source))
    }

    /// The name of the source that an item belongs to. A path belongs to the source that takes paths.
    package func name(of uri: ItemURI) -> String {
        if uri.text.hasPrefix("/"), let files = connectors.first(where: { $0.about.abilities.contains(.paths) }) { return files.source }
        let scheme = String(uri.source)
        return sourcesByScheme[scheme] ?? scheme
    }

    /// A sentence for each source that is down.
    package var problems: [String] { health.problems }

    /// Why a source cannot be used; `nil` while it can.
    package func problem(of source: String) -> String? { health.problem(of: source) }

    /// How long it took to say that it can be used; `nil` when it never did.
    package func latencyMs(of source: String) -> Int? { health.latencyMs(of: source) }

    /// Whether a copy on disk is better than what the source gives.
    func prefersCopy(of uri: ItemURI) -> Bool {
        guard !prefersKept, keptTracks?.has(uri) == true else { return true }
        let source = name(of: uri)
        return problem(of: source) != nil || metered.contains(source) || latencyMs(of: source).map { $0 >= Self.slowMs } ?? false
    }

    /// Whether a name, or a scheme of items, belongs to a source.
    package func isTaken(_ name: String) -> Bool { connectors.contains { $0.source == name } || sourcesByScheme[name] != nil }

    // MARK: Asking

    package func ask<Answer: Sendable>(
        _ connector: any Connector, within limit: Duration, outlastsSilence: Bool = false,
        _ question: @escaping @Sendable (any Connector) async throws(SourceFault) -> Answer
    ) async throws(SourceFault) -> Answer {
        try await answer(to: begin(connector, within: limit, outlastsSilence: outlastsSilence, question))
    }

    /// Asks without waiting, so that several sources can be asked at once.
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
        let suspect: @Sendable () async -> Void = { [weak self] in await self?.suspect(connector) }
        // The hub's own disk answers, and not the source.
        let notes: @Loop (SourceFault) -> Question<Answer> = { [self] absence in
            let mirrored = MirroredSource(connector: connector, mirror: mirror, absence: absence, suspect: suspect)
            let answer = Question<Answer>()
            answer.ask(in: blockingPool, within: limit, reactor, orElse: sentences(of: connector).late) { () async throws(SourceFault) in
                try await question(mirrored)
            }
            return answer
        }
        if let absence { return AskedSource(connector, notes(absence)) }
        let mirrored = MirroredSource(connector: connector, mirror: mirror, absence: nil, suspect: suspect)
        let asked = try lane(of: source).ask(within: limit, sentences(of: connector), outlastsSilence: outlastsSilence) {
            () async throws(SourceFault) in try await question(mirrored)
        }
        return AskedSource(connector, asked, orElse: notes)
    }

    package func answer<Answer>(to asked: AskedSource<Answer>) async throws(SourceFault) -> Answer {
        switch await asked.question.answer {
        case .success(let answer): return answer
        case .failure(let fault):
            guard fault.code == .unavailable else { throw fault }
            suspect(asked.connector)
            guard fault.isLate, let notes = asked.notes else { throw fault }
            return try await notes(fault).answer.get()
        }
    }

    /// From now on the rows of a source that is away are shown from there.
    package func show(_ mirror: (any SourceMirror)?, for source: String) { mirrors[source] = mirror }

    /// The tracks in a container, as they were noted for when its source is away.
    package func mirroredTracks(of uri: ItemURI, in source: String) async -> [ItemURI] {
        guard let mirror = mirrors[source] else { return [] }
        let rows = try? await inBlockingPool { () async throws(SourceFault) in try mirror.tracks(of: uri, in: source) }
        return (rows ?? []).map(\.uri)
    }

    /// Whether other questions are asked of it that background work would hold up.
    package func isBusy(_ source: String) -> Bool { lanes[source].map { $0.running >= 2 } ?? false }

    func lane(of source: String) -> SourceLane {
        if let lane = lanes[source] { return lane }
        // A disk that stands still holds up some of its questions, and its source names them.
        let whenSilent: @Loop () -> Void = { [weak self] in
            if let self, let connector = connectors.first(where: { $0.source == source }) { suspect(connector) }
        }
        let lane = SourceLane(
            threads: makeThreads(source), reactor: reactor, whenSilent: remoteNames.contains(source) ? whenSilent : nil)
        lanes[source] = lane
        return lane
    }

    /// Without a limit of time, for what must be known to have happened or not. All other threads go before what is quiet.
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

/// A question on its way to one source, and the hub's own notes of that source, which answer it when the source does not.
package struct AskedSource<Answer: Sendable> {
    package let connector: any Connector
    package let question: Question<Answer>
    /// `nil` where nothing was noted, or where the notes are asked already.
    package let notes: (@Loop (SourceFault) -> Question<Answer>)?

    package init(_ connector: any Connector, _ question: Question<Answer>, orElse notes: (@Loop (SourceFault) -> Question<Answer>)? = nil) {
        self.connector = connector
        self.question = question
        self.notes = notes
    }
}
