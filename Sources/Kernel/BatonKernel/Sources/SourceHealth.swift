import BatonCore
package import BatonSeams

/// Which sources are down, and why.
///
/// A source is down when its own check fails, or is not answered for `patience`: then nothing waits for it until one is. It is asked
/// again after a pause that grows, and is up as soon as a check succeeds.
@Loop
package final class SourceHealth {
    private struct Trouble {
        var sentence: String
        var asks: SourceFault.Ask?
        var tries: Int
        var alarm: (any Alarm)?
    }

    private var troubles: [String: Trouble] = [:]
    /// How long each took to say that it can be used, in milliseconds.
    private var latencies: [String: Int] = [:]
    private var checks: [String: Check] = [:]
    private let reactor: any Reactor
    /// For people: since when a source is away.
    private let wallMs: @Sendable () -> Int64
    /// Longer than an answer takes on any network, shorter than a person waits.
    private nonisolated static let patience = Duration.seconds(2)
    private let log: Log
    private let events: HubEvents

    @Loop
    private struct Check {
        let task: Task<Void, Never>
        let silence: (any Alarm)?

        func cancel() {
            task.cancel()
            silence?.cancel()
        }
    }

    /// How a source is asked whether it can be used.
    struct Probe {
        /// Puts the question; there is none when the hub ends.
        package let ask: @Loop () -> Question<Void>?
        /// Called when the source does not answer it: what waits for the source waits no longer.
        package let release: @Loop (SourceFault) -> Void
    }

    package init(_ reactor: any Reactor, _ log: Log, _ events: HubEvents, wallMs: @escaping @Sendable () -> Int64) {
        self.reactor = reactor
        self.log = log
        self.events = events
        self.wallMs = wallMs
    }

    package func close() {
        for trouble in troubles.values { trouble.alarm?.cancel() }
        for check in checks.values { check.cancel() }
        checks = [:]
    }

    /// The source was removed or replaced.
    package func forget(_ source: String) {
        troubles.removeValue(forKey: source)?.alarm?.cancel()
        checks.removeValue(forKey: source)?.cancel()
        latencies[source] = nil
    }

    package var down: some Sequence<String> { troubles.keys }

    /// A sentence for each source that is down.
    package var problems: [String] { troubles.sorted { $0.key < $1.key }.map(\.value.sentence) }

    /// Why a source cannot be used; `nil` while it can.
    package func problem(of source: String) -> String? { troubles[source]?.sentence }

    /// What a person can type so that it can be used.
    package func asks(of source: String) -> SourceFault.Ask? { troubles[source]?.asks }

    /// How long it took to say that it can be used; `nil` when it never did.
    package func latencyMs(of source: String) -> Int? { latencies[source] }

    // MARK: Checks

    /// Asks a source whether it can be used, unless that is being done already.
    func check(_ connector: any Connector, by probe: Probe) {
        let source = connector.source
        guard checks[source] == nil, let question = probe.ask() else { return }
        troubles[source]?.alarm?.cancel()
        let beganUs = reactor.nowUs
        // A source of the disk has limits of its own for a disk that does not answer.
        let silence =
            connector.about.abilities.contains(.remote)
            ? reactor.after(Self.patience) { [weak self] in self?.isSilent(connector, probe) } : nil
        let task = Task(executorPreference: Loop.jobs) { [weak self] in
            let answer = await question.answer
            guard !Task.isCancelled else { return }
            await self?.checked(connector, answer, beganUs, probe)
        }
        checks[source] = Check(task: task, silence: silence)
    }

    func untilChecked(_ source: String) async { await checks[source]?.task.value }

    /// The check goes on, so a source that was only slow is back as soon as it answers.
    private func isSilent(_ connector: any Connector, _ probe: Probe) {
        guard troubles[connector.source] == nil else { return }
        let fault = SourceFault(away: connector, since: LocalTime.system.clock(ofMs: wallMs()))
        troubles[connector.source] = Trouble(sentence: fault.sentence, tries: 0)
        log(.warning, fault.sentence)
        events.send(.sourcesChanged)
        probe.release(fault)
    }

    private func checked(
        _ connector: any Connector, _ answer: Result<Void, SourceFault>, _ beganUs: Int64, _ probe: Probe
    ) {
        let source = connector.source
        checks.removeValue(forKey: source)?.silence?.cancel()
        let before = troubles[source]
        switch answer {
        case .success:
            latencies[source] = Int((reactor.nowUs - beganUs) / 1000)
            troubles[source] = nil
            if before != nil { log(.notice, "The source “\(connector.about.name)” can be used again.") }
            events.send(.sourcesChanged)
        case .failure(let fault):
            let tries = (before?.tries ?? 0) + 1
            let alarm = reactor.after(Self.pause(after: tries)) { [weak self] in self?.check(connector, by: probe) }
            // Silence says no more than it did before.
            let sentence = fault.isLate ? before?.sentence ?? fault.sentence : fault.sentence
            troubles[source] = Trouble(sentence: sentence, asks: fault.asks, tries: tries, alarm: alarm)
            if before?.sentence != sentence {
                log(.warning, sentence)
                events.send(.sourcesChanged)
            }
        }
    }

    /// 5 s, then twice as long each time, at most five minutes.
    package nonisolated static func pause(after tries: Int) -> Duration { .seconds(min(300, 5 << min(tries - 1, 6))) }
}

extension SourceFault {
    fileprivate init(away connector: any Connector, since time: String) {
        self.init(.unavailable, "The source “\(connector.about.name)” has been away since \(time): it does not answer.")
        isLate = true
    }
}
