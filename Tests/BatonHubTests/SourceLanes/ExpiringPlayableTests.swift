/// Addresses that are good for a while only.
import BatonCore
import BatonSeams
import Companion
import Harness
import Synchronization
import Testing

@testable import BatonHub
@testable import BatonKernel

@Suite struct `An address that has run out is resolved again` {
    /// Each answer is another address, good until then.
    private final class Leasing: Connector {
        let source = "lease"
        private let state = Mutex((count: 0, untilUs: [Microseconds]()))

        init(_ untilUs: [Microseconds]) { state.withLock { $0.untilUs = untilUs } }

        func expand(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> [NewEntry] { [NewEntry(uri: uri, tags: Tags(title: "x"))] }

        func resolve(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> Playable {
            state.withLock { state in
                state.count += 1
                let untilUs = state.untilUs.count > 1 ? state.untilUs.removeFirst() : state.untilUs[0]
                return Playable(.url("http://x/\(state.count)"), validUntilUs: untilUs)
            }
        }
    }

    @Loop
    private final class Player: PlayerEngine {
        var loaded: [String] = []
        var followers: [String?] = []

        private func name(_ playable: Playable?) -> String? {
            guard case .url(let url)? = playable?.location else { return nil }
            return url
        }

        func load(_ playable: Playable, as entry: EntryID, fromMs: Milliseconds, paused: Bool) { loaded.append(name(playable) ?? "") }
        func follow(with playable: Playable?, as entry: EntryID?) { followers.append(name(playable)) }
        func setPaused(_ paused: Bool) {}
        func seek(toMs: Milliseconds) {}
        func stop() { loaded.append("stop") }
        func setGain(_ gain: Double) {}
        func setSpeed(permille: Int) {}
        func setFilters(_ filters: SoundFilters) {}
        func setNext(_ rendering: Rendering) {}
        func setLevelling(_ levelling: Levelling) {}
        func stopAt(_ stop: PlayerStop?) {}
        func fade(overMs: Milliseconds) {}
        func endFade() {}
        func close() async {}
    }

    @Loop
    private func orders(
        _ untilUs: [Microseconds], _ time: VirtualTime, _ player: Player, _ failed: @escaping @Loop (String) -> Void = { _ in }
    )
        -> PlayerOrders
    {
        PlayerOrders(
            engine: player, sources: Sources([Leasing(untilUs)], reactor: time, fittingRows: HubCodec.wire.fittingRows), reactor: time
        ) { _, fault in failed(fault.sentence) }
    }

    @Loop
    private func settle(_ orders: PlayerOrders) async { while let asking = orders.asking { await asking.value } }

    private let uri = ItemURI("lease:track/1")

    @Test func `one that ran out before it arrived is asked for once more`() async throws {
        try await onLoop {
            let (time, player) = (VirtualTime(), Player())
            time.pass(.seconds(100))
            let orders = orders([50_000_000, 500_000_000], time, player)

            orders.perform([.load(EntryID(1), uri, .itemsOnly, fromMs: 0, paused: false)])
            await settle(orders)

            #expect(player.loaded == ["http://x/2"])
        }
    }

    @Test func `a source whose addresses have always run out is told in a sentence`() async throws {
        try await onLoop {
            let (time, player) = (VirtualTime(), Player())
            time.pass(.seconds(100))
            var sentences: [String] = []
            let orders = orders([50_000_000], time, player) { sentences.append($0) }

            orders.perform([.load(EntryID(1), uri, .itemsOnly, fromMs: 0, paused: false)])
            await settle(orders)

            #expect(player.loaded == ["stop"])
            #expect(sentences.count == 1 && sentences[0].contains("no longer valid"))
        }
    }

    @Test func `a follower gets a new address before the old one runs out, until another takes its place`() async throws {
        try await onLoop {
            let (time, player) = (VirtualTime(), Player())
            let orders = orders([60_000_000, 120_000_000, 1_000_000_000], time, player)

            orders.perform([.follow(EntryID(2), uri, .itemsOnly)])
            await settle(orders)
            time.pass(.seconds(59))
            await settle(orders)
            #expect(player.followers == ["http://x/1", "http://x/2"])

            orders.perform([.followWithNothing])
            time.pass(.seconds(200))
            await settle(orders)
            #expect(player.followers == ["http://x/1", "http://x/2", nil])
            await orders.close()
        }
    }
}
