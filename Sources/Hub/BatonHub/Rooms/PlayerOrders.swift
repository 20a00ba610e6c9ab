import BatonCore
import BatonSeams

/// Carries one room's orders to its player, in order, and asks sources what an item is on the way.
///
/// An order that needs no source goes straight through, so a pause costs nothing extra. While a
/// source is being asked, later orders wait behind it; a newer `load` makes all older ones moot.
@Loop
final class PlayerOrders {
    private let engine: any PlayerEngine
    private let sources: Sources
    private let reactor: any Reactor
    private let fail: @Loop (EntryID, String) -> Void
    private var waiting: [PlayerOrder] = []
    private(set) var asking: Task<Void, Never>?
    /// For a follower whose address will not be good for as long as it may wait for its turn.
    private var renewal: (any Alarm)?
    /// How long before its end an address is replaced: what is loaded is opened a moment later.
    private static let marginUs: Int64 = 2_000_000

    /// `fail` is told of entries whose source could not give them.
    init(engine: any PlayerEngine, sources: Sources, reactor: any Reactor, fail: @escaping @Loop (EntryID, String) -> Void) {
        self.engine = engine
        self.sources = sources
        self.reactor = reactor
        self.fail = fail
    }

    func perform(_ orders: [PlayerOrder]) {
        for order in orders {
            if order.replacesFollower { forgetRenewal() }
            if order.makesOlderOnesMoot {
                asking?.cancel()
                asking = nil
                waiting.removeAll { !$0.isSetting }
            }
            waiting.append(order)
        }
        advance()
    }

    func close() async {
        forgetRenewal()
        asking?.cancel()
        waiting.removeAll()
        await asking?.value
        await engine.close()
    }

    private func advance() {
        while asking == nil, !waiting.isEmpty {
            let order = waiting.removeFirst()
            if let item = order.item { ask(for: item, then: order) } else { give(order, nil) }
        }
    }

    private func ask(for item: PlayerOrder.Item, then order: PlayerOrder) {
        // While it waits it belongs to the loop too: without a preference it would wake Swift's own pool.
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
        case .failure(let fault): refuse(order, item.entry, fault)
        }
        advance()
    }

    /// What the source gives for an item. An address that has run out by the time it arrives is asked for once more.
    private func playable(of item: PlayerOrder.Item) async throws(SourceFault) -> Playable {
        var playable = try await sources.resolve(item.uri, trust: item.trust)
        if isExpired(playable) { playable = try await sources.resolve(item.uri, trust: item.trust) }
        guard !isExpired(playable) else {
            throw SourceFault(.failed, "The source gave an address that was no longer valid. Check the clock of its server.")
        }
        return playable
    }

    private func isExpired(_ playable: Playable) -> Bool { playable.validUntilUs.map { $0 <= reactor.nowUs } ?? false }

    /// A follower waits at the player until its turn, which may be longer than its address is good: then it is resolved again.
    private func renewLater(_ order: PlayerOrder, _ playable: Playable?) {
        guard case .follow = order, let validUntilUs = playable?.validUntilUs else { return }
        let dueUs = max(reactor.nowUs + Self.marginUs / 2, validUntilUs - Self.marginUs)
        renewal = reactor.after(.microseconds(dueUs - reactor.nowUs)) { [weak self] in self?.perform([order]) }
    }

    private func forgetRenewal() {
        renewal?.cancel()
        renewal = nil
    }

    /// A follower that cannot be had is not a failure yet: it becomes one when its turn comes.
    private func refuse(_ order: PlayerOrder, _ entry: EntryID, _ fault: SourceFault) {
        if case .follow = order {
            engine.follow(with: nil, as: nil)
        } else {
            engine.stop()
            fail(entry, fault.sentence)
        }
    }

    private func give(_ order: PlayerOrder, _ playable: Playable?) {
        switch order {
        case .load(let entry, _, _, let fromMs, let paused):
            guard let playable else { return }
            engine.load(playable, as: entry, fromMs: fromMs, paused: paused)
        case .follow(let entry, _, _):
            engine.follow(with: playable, as: entry)
            renewLater(order, playable)
        case .followWithNothing: engine.follow(with: nil, as: nil)
        case .setPaused(let paused): engine.setPaused(paused)
        case .seek(let toMs): engine.seek(toMs: toMs)
        case .stop: engine.stop()
        case .setGain(let gain): engine.setGain(gain)
        case .setSpeed(let permille): engine.setSpeed(permille: permille)
        case .setLevelling(let levelling): engine.setLevelling(levelling)
        }
    }
}

extension PlayerOrder {
    fileprivate struct Item {
        let entry: EntryID
        let uri: ItemURI
        let trust: Trust
    }

    /// What has to be resolved before the order can be given.
    fileprivate var item: Item? {
        switch self {
        case .load(let entry, let uri, let trust, _, _), .follow(let entry, let uri, let trust):
            Item(entry: entry, uri: uri, trust: trust)
        default: nil
        }
    }

    fileprivate var makesOlderOnesMoot: Bool {
        switch self {
        case .load, .stop: true
        default: false
        }
    }

    /// The player's follower is another one from then on.
    fileprivate var replacesFollower: Bool {
        switch self {
        case .load, .stop, .follow, .followWithNothing: true
        default: false
        }
    }

    /// Stays true whatever is played.
    fileprivate var isSetting: Bool {
        switch self {
        case .setGain, .setSpeed, .setLevelling: true
        default: false
        }
    }
}
