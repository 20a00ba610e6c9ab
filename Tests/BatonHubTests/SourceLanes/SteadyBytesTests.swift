/// Tracks whose bytes stop before their end.
import BatonCore
import BatonSeams
import Companion
import Harness
import Synchronization
import Testing

@testable import BatonHub
@testable import BatonKernel

@Suite struct `A track outlives its server` {
    /// A server with one track. It breaks after so many bytes until it is mended, and may hold another encoding.
    private final class Server: Connector, ByteSource {
        let source: String
        private let factor: Int
        private struct State {
            var breaksAt = Int64.max
            var stallsAt = Int64.max
            var isStalled = false
            var resolved = 0
            /// Reads that wait at the stall. Each ends with its task, too.
            var waiting: [AsyncStream<Void>.Continuation] = []
        }

        private let state = Mutex(State())

        init(_ source: String, factor: Int = 7) {
            self.source = source
            self.factor = factor
        }

        var length: Int64? { Int64(Self.size) }
        var hasRanges: Bool { true }
        var version: ContentVersion? { nil }
        var resolved: Int { state.withLock { $0.resolved } }

        /// A read has got to where no bytes come.
        var isStalled: Bool { state.withLock { $0.isStalled } }

        func stalls(at position: Int64) {
            let waiting = state.withLock { state in
                state.stallsAt = position
                defer { state.waiting = [] }
                return state.waiting
            }
            for read in waiting { read.finish() }
        }
        func breaks(at position: Int64) { state.withLock { $0.breaksAt = position } }

        func expand(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> [NewEntry] { [] }

        func resolve(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> Playable {
            let isDown = state.withLock { state in
                state.resolved += 1
                return state.breaksAt == 0
            }
            if isDown { throw SourceFault(.failed, "\(source) is down.") }
            return Playable(.bytes(NamedBytes("\(source).mp3", self)))
        }

        /// Ends when bytes come again; `nil` where they come.
        private func stall(at position: Int64) -> AsyncStream<Void>? {
            let (stall, waiting) = AsyncStream<Void>.makeStream()
            return state.withLock { state in
                state.isStalled = position >= state.stallsAt
                guard state.isStalled else { return nil }
                state.waiting.append(waiting)
                return stall
            }
        }

        func read(at position: Int64, count: Int) async throws(SourceFault) -> [UInt8] {
            while let stall = stall(at: position) {
                for await _ in stall {}
                guard !Task.isCancelled else { throw .cancelled }
            }
            let breaksAt = state.withLock { min($0.breaksAt, $0.stallsAt) }
            guard position < breaksAt else { throw SourceFault(.unavailable, "The connection broke off.") }
            let end = min(Int64(Self.size), breaksAt, position + Int64(count))
            return position < end ? (position..<end).map { UInt8(truncatingIfNeeded: Int($0) &* factor) } : []
        }

        static let size = 300_000
    }

    @Loop
    private final class Player: PlayerEngine {
        var loaded: Playable?
        var continued: [String] = []

        func load(_ playable: Playable, as entry: EntryID, fromMs: Milliseconds, paused: Bool) { loaded = playable }
        func follow(with playable: Playable?, as entry: EntryID?) {}
        func goOn(with playable: Playable, as entry: EntryID) -> Bool {
            guard case .bytes(let bytes) = playable.location else { return false }
            continued.append(bytes.name)
            return true
        }
        func setPaused(_ paused: Bool) {}
        func seek(toMs: Milliseconds) {}
        func stop() {}
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
    private final class World {
        let time = VirtualTime()
        let player = Player()
        var failures: [String] = []
        private(set) var orders: PlayerOrders!

        init(_ servers: [Server], others: [String] = []) {
            let sources = Sources(servers, reactor: time, fittingRows: HubCodec.wire.fittingRows)
            orders = PlayerOrders(
                engine: player, sources: sources, reactor: time, fail: { [weak self] _, fault in self?.failures.append(fault.sentence) },
                others: { _ in others.map { ItemURI("\($0):track/1") } })
        }

        /// What is loaded for the track of the first server.
        func load() async throws -> any ByteSource {
            orders.perform([.load(EntryID(1), ItemURI("one:track/1"), .itemsOnly, fromMs: 0, paused: false)])
            while let asking = orders.asking { await asking.value }
            guard case .bytes(let bytes)? = player.loaded?.location else {
                throw SourceFault(.failed, failures.first ?? "Nothing was loaded.")
            }
            return bytes.content
        }

        /// Reads to the end while time passes.
        func all(of source: any ByteSource, during: @Loop () -> Void = {}) async -> Result<[UInt8], SourceFault> {
            let reading = Task(executorPreference: Loop.jobs) { () async -> Result<[UInt8], SourceFault> in
                var bytes: [UInt8] = []
                do throws(SourceFault) {
                    while true {
                        let piece = try await source.read(at: Int64(bytes.count), count: 64_000)
                        if piece.isEmpty { return .success(bytes) }
                        bytes += piece
                    }
                } catch {
                    return .failure(error)
                }
            }
            let isDone = Mutex(false)
            let watching = Task(executorPreference: Loop.jobs) {
                _ = await reading.value
                isDone.withLock { $0 = true }
            }
            for _ in 0..<20_000 where !isDone.withLock({ $0 }) {
                await untilQuiet()
                during()
                if !isDone.withLock({ $0 }) { time.pass(.milliseconds(50)) }
            }
            await watching.value
            return await reading.value
        }
    }

    private static func track(_ factor: Int = 7) -> [UInt8] { (0..<Server.size).map { UInt8(truncatingIfNeeded: $0 &* factor) } }

    @Test func `a place with the same bytes takes over in the middle of them`() async throws {
        try await onLoop {
            let (one, two) = (Server("one"), Server("two"))
            let world = World([one, two], others: ["two"])
            let bytes = try await world.load()
            one.breaks(at: 100_000)
            let startedUs = world.time.nowUs

            #expect(await world.all(of: bytes) == .success(Self.track()))
            #expect(world.player.continued.isEmpty && two.resolved == 1)
            #expect(world.time.nowUs - startedUs < 1_000_000)
        }
    }

    @Test func `a place with another encoding is handed to the player, and the bytes end`() async throws {
        try await onLoop {
            let (one, two) = (Server("one"), Server("two", factor: 9))
            let world = World([one, two], others: ["two"])
            let bytes = try await world.load()
            one.breaks(at: 100_000)

            #expect(await world.all(of: bytes) == .success(Array(Self.track().prefix(100_000))))
            #expect(world.player.continued == ["two.mp3"])
        }
    }

    @Test func `without another place it goes on when its own server is back`() async throws {
        try await onLoop {
            let one = Server("one")
            let world = World([one])
            let bytes = try await world.load()
            one.breaks(at: 100_000)
            let backUs = world.time.nowUs + 20_000_000
            let all = await world.all(of: bytes) { if world.time.nowUs > backUs { one.breaks(at: .max) } }

            #expect(all == .success(Self.track()))
            #expect(world.time.nowUs - backUs < 5_000_000)
        }
    }

    @Test func `a server that stays away for half a minute is given up, with the name of the track`() async throws {
        try await onLoop {
            let one = Server("one")
            let world = World([one])
            let bytes = try await world.load()
            one.breaks(at: 100_000)
            let startedUs = world.time.nowUs
            guard case .failure(let fault) = await world.all(of: bytes, during: { one.breaks(at: 0) }) else {
                Issue.record("It ended.")
                return
            }
            #expect(fault.sentence.contains("“one.mp3”") && world.time.nowUs - startedUs >= 29_000_000)
        }
    }

    @Test func `a server that is down before it begins is replaced by another place`() async throws {
        try await onLoop {
            let (one, two) = (Server("one"), Server("two"))
            one.breaks(at: 0)
            let world = World([one, two], others: ["two"])
            let bytes = try await world.load()
            #expect(await world.all(of: bytes) == .success(Self.track()))
            #expect(world.failures.isEmpty)
        }
    }

    @Test(arguments: [7, 9]) func `a server that stalls while the player runs short is left for another place`(factor: Int) async throws {
        try await onLoop {
            let (one, two) = (Server("one"), Server("two", factor: factor))
            let world = World([one, two], others: ["two"])
            let bytes = try await world.load()
            one.stalls(at: 100_000)
            let all = await world.all(of: bytes) { if one.isStalled { world.orders.streamStalled(EntryID(1)) } }

            #expect(all == .success(factor == 7 ? Self.track() : Array(Self.track().prefix(100_000))))
            #expect(world.player.continued == (factor == 7 ? [] : ["two.mp3"]))
        }
    }

    @Test func `a server that stalls is waited for where there is no other place`() async throws {
        try await onLoop {
            let one = Server("one")
            let world = World([one])
            let bytes = try await world.load()
            one.stalls(at: 100_000)
            let backUs = world.time.nowUs + 15_000_000
            let all = await world.all(of: bytes) {
                if one.isStalled { world.orders.streamStalled(EntryID(1)) }
                if world.time.nowUs > backUs { one.stalls(at: .max) }
            }

            #expect(all == .success(Self.track()))
            #expect(one.resolved == 1)
        }
    }
}
