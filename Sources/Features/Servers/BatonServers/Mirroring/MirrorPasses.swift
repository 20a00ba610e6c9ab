import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// Copies the rows of servers in the background, so that they can be browsed and searched while a server is down. A pass
/// starts with the hub if the last one is older than a day, when a person asks for it, and when a server comes back in the
/// middle of a pass.
///
/// A source's pass makes one step at a time, through the source's own lane, and only while few questions run there. After
/// each step the pass rests for as long as the step took.
@Loop
final class MirrorPasses {
    private let sources: Sources
    private let clock: HubClock
    private let log: Log
    private var mirror: (any SourceMirror)?
    private var passes: [String: MirrorPass] = [:]
    private var alarms: [String: any Alarm] = [:]
    /// The state of each source's mirror, by its name.
    private(set) var status: [String: MirrorStatus] = [:]
    /// The accounts, which show the progress of each source.
    weak var accounts: SourceAccounts?
    private var shownUs = Microseconds.min / 2
    /// Time between two updates of the progress, which changes faster than people look.
    private static let paceUs: Microseconds = 2_000_000
    private var isClosed = false

    private static let newsPause = Duration.seconds(3)
    private static let dayMs: Milliseconds = 86_400_000
    /// Limit on steps, since a source with endless pages must not fill the disk.
    private static let mostSteps = 100_000
    private static let mostRows = 5_000

    init(sources: Sources, clock: HubClock, log: Log) {
        self.sources = sources
        self.clock = clock
        self.log = log
    }

    func open(_ mirror: any SourceMirror) {
        self.mirror = mirror
        considerAll()
    }

    func close() async {
        isClosed = true
        for alarm in alarms.values { alarm.cancel() }
        for pass in passes.values { pass.cancel() }
        for pass in passes.values { await pass.ended() }
    }

    /// True when there is a mirror.
    var isOpen: Bool { mirror != nil }

    func isUnderWay(_ source: String) -> Bool { passes[source] != nil }

    /// The mirror's progress for the section `src`; `nil` before the first pass.
    func shown(_ source: String) -> SourcesSection.Mirror? {
        let (known, pass) = (status[source], passes[source])
        guard known != nil || pass != nil else { return nil }
        return SourcesSection.Mirror(
            rows: known?.rows ?? 0, atMs: known?.finishedAtMs, done: pass.map(\.rows), total: pass.flatMap(\.total))
    }

    /// Checks all sources after one was added, changed or came back: passes continue, or begin when they are due.
    func considerAll() {
        for connector in sources.connectors where connector.about.abilities.contains(.mirror) { begin(connector.source, isAsked: false) }
    }

    /// Copies all rows of a source again. False while a pass is running, and without a mirror.
    func sync(_ source: String) -> Bool {
        guard mirror != nil, passes[source] == nil else { return false }
        begin(source, isAsked: true)
        return true
    }

    /// Schedules a pass after a server's report of changes. Servers send one for each of many items, so the pass waits until
    /// they have stopped.
    func syncSoon(_ source: String) {
        guard !isClosed, mirror != nil else { return }
        alarms[source]?.cancel()
        alarms[source] = clock.after(Self.newsPause) { [weak self] in
            guard let self else { return }
            alarms[source] = nil
            // The running pass may have read old rows.
            if !sync(source) { syncSoon(source) }
        }
    }

    /// Checks a source that was added, was changed or came back.
    func consider(_ source: String) {
        guard sources.usable(source)?.about.abilities.contains(.mirror) == true else { return }
        begin(source, isAsked: false)
    }

    /// Removes the rows of a deleted account.
    func forget(_ source: String) async {
        alarms[source]?.cancel()
        alarms[source] = nil
        if let pass = passes[source] {
            pass.cancel()
            await pass.ended()
        }
        status[source] = nil
        sources.show(nil, for: source)
    }

    // MARK: A pass

    private func begin(_ source: String, isAsked: Bool) {
        guard !isClosed, isAsked || !sources.hold.isOn, mirror != nil, passes[source] == nil else { return }
        let pass = MirrorPass(clock.reactor)
        passes[source] = pass
        pass.begin { [weak self] in
            await self?.run(source, isAsked: isAsked, pass)
            self?.hasEnded(source)
        }
    }

    private func hasEnded(_ source: String) {
        passes[source] = nil
        accounts?.showMirrors()
    }

    private func run(_ source: String, isAsked: Bool, _ pass: MirrorPass) async {
        guard let mirror else { return }
        do throws(SourceFault) {
            let known = try await sources.inBlockingPool { () async throws(SourceFault) in try mirror.status(of: source) }
            show(known, of: source, mirror)
            if !isAsked, let known {
                let ageMs = clock.now.wallMs - known.finishedAtMs
                if 0..<Self.dayMs ~= ageMs { return againLater(source, afterMs: Self.dayMs - ageMs) }
            }
            guard let connector = sources.usable(source) else { return }
            accounts?.showMirrors()
            try await note(connector, in: mirror, of: pass)
            againLater(source, afterMs: Self.dayMs)
        } catch {
            guard error.code != .cancelled, !isClosed else { return }
            log(.notice, "The rows of “\(source)” were not all noted for when it is away: \(error.sentence)")
            // A source that is down continues when it comes back.
            if sources.usable(source) != nil { againLater(source, afterMs: 3_600_000) }
        }
    }

    private func note(_ connector: any Connector, in mirror: any SourceMirror, of pass: MirrorPass) async throws(SourceFault) {
        let source = connector.source
        let beganMs = clock.now.wallMs
        var mirroring = try await sources.inBlockingPool { () async throws(SourceFault) in try mirror.begin(source, atMs: beganMs) }
        var steps = 0
        while !mirroring.isNoted {
            try pass.check()
            while sources.isBusy(source) { try await pass.rest(.milliseconds(250)) }
            let cursor = mirroring.cursor
            let askedUs = clock.nowUs
            let page: MirrorPage
            do throws(SourceFault) {
                page = try await sources.ask(connector, within: Sources.Limit.whole) { connector throws(SourceFault) in
                    try await connector.mirror(after: cursor)
                }
            } catch {
                // The source does not accept its earlier cursor any more.
                if cursor != nil, [.badRequest, .gone, .notFound].contains(error.code) { try await give(up: mirroring, mirror) }
                throw error
            }
            steps += 1
            guard page.rows.count <= Self.mostRows, steps <= Self.mostSteps, page.cursor == nil || page.cursor != cursor else {
                try await give(up: mirroring, mirror)
                throw SourceFault(.tooLarge, "It answers with rows without end.")
            }
            let current = mirroring
            try await sources.inBlockingPool { () async throws(SourceFault) in try mirror.put(page, in: current) }
            pass.rows += page.rows.count
            pass.total = page.total ?? pass.total
            if clock.nowUs - shownUs >= Self.paceUs {
                shownUs = clock.nowUs
                accounts?.showMirrors()
            }
            mirroring.cursor = page.cursor
            mirroring.isNoted = page.cursor == nil
            try await pass.rest(.microseconds(min(max(20_000, clock.nowUs - askedUs), 5_000_000)))
        }
        let (noted, endedMs) = (mirroring, clock.now.wallMs)
        let known = try await sources.inBlockingPool { () async throws(SourceFault) in
            try mirror.finish(noted, atMs: endedMs)
            return try mirror.status(of: source)
        }
        show(known, of: source, mirror)
    }

    private func give(up mirroring: SourceMirroring, _ mirror: any SourceMirror) async throws(SourceFault) {
        try await sources.inBlockingPool { () async throws(SourceFault) in try mirror.abandon(mirroring) }
    }

    private func show(_ known: MirrorStatus?, of source: String, _ mirror: any SourceMirror) {
        status[source] = known
        sources.show(known == nil ? nil : mirror, for: source)
    }

    private func againLater(_ source: String, afterMs: Milliseconds) {
        guard !isClosed else { return }
        alarms[source]?.cancel()
        alarms[source] = clock.after(.milliseconds(afterMs)) { [weak self] in
            self?.alarms[source] = nil
            self?.begin(source, isAsked: false)
        }
    }
}

/// The task of one pass, which rests between its steps.
@Loop
private final class MirrorPass {
    private let reactor: any Reactor
    private var task: Task<Void, Never>?
    private var resting: CheckedContinuation<Void, Never>?
    private var alarm: (any Alarm)?
    private var isCancelled = false
    /// Number of copied rows, and the total if the source reports it.
    var rows = 0
    var total: Int?

    init(_ reactor: any Reactor) { self.reactor = reactor }

    func begin(_ work: @escaping @Loop () async -> Void) {
        task = Task(executorPreference: Loop.jobs) { await work() }
    }

    func check() throws(SourceFault) { if isCancelled { throw .cancelled } }

    func rest(_ time: Duration) async throws(SourceFault) {
        try check()
        await withCheckedContinuation { continuation in
            resting = continuation
            alarm = reactor.after(time) { [weak self] in self?.wake() }
        }
        try check()
    }

    private func wake() {
        alarm?.cancel()
        alarm = nil
        resting?.resume()
        resting = nil
    }

    func cancel() {
        isCancelled = true
        task?.cancel()
        wake()
    }

    func ended() async { await task?.value }
}
