package import BatonCore
import BatonKernel
package import BatonSeams

/// Sends changes of items to their servers: each note of the outbox once, in order for each item.
///
/// A note is in the outbox before the person who caused it gets an answer. It is marked as tried before it is sent, so that a
/// hub that ends in between first asks the server whether the note has arrived. Each source has one note in progress at a
/// time, and a source that is down gets none until it is back.
@Loop
package final class OutboxDelivery: ServerTelling {
    private let sources: Sources
    private let reactor: any Reactor
    private let log: Log
    private(set) var outbox: (any Outbox)?
    /// The deliveries by the source's name, one for each source that has had a note.
    private var lines: [String: DeliveryLine] = [:]
    /// The part that knows the queue at each server.
    weak var savedQueues: SavedQueues?
    let counter: OutboxCounter
    private let ports: Ports
    private var isClosed = false

    init(sources: Sources, ports: Ports, reactor: any Reactor, log: Log) {
        self.sources = sources
        self.reactor = reactor
        self.log = log
        counter = OutboxCounter(sources, reactor)
        self.ports = ports
    }

    package var pendingItems: [ItemURI: Int] { counter.pendingItems }

    var counts: [String: OutboxCount] { counter.counts }

    /// Starts to deliver the stored notes.
    func open(_ outbox: any Outbox) {
        self.outbox = outbox
        counter.open(outbox)
        sources.hold.whenOver { [weak self] in self?.wakeAll() }
    }

    func close() async {
        isClosed = true
        for line in lines.values { line.cancel() }
        for line in lines.values { await line.ended() }
        await counter.close()
    }

    /// Handles a note that the server has.
    private func delivered(_ note: WriteBack, to source: String) {
        guard case .queue(let uris, let current, let ms) = note else { return }
        savedQueues?.note(QueueMark(uris, current: current, ms: ms), at: source)
    }

    // MARK: Noting

    package func isWanted(_ note: WriteBack, by source: String) -> Bool {
        sources.connectors.first { $0.source == source }?.about.abilities.contains(note.ability) == true
    }

    /// Adds a note. It is durable when this returns. Without an outbox it is sent once, and a failure is ignored.
    package func add(_ note: WriteBack, for source: String, atMs: Milliseconds) async throws(SourceFault) {
        guard isWanted(note, by: source) else { return }
        guard let outbox, note.isKept else { return tellOnce(note, to: source, atMs: atMs) }
        try await sources.inBlockingPool { () async throws(SourceFault) in try outbox.add(note, for: source, atMs: atMs) }
        counter.added(note, for: source)
        wake(source)
    }

    package func tellOnce(_ note: WriteBack, to source: String, atMs: Milliseconds) {
        guard !isClosed, isWanted(note, by: source), let connector = sources.usable(source) else { return }
        line(of: source).tellOnce(inPlaceOfEarlier: !note.isKept) { [weak self] in
            guard let self, (try? await send(note, atMs: atMs, to: connector)) != nil else { return }
            delivered(note, to: source)
        }
    }

    /// Drops the notes that wait for this source, and returns their number.
    func drop(of source: String) async throws(SourceFault) -> Int {
        guard let outbox else { return 0 }
        let count = try await sources.inBlockingPool { () async throws(SourceFault) in try outbox.drop(of: source) }
        counter.countNow()
        return count
    }

    package func pending(of source: String, limit: Int) async throws(SourceFault) -> [OutboxNote] {
        guard let outbox else { return [] }
        return try await sources.inBlockingPool { () async throws(SourceFault) in try outbox.pending(of: source, limit: limit) }
    }

    // MARK: Delivering

    private func line(of source: String) -> DeliveryLine {
        if let line = lines[source] { return line }
        let line = DeliveryLine()
        lines[source] = line
        return line
    }

    /// Resumes all deliveries after a source was added, went down or came back.
    func wakeAll() {
        for connector in sources.connectors { wake(connector.source, isBack: true) }
    }

    /// Delivers the notes of this source. A pause that the source asked for stays in force, also after it was down.
    func wake(_ source: String, isBack: Bool = false) {
        guard !isClosed, !sources.hold.isOn, outbox != nil, sources.usable(source) != nil else { return }
        let line = line(of: source)
        if isBack, line.pauseIsOurs { line.endPause() }
        line.begin { [weak self] in await self?.deliver(to: source, line) }
    }

    private func deliver(to source: String, _ line: DeliveryLine) async {
        guard let outbox else { return }
        // Notes that failed in this round. When one of them is next again, all others have been tried.
        var failed: Set<Int64> = []
        while !isClosed, let connector = sources.usable(source) {
            do throws(SourceFault) {
                let found = try await sources.inBlockingPool { () async throws(SourceFault) in try outbox.next(for: source) }
                guard let note = found else { return line.hasDelivered() }
                guard !failed.contains(note.id) else { return pause(line, source, after: nil) }
                switch try await tell(note, to: connector, outbox) {
                case .settled: line.hasDelivered()
                case .failed: failed.insert(note.id)
                case .later(let ms):
                    counter.countSoon()
                    return pause(line, source, after: ms)
                }
                counter.countSoon()
            } catch {
                // The outbox itself failed, so the result of the tried note is unknown, and the server is asked later.
                if !isClosed { log(.warning, "What was done here could not be told to “\(connector.about.name)”: \(error.sentence)") }
                return pause(line, source, after: nil)
            }
        }
    }

    private func pause(_ line: DeliveryLine, _ source: String, after ms: Milliseconds?) {
        guard !isClosed else { return }
        line.pause(for: ms, reactor) { [weak self] in self?.wake(source) }
    }

    private enum Result {
        /// A note that was delivered, refused for good, or replaced by a later one.
        case settled
        /// A note that failed, while others may not.
        case failed
        /// A pause for the source, with its length if the source gave one.
        case later(ms: Milliseconds?)
    }

    private func tell(_ note: OutboxNote, to connector: any Connector, _ outbox: any Outbox) async throws(SourceFault) -> Result {
        if note.isUncertain {
            switch await hasArrived(note, at: connector) {
            case .yes:
                delivered(note.note, to: connector.source)
                if case .progress(let place) = note.note { await ports.placeNotes?.hasArrived(place, at: connector.source) }
                return try await settle { () throws(SourceFault) in try outbox.finish(note.id) }
            case .no: break
            case .unknown where note.note.isHarmlessTwice: break
            case .unknown:
                return try await settle { () throws(SourceFault) in
                    try outbox.refuse(
                        note.id, "The answer was lost, and the server does not show whether it has this play. It was not sent again.")
                }
            case .unreachable(let fault): return .later(ms: fault.retryAfterMs)
            }
        }
        let isThere = try await sources.inBlockingPool { () async throws(SourceFault) in try outbox.begin(note.id) }
        guard isThere else { return .settled }
        do throws(SourceFault) {
            try await send(note.note, atMs: note.atMs, to: connector)
        } catch {
            return try await failed(note, because: error, at: connector, in: outbox)
        }
        delivered(note.note, to: connector.source)
        return try await settle { () throws(SourceFault) in try outbox.finish(note.id) }
    }

    private func settle(_ change: @escaping @Sendable () throws(SourceFault) -> Void) async throws(SourceFault) -> Result {
        try await sources.inBlockingPool { () async throws(SourceFault) in try change() }
        return .settled
    }

    private func send(_ note: WriteBack, atMs: Milliseconds, to connector: any Connector) async throws(SourceFault) {
        if case .progress(let place) = note { return try await places().send(place, atMs: atMs, to: connector) }
        let question: AskedSource<Void>
        do throws(SourceFault) {
            question = try sources.begin(connector, within: Sources.Limit.item) { connector throws(SourceFault) in
                try await connector.writeBack(note, atMs: atMs)
            }
        } catch {
            var fault = error
            fault.isUntaken = true
            throw fault
        }
        try await sources.answer(to: question)
    }

    /// The part that sends places. It reads the server's place first, so without it none is sent, since a place that is simply written
    /// would replace a later one of another device: a stored note waits, and one that is told once is dropped.
    private func places() throws(SourceFault) -> any PlaceTelling {
        if let places = ports.placeNotes { return places }
        var fault = SourceFault(.failed, "This hub has no part that sends places.")
        fault.isUntaken = true
        throw fault
    }

    private func failed(
        _ note: OutboxNote, because fault: SourceFault, at connector: any Connector, in outbox: any Outbox
    ) async throws(SourceFault) -> Result {
        if fault.isFinal {
            return try await settle { () throws(SourceFault) in try outbox.refuse(note.id, fault.sentence) }
        }
        try await sources.inBlockingPool { () async throws(SourceFault) in
            try outbox.store(note.id, fault.sentence, isUncertain: !fault.isUntaken)
        }
        switch fault.code {
        case .unavailable, .cancelled: return .later(ms: fault.retryAfterMs)
        case .forbidden:
            // The login may be wrong: then the source is down until it is changed.
            sources.checkAfterFailure(connector)
            return .failed
        default: return .failed
        }
    }

    private enum Arrival {
        case yes, no, unknown
        case unreachable(SourceFault)
    }

    private func hasArrived(_ note: OutboxNote, at connector: any Connector) async -> Arrival {
        do throws(SourceFault) {
            let answer = try await sources.ask(connector, within: Sources.Limit.item) { connector throws(SourceFault) in
                try await connector.hasReached(note.note, atMs: note.atMs)
            }
            return answer.map { $0 ? .yes : .no } ?? .unknown
        } catch {
            switch error.code {
            case .unavailable, .cancelled, .forbidden, .failed: return .unreachable(error)
            default: return .unknown
            }
        }
    }
}
