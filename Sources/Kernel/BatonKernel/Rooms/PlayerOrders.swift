package import BatonCore
package import BatonSeams

/// Sends one room's orders to its player, in order, after it has resolved their items at the sources.
///
/// An order without an item to resolve goes to the player at once, so a pause has no delay. While a source is asked, later
/// orders wait; a newer `load` drops all older ones.
@Loop
package final class PlayerOrders {
    private let engine: any PlayerEngine
    private let sources: Sources
    private let reactor: any Reactor
    private let fail: @Loop (EntryID, SourceFault) -> Void
    /// Alternative variants of an entry's track, best first.
    private let others: @Loop (EntryID) -> [ItemURI]
    /// Called for a station whose past is wanted and not recorded.
    private let isLive: @Loop (EntryID) -> Void
    /// Changes a file before a player gets it.
    private let asPlayed: @Loop (Playable, EntryID, ItemURI) -> Playable
    /// The order that set the player's next item.
    private var followed: PlayerOrder?
    private var waiting: [PlayerOrder] = [] { didSet { isWaiting = !waiting.isEmpty } }
    private var isWaiting = false
    private(set) var asking: Task<Void, Never>?
    /// For a follower whose address will not be good for as long as it may wait for its turn.
    private var renewal: (any Alarm)?
    /// Streams from other servers that the player has.
    private var streams: [Stream] = []
    private var leaving: Task<Void, Never>?
    /// Time before the expiry of an address at which it is replaced, since a loaded item is opened a moment later.
    private static let marginUs: Microseconds = 2_000_000

    /// Sends orders to `engine`. `fail` is called for entries that a source could not resolve.
    init(
        engine: any PlayerEngine, sources: Sources, reactor: any Reactor, fail: @escaping @Loop (EntryID, SourceFault) -> Void,
        others: @escaping @Loop (EntryID) -> [ItemURI] = { _ in [] }, isLive: @escaping @Loop (EntryID) -> Void = { _ in },
        asPlayed: @escaping @Loop (Playable, EntryID, ItemURI) -> Playable = { playable, _, _ in playable }
    ) {
        self.isLive = isLive
        self.asPlayed = asPlayed
        self.others = others
        self.engine = engine
        self.sources = sources
        self.reactor = reactor
        self.fail = fail
    }

    func perform(_ orders: [PlayerOrder]) {
        // Most come alone, and nothing is on its way.
        if orders.count == 1, asking == nil, !isWaiting, orders[0].isSetting { return give(orders[0], nil) }
        for order in orders {
            if order.replacesFollower {
                forgetRenewal()
                followed = nil
            }
            if order.makesOlderOnesMoot {
                asking?.cancel()
                asking = nil
                waiting.removeAll { !$0.isSetting }
            }
            waiting.append(order)
        }
        advance()
    }

    /// The measured position in the current entry.
    package var measuredMs: Double? { engine.measuredMs }

    func close() async {
        forgetRenewal()
        asking?.cancel()
        leaving?.cancel()
        waiting.removeAll()
        await asking?.value
        await leaving?.value
        await engine.close()
    }

    private func advance() {
        while asking == nil, !waiting.isEmpty {
            let order = waiting.removeFirst()
            if let item = order.item { ask(for: item, then: order) } else { give(order, nil) }
        }
    }

    private func ask(for item: PlayerOrder.Item, then order: PlayerOrder) {
        // The task prefers the loop's executor, since it would otherwise wake Swift's own pool.
        asking = Task(executorPreference: Loop.jobs) { [weak self] in
            if let self { await self.answer(item, then: order) }
        }
    }

    private func answer(_ item: PlayerOrder.Item, then order: PlayerOrder) async {
        let answer: Result<Playable, SourceFault>
        do throws(SourceFault) {
            answer = .success(try await playable(of: item))
        } catch {
            answer = .failure(error)
        }
        guard !Task.isCancelled else { return }
        asking = nil
        switch answer {
        case .success(let playable): give(order, playable)
        case .failure(let fault): refuse(order, entry: item.entry, because: fault)
        }
        advance()
    }

    /// The playable form of an item. An address that has expired when it arrives is asked for once more.
    private func playable(of item: PlayerOrder.Item) async throws(SourceFault) -> Playable {
        do throws(SourceFault) {
            var playable = try await sources.playable(of: item.uri, trust: item.trust)
            if isExpired(playable) { playable = try await sources.resolve(item.uri, trust: item.trust) }
            guard !isExpired(playable) else {
                throw SourceFault(.failed, "The source gave an address that was no longer valid. Check the clock of its server.")
            }
            return asPlayed(await begin(steady(playable, item), item), item.entry, item.uri)
        } catch {
            // Another place of the same track is used instead.
            for uri in others(item.entry) {
                if let playable = try? await sources.playable(of: uri, trust: item.trust), !isExpired(playable) {
                    return asPlayed(steady(playable, item), item.entry, uri)
                }
            }
            throw error
        }
    }

    /// Plays a station from a point in its past. Without that past it is played live, and the room is told so.
    private func begin(_ playable: Playable, _ item: PlayerOrder.Item) async -> Playable {
        guard let point = item.past, case .bytes(let bytes) = playable.location else { return playable }
        guard let older = await (bytes.content as? any TitledBytes)?.begin(at: point) else {
            isLive(item.entry)
            return playable
        }
        var playable = playable
        playable.location = .bytes(NamedBytes(bytes.name, older))
        return playable
    }

    /// Makes the bytes of another server recoverable: when they stop, the track continues from another place.
    private func steady(_ playable: Playable, _ item: PlayerOrder.Item) -> Playable {
        guard case .bytes(let bytes) = playable.location, !playable.isLive else { return playable }
        let recovery = StreamRecovery(
            of: item, named: bytes.name, others: { [weak self] in self?.others(item.entry) ?? [] }, sources, reactor
        ) {
            [weak self] in await self?.goOn(with: $0, item) ?? false
        }
        var playable = playable
        let steady = SteadyBytes(bytes.content, recovery)
        playable.location = .bytes(NamedBytes(bytes.name, steady))
        streams.removeAll { $0.bytes == nil }
        streams.append(Stream(entry: item.entry, bytes: steady))
        return playable
    }

    private struct Stream {
        let entry: EntryID
        /// The bytes, which the player retains while it reads them.
        weak var bytes: SteadyBytes?
    }

    /// Handles a server that has stopped sending, before the player has played everything that was buffered.
    func streamStalled(_ entry: EntryID) {
        guard leaving == nil else { return }
        let stalled = streams.filter { $0.entry == entry }.compactMap(\.bytes)
        leaving = Task(executorPreference: Loop.jobs) { [weak self] in
            if let self { await self.leave(stalled) }
        }
    }

    private func leave(_ stalled: [SteadyBytes]) async {
        for bytes in stalled { await bytes.leave() }
        leaving = nil
    }

    /// Continues an entry from another place after its bytes have stopped. False when the player has no use for it.
    private func goOn(with playable: Playable, _ item: PlayerOrder.Item) async -> Bool {
        // This place may fail too.
        let playable = steady(playable, item)
        if await engine.goOn(with: playable, as: item.entry) { return true }
        // The entry is the next one, so the player drops what it has read of it.
        guard case .follow(item.entry, _, _)? = followed else { return false }
        engine.follow(with: playable, as: item.entry)
        return true
    }

    /// Gives the player the copy of the next item, which is now on disk.
    package func kept(_ uri: ItemURI) {
        guard case .follow(_, uri, _)? = followed, let order = followed, asking == nil, waiting.isEmpty else { return }
        perform([order])
    }

    private func isExpired(_ playable: Playable) -> Bool { playable.validUntilUs.map { $0 <= reactor.nowUs } ?? false }

    /// Schedules a new resolution of the next item, which may wait for longer than its address is valid.
    private func renewLater(_ order: PlayerOrder, _ playable: Playable?) {
        guard case .follow = order, let validUntilUs = playable?.validUntilUs else { return }
        let dueUs = max(reactor.nowUs + Self.marginUs / 2, validUntilUs - Self.marginUs)
        renewal = reactor.after(.microseconds(dueUs - reactor.nowUs)) { [weak self] in self?.perform([order]) }
    }

    private func forgetRenewal() {
        renewal?.cancel()
        renewal = nil
    }

    /// Handles an item that could not be resolved. The next item fails only when its turn comes.
    private func refuse(_ order: PlayerOrder, entry: EntryID, because fault: SourceFault) {
        if case .follow = order {
            engine.follow(with: nil, as: nil)
        } else {
            engine.stop()
            fail(entry, fault)
        }
    }

    private func give(_ order: PlayerOrder, _ playable: Playable?) {
        switch order {
        case .load(let entry, _, _, let fromMs, let paused, _):
            guard let playable else { return }
            followed = nil
            engine.load(playable, as: entry, fromMs: fromMs, paused: paused)
        case .follow(let entry, _, _):
            followed = order
            engine.follow(with: playable, as: entry)
            renewLater(order, playable)
        case .followWithNothing:
            followed = nil
            engine.follow(with: nil, as: nil)
        case .setPaused(let paused): engine.setPaused(paused)
        case .seek(let toMs): engine.seek(toMs: toMs)
        case .stop: engine.stop()
        case .setGain(let gain): engine.setGain(gain)
        case .setSpeed(let permille): engine.setSpeed(permille: permille)
        case .setFilters(let filters): engine.setFilters(filters)
        case .setNext(let rendering): engine.setNext(rendering)
        case .setLevelling(let levelling): engine.setLevelling(levelling)
        case .stopAt(let stop): engine.stopAt(stop)
        case .fade(let overMs): engine.fade(overMs: overMs)
        case .endFade: engine.endFade()
        }
    }
}

extension PlayerOrder {
    struct Item {
        let entry: EntryID
        let uri: ItemURI
        let trust: Trust
        /// The point in a station's past at which it begins; `nil` for live.
        var past: RewindPoint?
    }

    /// The item that is resolved before the order is sent.
    fileprivate var item: Item? {
        switch self {
        case .load(let entry, let uri, let trust, _, _, let past): Item(entry: entry, uri: uri, trust: trust, past: past)
        case .follow(let entry, let uri, let trust): Item(entry: entry, uri: uri, trust: trust)
        default: nil
        }
    }

    fileprivate var makesOlderOnesMoot: Bool {
        switch self {
        case .load, .stop: true
        default: false
        }
    }

    /// True when the order replaces the player's next item.
    fileprivate var replacesFollower: Bool {
        switch self {
        case .load, .stop, .follow, .followWithNothing: true
        default: false
        }
    }

    /// True for settings that stay valid whatever is played.
    fileprivate var isSetting: Bool {
        switch self {
        case .setGain, .setSpeed, .setFilters, .setNext, .setLevelling, .stopAt, .endFade: true
        default: false
        }
    }
}
