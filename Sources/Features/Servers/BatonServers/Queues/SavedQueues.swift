import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// Reads the queue that each account has at its server, and shows the queues of other players in the section `src`.
///
/// A server is asked when its source becomes available, when a person tests or synchronises it, and every five minutes while
/// clients are connected.
@Loop
final class SavedQueues {
    private let sources: Sources
    private let accounts: SourceAccounts
    private let dialects: Dialects
    private let clock: HubClock
    private let log: Log
    /// Sources that were asked since they became available.
    private var asked: Set<String> = []
    /// The running questions, one for each server.
    private(set) var reading: [String: Task<Void, Never>] = [:]
    /// The last queue that this hub saved at each server, or resumed from it.
    private var marks: [String: QueueMark] = [:]
    /// Number of this hub's own changes to the queue at each server, so that an older answer is not shown.
    private var turns: [String: Int] = [:]
    private let keeping = BackgroundQueue()
    private var alarm: (any Alarm)?
    /// True when servers were not asked at the last time, since no client was connected. They are asked when one comes.
    private var isStale = false
    private var isClosed = false

    private static let pause = Duration.seconds(300)
    private nonisolated static let fact = "queue.mark"

    init(sources: Sources, delivery: OutboxDelivery, accounts: SourceAccounts, dialects: Dialects, clock: HubClock, log: Log) {
        self.sources = sources
        self.accounts = accounts
        self.dialects = dialects
        self.clock = clock
        self.log = log
        delivery.savedQueues = self
    }

    func close() async {
        isClosed = true
        alarm?.cancel()
        for task in reading.values { task.cancel() }
        for task in reading.values { await task.value }
        await keeping.finish()
    }

    // MARK: Looking

    /// Handles sources that were added or changed, went down or came back.
    func considerAll() {
        for name in accounts.names {
            if sources.usable(name) == nil || sources.latencyMs(of: name) == nil {
                asked.remove(name)
            } else if asked.insert(name).inserted {
                read(name)
            }
        }
    }

    /// Handles the first client.
    func arrived() { if isStale { readAll() } }

    /// Asks the server of this account now.
    func read(_ name: String) {
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
            // The answer may have shown that the server stores no queue.
            if !isClosed { accounts.refresh() }
        }
    }

    // MARK: Marks

    private func mark(of name: String) async -> QueueMark? {
        if let mark = marks[name] { return mark }
        guard let memory = accounts.parts?.storage.memory(of: name) else { return nil }
        let text = try? await sources.inBlockingPool { () async throws(SourceFault) in memory.value(Self.fact) }
        return marks[name] ?? text.flatMap { $0 }.flatMap { QueueMark(text: $0) }
    }

    /// Notes that the server has this queue from this hub, or that this hub has resumed it, so it is not offered.
    func note(_ mark: QueueMark, at name: String) {
        turns[name, default: 0] += 1
        marks[name] = mark
        accounts.note(name) { $0.saved = nil }
        guard let memory = accounts.parts?.storage.memory(of: name), !isClosed else { return }
        keeping.add { [sources] in
            try? await sources.inBlockingPool { () async throws(SourceFault) in memory.store(mark.text, Self.fact) }
        }
    }

    func forget(_ name: String) {
        asked.remove(name)
        marks[name] = nil
        turns[name, default: 0] += 1
    }
}

extension SourceAbout.Abilities {
    /// True when the source may offer something to resume: a saved queue, or playback on another device.
    var canContinue: Bool { contains(.savedQueue) || contains(.sessions) }
}

extension SourcesSection.Saved {
    fileprivate init?(_ saved: SavedQueue) {
        guard !saved.entries.isEmpty else { return nil }
        let current = saved.current.flatMap { saved.entries.indices.contains($0) ? $0 : nil } ?? 0
        self.init(title: saved.entries[current].tags.title, positionMs: saved.positionMs, atMs: saved.savedAtMs)
    }
}
