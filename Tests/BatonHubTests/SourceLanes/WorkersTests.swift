/// Workers in simulated time: who is asked how it is, when, and what is stored of changes.
import BatonClient
import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import Harness
import Synchronization
import Testing

@testable import BatonHub
@testable import BatonKernel
@testable import BatonMaking

@Suite(.serialized) struct `Workers of the hub` {
    /// Counts what it is asked, and answers when it may.
    private final class Worker: GenerationWorker {
        struct State {
            var asked = 0
            var isSilent = false
            var fault: SourceFault?
            /// What is still to be ended there.
            var late = 0
            var discarded: [String] = []
        }

        let name: String
        let about = WorkerAbout(kind: .http, bounds: .remote, location: "http://studio")
        private let state = Mutex(State())

        init(_ name: String) { self.name = name }

        func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result { state.withLock { body(&$0) } }

        func health() async throws(SourceFault) -> WorkerHealth {
            let (isSilent, fault) = change { state in
                state.asked += 1
                return (state.isSilent, state.fault)
            }
            if isSilent { await Self.untilCancelled() }
            if let fault { throw fault }
            return WorkerHealth(models: ["medium"])
        }

        func make(
            _ order: GenerationOrder, note: @escaping @Sendable (WorkerNote) async throws(SourceFault) -> Void
        ) async throws(SourceFault) -> GeneratedPiece {
            try await note(.remembers("place \(order.id)"))
            try await note(.progress(percent: 5, message: nil))
            await Self.untilCancelled()
            throw .cancelled
        }

        private static func untilCancelled() async {
            let silence = AsyncStream<Never>.makeStream()
            await withTaskCancellationHandler {
                for await _ in silence.stream {}
            } onCancel: {
                silence.continuation.finish()
            }
        }

        func discard(_ memory: String) async throws(SourceFault) -> Bool {
            change { state in
                state.discarded.append(memory)
                state.late -= 1
                return state.late < 0
            }
        }
    }

    /// What a hub keeps, across its restarts.
    private final class Storage: WorkerStorage {
        private let workers = Mutex(StoredWorkers())
        let tokens = Mutex<[String: String]>([:])

        func stored() throws(SourceFault) -> StoredWorkers { workers.withLock { $0 } }
        func store(_ kept: StoredWorkers) throws(SourceFault) { workers.withLock { $0 = kept } }
        func store(token: String?, of name: String) throws(SourceFault) -> String? {
            tokens.withLock { $0[name] = token }
            return token.map { _ in "/tokens/\(name)" }
        }
    }

    private struct Maker: WorkerMaking {
        func worker(_ description: WorkerDescription, token: String?) -> any GenerationWorker { Worker(description.name) }
    }

    @Loop
    private final class World: HubWorld {
        let studio = Worker("studio")
        let storage = Storage()
        let jobs = MemoryJobs()
        let sim: SimulatedHub

        init() async throws {
            sim = try SimulatedHub()
            await open()
        }

        func open() async {
            let parts = WorkerParts(storage: storage, maker: Maker())
            await sim.hub.open(
                MakingParts(storage: jobs, workers: [studio], adding: parts, numbers: JobNumbers()), Nothing())
        }

        func list(_ remote: TestRemote) async throws -> [WorkerList.Row] {
            try WorkerList(from: try #require(try await send(remote, Commands.Workers()).data)).rows
        }
    }

    private struct Nothing: Connector {
        var source: String { GenerationJob.scheme }
        func expand(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> [NewEntry] { [] }
        func resolve(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> Playable {
            throw SourceFault(.unavailable, "It is not finished yet.")
        }
    }

    /// BT-WRK-001
    @Test func `a worker is asked when a person looks, once in five seconds, and at no other time`() async throws {
        try await onLoop {
            let world = try await World()
            let remote = try world.sim.remote()
            world.sim.time.pass(.seconds(600))
            #expect(world.studio.change { $0.asked } == 0)
            let row = try #require(try await world.list(remote).first)
            #expect(row.state == .ready && row.models == ["medium"] && row.isUsual && row.isConfigured)
            _ = try await world.list(remote)
            #expect(world.studio.change { $0.asked } == 1)
            world.sim.time.pass(.seconds(6))
            world.studio.change { $0.fault = SourceFault(.unavailable, "It is away.") }
            let down = try #require(try await world.list(remote).first)
            #expect(down.state == .down && down.sentence == "It is away." && down.latencyMs == nil && down.models.isEmpty)
            world.sim.time.pass(.seconds(600))
            #expect(world.studio.change { $0.asked } == 2)
        }
    }

    /// BT-WRK-001
    @Test func `one that is slow keeps its state, and is down only after a minute`() async throws {
        try await onLoop {
            let world = try await World()
            let remote = try world.sim.remote()
            _ = try await world.list(remote)
            world.studio.change { $0.isSilent = true }
            world.sim.time.pass(.seconds(6))
            #expect(try await world.list(remote).first?.state == .ready)
            #expect(await world.until(within: 90) { world.sim.hub.making.workers.entries.first?.health.state == .down })
            #expect(world.studio.change { $0.asked } == 2)
        }
    }

    /// BT-WRK-003
    @Test func `files of the machine are reached from the unix socket alone`() async throws {
        try await onLoop {
            let world = try await World()
            let elsewhere = Grant(role: .admin, trust: .musicFolders, address: "10.0.0.7", scope: "dev/1").identity()
            @Loop func add(_ worker: Commands.WorkerAdd, _ number: Int) async -> Reply {
                await world.sim.hub.ports.door.take(
                    worker,
                    CommandContext(
                        elsewhere, .alone(meter: "m"), number: number, key: .init("press-\(number)", fingerprint: UInt64(number))))
            }
            for (number, worker) in [
                Commands.WorkerAdd("a", program: "/bin/true"), Commands.WorkerAdd("a", url: "http://a", isConfined: false),
                Commands.WorkerAdd("a", url: "http://a", map: "/a:/b"),
            ].enumerated() {
                guard case .failed(let error) = await add(worker, number).outcome else { return #expect(Bool(false)) }
                #expect(error.known == .forbidden)
            }
            #expect(await add(Commands.WorkerAdd("a", url: "http://a", token: WorkerToken("sesame")), 9).outcome == .applied())
            #expect(world.storage.tokens.withLock { $0 } == ["a": "sesame"])
        }
    }

    @Test func `a map of files is never dropped without a word`() async throws {
        try await onLoop {
            let world = try await World()
            let remote = try world.sim.remote()
            let program = try await world.send(remote, Commands.WorkerAdd("tones", program: "/bin/tones", map: "/a:/b"))
            #expect(program.refusal == .badRequest)
            @Loop func kept() -> ArtifactMap? { world.sim.hub.making.workers.kept.workers.first { $0.name == "attic" }?.artifactMap }
            for token in ["sesame", "barley"] {
                let map = token == "sesame" ? "/a:/b" : nil
                let worker = Commands.WorkerAdd("attic", url: "http://attic", token: WorkerToken(token), map: map)
                _ = try await world.send(remote, worker)
                #expect(kept() == ArtifactMap("/a:/b"))
            }
            _ = try await world.send(remote, Commands.WorkerAdd("attic", url: "http://other"))
            #expect(kept() == nil, "another service has other folders")
        }
    }

    /// BT-WRK-003
    @Test func `what was added and chosen is there after a kill, and what is removed takes its token with it`() async throws {
        try await onLoop {
            let world = try await World()
            var remote = try world.sim.remote()
            _ = try await world.send(remote, Commands.WorkerAdd("attic", url: "http://attic", token: WorkerToken("sesame")))
            _ = try await world.send(remote, Commands.WorkerDefault("attic"))
            try world.sim.restart()
            await world.open()
            remote = try world.sim.remote()
            #expect(try await world.list(remote).map { "\($0.name) \($0.isUsual)" } == ["studio false", "attic true"])
            _ = try await world.send(remote, Commands.WorkerRemove("attic"))
            #expect(try await world.list(remote).map { "\($0.name) \($0.isUsual)" } == ["studio true"])
            #expect(world.storage.tokens.withLock { $0.isEmpty })
        }
    }

    /// BT-GEN-006
    @Test func `a cancelled job is followed at its worker until nothing of it is left, also over a kill`() async throws {
        try await onLoop {
            let world = try await World()
            var remote = try world.sim.remote()
            world.studio.change { $0.late = 3 }
            _ = try await world.send(remote, Commands.JobBegin(text: "rain", target: .none), key: "press-1")
            #expect(await world.until { world.sim.hub.making.queue.jobs["job-1"]?.state == .running })
            _ = try await world.send(remote, Commands.JobCancel("job-1"))
            #expect(await world.until { world.studio.change { $0.discarded.count } == 1 })
            try world.sim.restart()
            await world.open()
            remote = try world.sim.remote()
            #expect(await world.until(within: 60) { (try? world.jobs.job("job-1"))??.memory == nil })
            #expect(world.studio.change { $0.discarded } == Array(repeating: "place job-1", count: 4))
            world.sim.time.pass(.seconds(600))
            #expect(world.studio.change { $0.discarded.count } == 4)
        }
    }
}
