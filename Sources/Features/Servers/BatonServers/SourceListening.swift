import BatonCore
import BatonKernel
import BatonSeams

/// Connections to servers that push changes, one for each usable source. A lost connection is opened again after a pause,
/// which grows with each failure.
@Loop
final class SourceListening {
    /// The connection to one source. A replaced line reports nothing.
    @Loop
    private final class Line {
        var work: Task<Void, Never>?
        var pause: (any Alarm)?
        var failures = 0
    }

    private let sources: Sources
    private let savedQueues: SavedQueues
    private let mirrorPasses: MirrorPasses
    private let ports: Ports
    private let clock: HubClock
    private let log: Log
    private var lines: [String: Line] = [:]
    private var isClosed = false

    /// Duration after which a connection counts as stable.
    private static let longUs: Microseconds = 60_000_000

    init(
        sources: Sources, savedQueues: SavedQueues, mirrorPasses: MirrorPasses, ports: Ports, clock: HubClock, log: Log
    ) {
        self.sources = sources
        self.savedQueues = savedQueues
        self.mirrorPasses = mirrorPasses
        self.ports = ports
        self.clock = clock
        self.log = log
    }

    func close() async {
        isClosed = true
        let works = lines.values.compactMap(\.work)
        for name in lines.keys { end(name) }
        for work in works { await work.value }
    }

    /// Handles sources that were added or removed, went down or came back.
    func considerAll() {
        guard !isClosed else { return }
        let able = sources.connectors.filter { $0.about.abilities.contains(.sessions) && sources.usable($0.source) != nil }
        for name in lines.keys where !able.contains(where: { $0.source == name }) { end(name) }
        for connector in able where lines[connector.source] == nil {
            let line = Line()
            lines[connector.source] = line
            listen(connector, line)
        }
    }

    /// Reconnects after an account was changed, since its connector is another one.
    func restart(_ source: String) {
        end(source)
        considerAll()
    }

    private func end(_ source: String) {
        let line = lines.removeValue(forKey: source)
        line?.pause?.cancel()
        line?.work?.cancel()
    }

    private func listen(_ connector: any Connector, _ line: Line) {
        let beganUs = clock.now.us
        line.work = Task(executorPreference: sources.blockingPool) { [weak self] in
            let sentence = await Self.listen(to: connector) { [weak self] in await self?.heard($0, from: connector.source, on: line) }
            await self?.hasEnded(connector, line: line, beganUs: beganUs, sentence: sentence)
        }
    }

    /// Listens off the loop, until the connection has ended; returns the reason.
    @concurrent
    private nonisolated static func listen(
        to connector: any Connector, _ told: @escaping @Sendable (SourceNews) async -> Void
    ) async -> String {
        do throws(SourceFault) { try await connector.listen(told) } catch { return error.sentence }
        return "The connection has ended."
    }

    private func heard(_ news: SourceNews, from source: String, on line: Line) {
        guard lines[source] === line else { return }
        switch news {
        case .sessions: savedQueues.read(source)
        case .items: mirrorPasses.syncSoon(source)
        case .place(let uri, let place): ports.places?.heard(place, in: uri, at: source)
        }
    }

    private func hasEnded(_ connector: any Connector, line: Line, beganUs: Microseconds, sentence: String) {
        guard lines[connector.source] === line else { return }
        line.failures = clock.now.us - beganUs > Self.longUs ? 1 : line.failures + 1
        log(.debug, "“\(connector.about.name)” is not listened to for a while: \(sentence)")
        line.pause = clock.after(SourceHealth.pause(after: line.failures)) { [weak self, weak line] in
            guard let self, let line, lines[connector.source] === line else { return }
            listen(connector, line)
        }
    }
}
