import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// Looks which queue each account keeps at its server, and shows in the section `src` the one that another player has saved.
///
/// A server is asked when its source can be used again, when a person has it tested or synchronised, and every five minutes
/// while clients are connected.
@Loop
final class SavedQueues {
    private let sources: Sources
    private let accounts: SourceAccounts
    private let dialects: Dialects
    private let clock: HubClock
    private let log: Log
    /// Sources that were asked since they can be used.
    private var asked: Set<String> = []
    /// The servers that are being asked. Each is asked once at a time.
    package private(set) var reading: [String: Task<Void, Never>] = [:]
    /// What this hub saved at each server last, or went on with.
    private var marks: [String: QueueMark] = [:]
    /// Counts what this hub did with the queue at each server, so that an older answer is not shown.
    private var turns: [String: Int] = [:]
    private let keeping = BackgroundQueue()
    private var alarm: (any Alarm)?
    /// Nothing was asked for a while, since there was no client.
    private var isStale = false
    private var isClosed = false

    private static let pause = Duration.seconds(300)
    private nonisolated static let fact = "queue.mark"

    init(_ sources: Sources, _ delivery: OutboxDelivery, _ accounts: SourceAccounts, _ dialects: Dialects, _ clock: HubClock, _ log: Log) {
        self.sources = sources
        self.accounts = accounts
        self.dialects = dialects
        self.clock = clock
        self.log = log
        delivery.savedQueues = self
    }

    package func close() async {
        isClosed = true
        alarm?.cancel()
        for task in reading.values { task.cancel() }
        for task in reading.values { await task.value }
        await keeping.finish()
    }

    // MARK: Looking

    /// A source was added or changed, went down or came back.
    func considerAll() {
        for name in accounts.names {
            if sources.usable(name) == nil || sources.latencyMs(of: name) == nil {
                asked.remove(name)
            } else if asked.insert(name).inserted {
                read(name)
            }
        }
    }

    /// The first client is here.
    func arrived() { if isStale { readAll() } }

    /// Asks the server of this account now.
    package func read(_ name: String) {
        guard !isClosed, reading[name] == nil, let connector = sources.usable(name), connector.about.abilities.canContinue else { return }
        reading[name] = Task(executorPreference: Loop.jobs) { [weak self] in await self?.look(name, connector) }
        lookAgainLater()
    }

    private func lookAgainLater() {
        guard alarm == nil, !isClosed else { return }
        alarm = clock.after(Self.pause) { [weak self] in
            guard let self else { return }
            alarm = nil
            if dialects.connections > 0 { readAll() } else { isStale = true }
        }
    }

    private func readAll() {
        isStale = false
        lookAgainLater()
        for name in accounts.names { read(name) }
    }

    private func look(_ name: String, _ connector: any Connector) async {
        defer { reading[name] = nil }
        let turn = turns[name]
        do throws(SourceFault) {
            let saved = try await sources.ask(connector, within: Sources.Limit.item) { connector throws(SourceFault) in
                try await connector.savedQueue()
            }
            let mark = await mark(of: name)
            guard !isClosed, turns[name] == turn else { return }
            let isOwn = saved.map { mark?.isOf(QueueMark($0)) == true } ?? true
            accounts.note(name) { $0.saved = isOwn ? nil : saved.flatMap(SourcesSection.Saved.init) }
        } catch {
            log(.debug, "The queue that “\(name)” keeps is not known: \(error.sentence)")
            // It may have turned out that it keeps none.
            if !isClosed { accounts.refresh() }
        }
    }

    // MARK: Marks

    private func mark(of name: String) async -> QueueMark? {
        if let mark = marks[name] { return mark }
        guard let memory = accounts.parts?.keeper.memory(of: name) else { return nil }
        let text = try? await sources.inBlockingPool { () async throws(SourceFault) in memory.value(Self.fact) }
        return marks[name] ?? text.flatMap { $0 }.flatMap { QueueMark(text: $0) }
    }

    /// The server keeps this queue now, or this hub went on with it, so there is nothing to offer.
    package func note(_ mark: QueueMark, at name: String) {
        turns[name, default: 0] += 1
        marks[name] = mark
        accounts.note(name) { $0.saved = nil }
        guard let memory = accounts.parts?.keeper.memory(of: name), !isClosed else { return }
        keeping.add { [sources] in
            try? await sources.inBlockingPool { () async throws(SourceFault) in memory.keep(mark.text, Self.fact) }
        }
    }

    package func forget(_ name: String) {
        asked.remove(name)
        marks[name] = nil
        turns[name, default: 0] += 1
    }
}

extension SourceAbout.Abilities {
    /// There may be something of the account to go on with: a queue that it keeps, or what another of its devices plays.
    var canContinue: Bool { contains(.savedQueue) || contains(.sessions) }
}

extension SourcesSection.Saved {
    fileprivate init?(_ saved: SavedQueue) {
        guard !saved.entries.isEmpty else { return nil }
        let current = saved.current.flatMap { saved.entries.indices.contains($0) ? $0 : nil } ?? 0
        self.init(title: saved.entries[current].tags.title, positionMs: saved.positionMs, atMs: saved.savedAtMs)
    }
}
