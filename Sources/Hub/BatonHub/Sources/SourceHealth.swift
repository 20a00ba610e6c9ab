import BatonSeams

/// Which sources are down, and why.
///
/// A source is down when its own check fails. It is asked again after a pause that grows, and is up as soon as a check succeeds.
@Loop
final class SourceHealth {
    private struct Trouble {
        var sentence: String
        var asks: SourceFault.Ask?
        var tries: Int
        var alarm: (any Alarm)?
    }

    private var troubles: [String: Trouble] = [:]
    /// How long each took to say that it can be used, in milliseconds.
    private var latencies: [String: Int] = [:]
    private var checks: [String: Task<Void, Never>] = [:]
    private let reactor: any Reactor
    private let log: Log
    /// A source went down, or came back.
    var changed: @Loop () -> Void = {}

    init(_ reactor: any Reactor, _ log: Log) {
        self.reactor = reactor
        self.log = log
    }

    func close() {
        for trouble in troubles.values { trouble.alarm?.cancel() }
        for check in checks.values { check.cancel() }
        checks = [:]
    }

    /// The source was removed or replaced.
    func forget(_ source: String) {
        troubles.removeValue(forKey: source)?.alarm?.cancel()
        checks.removeValue(forKey: source)?.cancel()
        latencies[source] = nil
    }

    var down: some Sequence<String> { troubles.keys }

    /// A sentence for each source that is down.
    var problems: [String] { troubles.sorted { $0.key < $1.key }.map(\.value.sentence) }

    /// Why a source cannot be used; `nil` while it can.
    func problem(of source: String) -> String? { troubles[source]?.sentence }

    /// What a person can type so that it can be used.
    func asks(of source: String) -> SourceFault.Ask? { troubles[source]?.asks }

    /// How long it took to say that it can be used; `nil` when it never did.
    func latencyMs(of source: String) -> Int? { latencies[source] }

    // MARK: Checks

    /// Asks a source whether it can be used, unless that is being done already. `ask` puts the question, and has none when the
    /// hub ends.
    func check(_ connector: any Connector, ask: @escaping @Loop () -> Question<Void>?) {
        let source = connector.source
        guard checks[source] == nil, let question = ask() else { return }
        troubles[source]?.alarm?.cancel()
        let beganUs = reactor.nowUs
        checks[source] = Task(executorPreference: Loop.jobs) { [weak self] in
            let answer = await question.answer
            guard !Task.isCancelled else { return }
            await self?.checked(connector, answer, beganUs, ask)
        }
    }

    func untilChecked(_ source: String) async { await checks[source]?.value }

    private func checked(
        _ connector: any Connector, _ answer: Result<Void, SourceFault>, _ beganUs: Int64, _ ask: @escaping @Loop () -> Question<Void>?
    ) {
        let source = connector.source
        checks[source] = nil
        let before = troubles[source]
        switch answer {
        case .success:
            latencies[source] = Int((reactor.nowUs - beganUs) / 1000)
            troubles[source] = nil
            if before != nil { log(.notice, "The source “\(connector.about.name)” can be used again.") }
            changed()
        case .failure(let fault):
            let tries = (before?.tries ?? 0) + 1
            let alarm = reactor.after(Self.pause(after: tries)) { [weak self] in self?.check(connector, ask: ask) }
            troubles[source] = Trouble(sentence: fault.sentence, asks: fault.asks, tries: tries, alarm: alarm)
            if before?.sentence != fault.sentence {
                log(.warning, fault.sentence)
                changed()
            }
        }
    }

    /// 5 s, then twice as long each time, at most five minutes.
    nonisolated static func pause(after tries: Int) -> Duration { .seconds(min(300, 5 << min(tries - 1, 6))) }
}
