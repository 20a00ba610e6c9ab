import BatonCore
import BatonProtocol
package import BatonSeams

/// All connectors, by the word before the colon.
///
/// Asking one may block for long, so every question is put in the workshop, which is made for waiting,
/// and has a time after which it is given up. A source that cannot be used is *down*: it is said
/// why, nothing is asked of it but now and then how it is, and the others go on.
@Loop
package final class Sources {
    /// How long each kind of question may take.
    enum Limit {
        static let list: Duration = .seconds(10)
        static let search: Duration = .seconds(3)
        static let item: Duration = .seconds(10)
        /// A folder of ten thousand files on a slow disk.
        static let whole: Duration = .seconds(60)
        static let check: Duration = .seconds(10)
    }

    private struct Trouble {
        var sentence: String
        var tries: Int
        var alarm: (any Alarm)?
    }

    private(set) var connectors: [any Connector]
    let blockingPool: any TaskExecutor
    private let reactor: any Reactor
    private let log: Log
    /// Bytes of one page of rows.
    let pageBytes: Int
    let fittingRows: HubCodec.FittingRows
    private var troubles: [String: Trouble] = [:]
    private var checks: [String: Task<Void, Never>] = [:]
    /// Questions that were given up and have not come back.
    private var overdue: [String: Int] = [:]
    private static let mostOverdue = 2
    /// Waits until all sources there will be are there.
    var untilComplete: @Loop () async -> Void = {}
    /// A source went down, or came back.
    var changed: @Loop () -> Void = {}

    package init(
        _ connectors: [any Connector], blockingPool: (any TaskExecutor)? = nil, reactor: any Reactor,
        pageBytes: Int = WireLimits.standard.pageBytes,
        fittingRows: @escaping HubCodec.FittingRows, log: Log = .silent
    ) {
        self.connectors = connectors
        // Without one, as in simulated time, they run between the loop's own turns.
        self.blockingPool = blockingPool ?? Loop.jobs
        self.reactor = reactor
        self.pageBytes = pageBytes
        self.fittingRows = fittingRows
        self.log = log
    }

    /// One of the same name gives way to it.
    package func add(_ connector: any Connector) {
        if let at = connectors.firstIndex(where: { $0.source == connector.source }) {
            connectors[at] = connector
        } else {
            connectors.append(connector)
        }
    }

    func close() {
        for trouble in troubles.values { trouble.alarm?.cancel() }
        for check in checks.values { check.cancel() }
        checks = [:]
    }

    // MARK: Who is asked

    func connector(for uri: ItemURI) async throws(SourceFault) -> any Connector {
        try await connector(named: Self.name(of: uri))
    }

    func connector(named source: String) async throws(SourceFault) -> any Connector {
        if let found = connectors.first(where: { $0.source == source }) { return found }
        await untilComplete()
        if let found = connectors.first(where: { $0.source == source }) { return found }
        throw SourceFault(.notFound, "This hub has no source called “\(source)”.")
    }

    /// The connectors' names, of those that can be used now.
    var present: Set<String> { Set(connectors.map(\.source)).subtracting(troubles.keys) }

    /// The names of those that can do this.
    func able(to ability: SourceAbout.Abilities) -> Set<String> {
        Set(connectors.filter { $0.about.abilities.contains(ability) }.map(\.source))
    }

    /// Whose item this is. A bare path has no source before a colon; it belongs to the files of this machine.
    static func name(of uri: ItemURI) -> String {
        uri.text.hasPrefix("/") ? "file" : uri.source == "https" ? "http" : String(uri.source)
    }

    /// A sentence for each source that is down.
    var problems: [String] { troubles.sorted { $0.key < $1.key }.map(\.value.sentence) }

    // MARK: Asking

    func ask<Answer: Sendable>(
        _ connector: any Connector, within limit: Duration,
        _ question: @escaping @Sendable (any Connector) async throws(SourceFault) -> Answer
    ) async throws(SourceFault) -> Answer {
        try await answer(to: begin(connector, within: limit, question), of: connector)
    }

    /// Asks without waiting, for callers that ask several at once.
    func begin<Answer: Sendable>(
        _ connector: any Connector, within limit: Duration,
        _ question: @escaping @Sendable (any Connector) async throws(SourceFault) -> Answer
    ) throws(SourceFault) -> Question<Answer> {
        let source = connector.source
        if let trouble = troubles[source] { throw SourceFault(.unavailable, trouble.sentence) }
        guard overdue[source, default: 0] < Self.mostOverdue else { throw late(connector) }
        return start(connector, within: limit, question)
    }

    func answer<Answer>(to question: Question<Answer>, of connector: any Connector) async throws(SourceFault) -> Answer {
        switch await question.answer {
        case .success(let answer): return answer
        case .failure(let fault):
            if fault.code == .unavailable { suspect(connector) }
            throw fault
        }
    }

    private func start<Answer: Sendable>(
        _ connector: any Connector, within limit: Duration,
        _ question: @escaping @Sendable (any Connector) async throws(SourceFault) -> Answer
    ) -> Question<Answer> {
        let source = connector.source
        let asked = Question<Answer>()
        asked.whenLate = { [weak self] in self?.overdue[source, default: 0] += 1 }
        asked.whenBack = { [weak self] in self?.overdue[source, default: 1] -= 1 }
        asked.ask(in: blockingPool, within: limit, reactor, orElse: late(connector)) { () async throws(SourceFault) in
            try await question(connector)
        }
        return asked
    }

    /// Without a limit of time, for what must be known to have happened or not.
    func inBlockingPool<Answer: Sendable>(
        _ body: @escaping @Sendable () async throws(SourceFault) -> Answer
    ) async throws(SourceFault) -> Answer {
        try await withTaskExecutorPreference(blockingPool) { () async throws(SourceFault) in try await body() }
    }

    private func late(_ connector: any Connector) -> SourceFault {
        SourceFault(.unavailable, "The source “\(connector.about.name)” takes too long to answer.")
    }

    // MARK: Trouble

    /// What one question met may be that question's fault; a source is down when it says so itself.
    private func suspect(_ connector: any Connector) {
        guard troubles[connector.source] == nil else { return }
        check(connector)
    }

    private func check(_ connector: any Connector) {
        guard checks[connector.source] == nil else { return }
        let question = start(connector, within: Limit.check) { connector throws(SourceFault) in try await connector.check() }
        checks[connector.source] = Task(executorPreference: Loop.jobs) { [weak self] in
            let answer = await question.answer
            guard !Task.isCancelled else { return }
            await self?.checked(connector, answer)
        }
    }

    private func checked(_ connector: any Connector, _ answer: Result<Void, SourceFault>) {
        let source = connector.source
        checks[source] = nil
        let before = troubles[source]
        switch answer {
        case .success:
            guard before != nil else { return }
            troubles[source] = nil
            log(.notice, "The source “\(connector.about.name)” can be used again.")
            changed()
        case .failure(let fault):
            let tries = (before?.tries ?? 0) + 1
            let alarm = reactor.after(Self.pause(after: tries)) { [weak self] in self?.check(connector) }
            troubles[source] = Trouble(sentence: fault.sentence, tries: tries, alarm: alarm)
            if before?.sentence != fault.sentence {
                log(.warning, fault.sentence)
                changed()
            }
        }
    }

    /// 5 s, then twice as long each time, at most five minutes.
    nonisolated static func pause(after tries: Int) -> Duration { .seconds(min(300, 5 << min(tries - 1, 6))) }
}
