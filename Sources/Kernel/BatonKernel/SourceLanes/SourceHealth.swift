import BatonCore
package import BatonSeams

/// The sources that are down, each with the reason.
///
/// A source is down when its own check fails or is not answered within `patience`; then nothing waits for it until one
/// succeeds. Checks repeat after a growing pause, and the source is up as soon as one succeeds.
@Loop
package final class SourceHealth {
    private struct Trouble {
        var sentence: String
        var asks: SourceFault.Ask?
        var tries: Int
        var alarm: (any Alarm)?
    }

    private var troubles: [String: Trouble] = [:]
    /// Duration of each source's last successful check, in milliseconds.
    private var latencies: [String: Milliseconds] = [:]
    private var checks: [String: Check] = [:]
    private let reactor: any Reactor
    /// The wall clock, to tell people since when a source is down.
    private let wallMs: @Sendable () -> Milliseconds
    /// Time limit for a check: longer than an answer takes on any network, and shorter than a person waits.
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

    /// The way to check one source.
    struct Probe {
        /// Asks the question; `nil` when the hub is closing.
        let ask: @Loop () -> Question<Void>?
        /// Called when the source does not answer, so that waiting questions end.
        let release: @Loop (SourceFault) -> Void
    }

    init(_ reactor: any Reactor, log: Log, events: HubEvents, wallMs: @escaping @Sendable () -> Milliseconds) {
        self.reactor = reactor
        self.log = log
        self.events = events
        self.wallMs = wallMs
    }

    func close() {
        for trouble in troubles.values { trouble.alarm?.cancel() }
        for check in checks.values { check.cancel() }
        checks = [:]
    }

    /// Removes the state of a source that was removed or replaced.
    func forget(_ source: String) {
        troubles.removeValue(forKey: source)?.alarm?.cancel()
        checks.removeValue(forKey: source)?.cancel()
        latencies[source] = nil
    }

    var down: some Sequence<String> { troubles.keys }

    /// The problems of all sources that are down, one sentence each.
    var problems: [String] { troubles.sorted { $0.key < $1.key }.map(\.value.sentence) }

    /// The reason why a source cannot be used; `nil` while it can.
    func problem(of source: String) -> String? { troubles[source]?.sentence }

    /// The input from a person that would make the source usable.
    package func asks(of source: String) -> SourceFault.Ask? { troubles[source]?.asks }

    /// Duration of the source's last successful check; `nil` when there was none.
    func latencyMs(of source: String) -> Milliseconds? { latencies[source] }

    // MARK: Checks

    /// Checks a source, unless a check is running.
    func check(_ connector: any Connector, by probe: Probe) {
        let source = connector.source
        guard checks[source] == nil, let question = probe.ask() else { return }
        troubles[source]?.alarm?.cancel()
        let beganUs = reactor.nowUs
        // A source on disk has its own limits for a disk that does not answer.
        let silence =
            connector.about.abilities.contains(.remote)
            ? reactor.after(Self.patience) { [weak self] in self?.isSilent(connector, probe) } : nil
        let task = Task(executorPreference: Loop.jobs) { [weak self] in
            let answer = await question.answer
            guard !Task.isCancelled else { return }
            await self?.checked(connector, answer, beganUs: beganUs, probe: probe)
        }
        checks[source] = Check(task: task, silence: silence)
    }

    func untilChecked(_ source: String) async { await checks[source]?.task.value }

    /// Marks the source as down. Its check goes on, so a slow source is up as soon as it answers.
    private func isSilent(_ connector: any Connector, _ probe: Probe) {
        guard troubles[connector.source] == nil else { return }
        let fault = SourceFault(away: connector, since: LocalTime.system.clock(ofMs: wallMs()))
        troubles[connector.source] = Trouble(sentence: fault.sentence, tries: 0)
        log(.warning, fault.sentence)
        events.send(.sourcesChanged)
        probe.release(fault)
    }

    private func checked(
        _ connector: any Connector, _ answer: Result<Void, SourceFault>, beganUs: Microseconds, probe: Probe
    ) {
        let source = connector.source
        checks.removeValue(forKey: source)?.silence?.cancel()
        let before = troubles[source]
        switch answer {
        case .success:
            latencies[source] = Milliseconds(reactor.nowUs - beganUs)
            troubles[source] = nil
            if before != nil { log(.notice, "The source “\(connector.about.name)” can be used again.") }
            events.send(.sourcesChanged)
        case .failure(let fault):
            let tries = (before?.tries ?? 0) + 1
            let alarm = reactor.after(Self.pause(after: tries)) { [weak self] in self?.check(connector, by: probe) }
            // A timeout adds no information, so the earlier sentence stays.
            let sentence = fault.isLate ? before?.sentence ?? fault.sentence : fault.sentence
            troubles[source] = Trouble(sentence: sentence, asks: fault.asks, tries: tries, alarm: alarm)
            if before?.sentence != sentence {
                log(.warning, sentence)
                events.send(.sourcesChanged)
            }
        }
    }

    /// The pause before the next check: 5 s, doubled each time, at most five minutes.
    package nonisolated static func pause(after tries: Int) -> Duration { .seconds(min(300, 5 << min(tries - 1, 6))) }
}

extension SourceFault {
    fileprivate init(away connector: any Connector, since time: String) {
        self.init(.unavailable, "The source “\(connector.about.name)” has been away since \(time): it does not answer.")
        isLate = true
    }
}
