/// The stations that are playing now: one connection and one ring for each, shared by all rooms.
package import BatonCore
package import BatonSeams

package actor StationStreams {
    package enum Heard: Sendable {
        case live(NamedBytes)
        /// A file of known length, not a station.
        case file
        /// A complete HLS playlist, not a station.
        case pieces(any ByteSource, durationMs: Milliseconds)
    }

    private struct Live {
        let number: Int
        let ring: any StreamRing
        let name: String
        /// Owned by this actor. It ends with the last reader of the ring.
        let pump: Task<Void, Never>
    }

    private typealias Opening = Task<Result<StationOpening.Opened, SourceFault>, Never>

    private let http: any HTTPCalling
    private let executor: any TaskExecutor
    private let makeRing: @Sendable (String) -> any StreamRing
    private let readPast: @Sendable (String) -> (any StationPast)?
    private var live: [String: Live] = [:]
    private var openings: [String: (number: Int, task: Opening)] = [:]
    private var nextNumber = 0

    /// Blocking work runs on `executor`. `makeRing` creates the ring for a station's address; `readPast` reads the
    /// buffer of an earlier ring and may block on the disk.
    package init(
        http: any HTTPCalling, executor: any TaskExecutor, readPast: @escaping @Sendable (String) -> (any StationPast)? = { _ in nil },
        makeRing: @escaping @Sendable (String) -> any StreamRing
    ) {
        self.readPast = readPast
        self.http = http
        self.executor = executor
        self.makeRing = makeRing
    }

    deinit {
        for one in live.values { one.pump.cancel() }
    }

    /// Opens the station, or joins its current stream.
    package func listen(to address: WebAddress, _ policy: AddressPolicy) async throws(SourceFault) -> Heard {
        let url = address.text
        if let joined = join(url) { return .live(joined) }
        let opening = StationOpening(calls: StationCalls(http: http, policy: policy, host: address.host), address: address)
        let (number, task) = openings[url] ?? begin(opening, url)
        let answer = await task.value
        // The first waiting caller starts the stream, and the others join it.
        if openings[url]?.number == number {
            openings[url] = nil
            if case .success(.feed(let feed, let name)) = answer, let first = start(opening, feed: feed, name: name, url: url) {
                return .live(first)
            }
        }
        switch answer {
        case .failure(let fault): throw fault
        case .success(.file): return .file
        case .success(.pieces(let list)): return .pieces(PieceFile(list, opening.calls), durationMs: list.durationMs)
        case .success(.feed):
            guard let joined = join(url) else { throw SourceFault(.unavailable, "Its stream ended at once.") }
            return .live(joined)
        }
    }

    /// Number of connections, for metrics and tests.
    package var count: Int { live.count }

    /// The buffered sound of a station, whether it plays or not; `nil` if there is none.
    package func past(of url: String) async -> (any StationPast)? {
        if let live = live[url] { return live.ring.past }
        let task = Task(executorPreference: executor) { [readPast] in readPast(url) }
        return await task.value
    }

    private func join(_ url: String) -> NamedBytes? {
        guard let live = live[url], let reader = live.ring.join() else { return nil }
        return NamedBytes(live.name, reader)
    }

    private func begin(_ opening: StationOpening, _ url: String) -> (number: Int, task: Opening) {
        let task = Opening(executorPreference: executor) { await Self.open(opening) }
        let begun = (take(), task)
        openings[url] = begun
        return begun
    }

    private static func open(_ opening: StationOpening) async -> Result<StationOpening.Opened, SourceFault> {
        do throws(SourceFault) { return .success(try await opening.open()) } catch { return .failure(error) }
    }

    /// A reader joins the ring before anything is written, because a ring without readers closes.
    private func start(_ opening: StationOpening, feed: any StationFeed, name: String, url: String) -> NamedBytes? {
        let number = take()
        let pump = StationPump(ring: makeRing(url), opening: opening)
        let first = pump.ring.join()
        let task = Task(executorPreference: executor) { [weak self] in
            await pump.run(feed)
            await self?.ended(url, number)
        }
        live[url]?.pump.cancel()
        live[url] = Live(number: number, ring: pump.ring, name: name, pump: task)
        return first.map { NamedBytes(name, $0) }
    }

    private func ended(_ url: String, _ number: Int) {
        if live[url]?.number == number { live[url] = nil }
    }

    private func take() -> Int {
        nextNumber += 1
        return nextNumber
    }
}
