/// Sessions of clips in simulated time: kills of the hub at any step, lines that ask for clips, sessions that are taken up again, and pieces
/// that go on with them.
import BatonClient
import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import Harness
import Synchronization
import Testing

@testable import BatonComposer
@testable import BatonHub
@testable import BatonKernel
@testable import BatonMaking

@Suite(.serialized) struct `Sessions of clips` {
    /// The built-in composer, which takes a moment or says why not.
    private final class Worker: GenerationWorker {
        let name = "composer"
        let about = WorkerAbout(kind: .builtIn, bounds: .own, location: "composer")
        private let time: VirtualTime
        private let fault = Mutex(SourceFault?.none)
        private let isHeld = Mutex(false)

        init(in time: VirtualTime) { self.time = time }

        func hold() { isHeld.withLock { $0 = true } }
        func goOn() { isHeld.withLock { $0 = false } }

        func fail(_ fault: SourceFault?) { self.fault.withLock { $0 = fault } }

        func make(
            _ order: GenerationOrder, note: @escaping @Sendable (WorkerNote) async throws(SourceFault) -> Void
        ) async throws(SourceFault) -> GeneratedPiece {
            if let fault = fault.withLock({ $0 }) { throw fault }
            try await note(.progress(percent: 40, message: "bass"))
            repeat { await time.rest(.milliseconds(100)) } while isHeld.withLock { $0 }
            return GeneratedPiece(durationMs: 8_000, recipe: BuiltInPieces.outcome(of: order.request), sound: "sound.flac")
        }
    }

    /// Says of which files it would make a loop. It fails, or holds each mix, when it is told to.
    private final class Mixer: LoopMixing {
        private struct State {
            var made: [String: [String]] = [:]
            var fault: SourceFault?
            var isHeld = false
            var begun = 0
            var held: [CheckedContinuation<Void, Never>] = []
        }

        private let state = Mutex(State())

        var begun: Int { state.withLock { $0.begun } }
        func files(in folder: String) -> [String]? { state.withLock { $0.made[folder] } }
        func forget(_ folder: String) { state.withLock { $0.made[folder] = nil } }
        func fail(_ fault: SourceFault?) { state.withLock { $0.fault = fault } }
        func hold() { state.withLock { $0.isHeld = true } }

        func goOn() {
            let held = state.withLock { state in
                state.isHeld = false
                defer { state.held = [] }
                return state.held
            }
            for one in held { one.resume() }
        }

        func mix(_ order: LoopOrder) async throws(SourceFault) -> Milliseconds {
            await withCheckedContinuation { (turn: CheckedContinuation<Void, Never>) in
                let isFree = state.withLock { state in
                    state.begun += 1
                    if state.isHeld { state.held.append(turn) }
                    return !state.isHeld
                }
                if isFree { turn.resume() }
            }
            if let fault = state.withLock({ $0.fault }) { throw fault }
            state.withLock { $0.made[order.folder] = order.files }
            return 8_000
        }
    }

    @Loop
    private final class World: HubWorld {
        let worker: Worker
        let mixer = Mixer()
        var jobs = MemoryJobs()
        let sim: SimulatedHub
        var remote: TestRemote
        private let numbers = RunNumbers(generator: SharedGenerator(11))

        init() async throws {
            let time = VirtualTime()
            worker = Worker(in: time)
            sim = try SimulatedHub(time: time, lanPlain: .guest)
            remote = try sim.remote()
            let mixer = mixer
            // The sound of a clip is on the disk before the store has its job.
            jobs.has { !$0.contains("-s") || mixer.files(in: "/jobs/\($0)") != nil }
            await open()
        }

        private func open() async {
            await sim.hub.open(
                MakingParts(
                    storage: jobs, workers: [worker], numbers: numbers,
                    mixing: mixer))
        }

        /// What the disk has at this moment is what the next hub finds.
        func kill() async throws {
            jobs = jobs.copy()
            try sim.restart()
            await open()
            remote = try sim.remote()
        }

        var sessions: [ClipSession] { sim.hub.clips.planner.sessions }
        /// The reason why the first scene is not mixed.
        var trouble: String? { sessions.first.flatMap { sim.hub.clips.planner.trouble(0, of: $0) } }

        func send(_ command: some WireCommand, key: String? = nil, by other: TestRemote? = nil) async throws -> ReceivedReply {
            let remote = other ?? remote
            let id = remote.send(command, key: key)
            _ = await until { remote.reply(id) != nil }
            return try #require(remote.reply(id))
        }

        func start() async throws { _ = try await send(Commands.ClipsStart("slow piano", name: "Night"), key: "start-1") }
    }

    private func refusal(_ reply: ReceivedReply) -> ErrorCode? {
        guard case .failed(let error) = reply.reply.outcome else { return nil }
        return error.known
    }

    /// BT-CLP-001
    @Test(arguments: 0...50) func `a clip is made once and is in the loop, whenever the hub is killed`(steps: Int) async throws {
        try await onLoop {
            let world = try await World()
            try await world.start()
            let add = Commands.ClipsAdd(ClipCell(.bass, scene: 2), bars: 2)
            _ = world.remote.send(add, key: "add-1")
            for _ in 0..<steps { await world.sim.time.step() }
            if steps == 50 { #expect(world.sessions.first?.scenes[1].mixed == [1], "The last kill comes when all is done.") }

            try await world.kill()
            let job = try StartedJob(from: try #require(try await world.send(add, key: "add-1").data)).job

            #expect(await world.until { world.sessions.first?.scenes[1].mixed == [1] })
            #expect(world.sessions.count == 1 && world.sessions.first?.clips.map(\.number) == [1])
            #expect(try world.jobs.jobs().map(\.id) == [job])
            let session = try #require(world.sessions.first)
            #expect(world.mixer.files(in: "/jobs/\(session.folder(1))") == ["/jobs/\(job)/sound.flac"])
        }
    }

    /// BT-RTY-003
    @Test func `a key that another command used meanwhile is refused as such`() async throws {
        try await onLoop {
            let world = try await World()
            try await world.start()
            let other = try world.sim.connect(over: .unix(uid: 0, gid: 0))
            other.sendText(#"{"t":"hello","core":"1.0","view":"full","client":{"id":"client-1","run":"another"}}"#)
            let adding = world.remote.send(Commands.ClipsAdd(ClipCell(.bass)), key: "twice-1")
            let starting = world.remote.send(Commands.ClipsStart("rain"), key: "twice-2")
            #expect(world.remote.reply(adding) == nil && world.remote.reply(starting) == nil)
            for key in ["twice-1", "twice-2"] { #expect(try await world.send(Commands.Stop(), key: key, by: other).reply.isSuccess) }

            #expect(await world.until { world.remote.reply(adding) != nil && world.remote.reply(starting) != nil })
            for id in [adding, starting] { #expect(refusal(try #require(world.remote.reply(id))) == .keyMismatch) }
        }
    }

    /// BT-CLP-001
    @Test func `a clip whose job cannot be stored is not in its session, and replaces none`() async throws {
        try await onLoop {
            let world = try await World()
            try await world.start()
            world.worker.hold()
            _ = try await world.send(Commands.ClipsAdd(ClipCell(.bass)), key: "add-1")
            world.jobs.fail(SourceFault(.unavailable, "The disk is full."))

            #expect(refusal(try await world.send(Commands.ClipsAdd(ClipCell(.bass)), key: "add-2")) == .unavailable)

            #expect(world.sessions.first?.clips.map(\.number) == [1])
            world.jobs.fail(nil)
            world.worker.goOn()
            #expect(await world.until { world.sessions.first?.scenes[0].mixed == [1] })
            _ = try await world.send(Commands.ClipsAdd(ClipCell(.lead)), key: "add-3")
            #expect(await world.until { world.sessions.first?.clips.map(\.number) == [1, 3] })
        }
    }

    /// BT-CLP-001 BT-CLP-008
    @Test func `a hub that is killed while a scene is mixed mixes it anew, and no clip is made twice`() async throws {
        try await onLoop {
            let world = try await World()
            try await world.start()
            world.mixer.hold()
            _ = try await world.send(Commands.ClipsAdd(ClipCell(.bass)), key: "add-1")
            #expect(await world.until { world.mixer.begun == 1 })

            try await world.kill()
            #expect(await world.until { world.mixer.begun == 2 })
            #expect(world.sessions.first?.scenes[0].mixed == [] && world.sessions.first?.scenes[0].durationMs == nil)
            world.mixer.goOn()

            #expect(await world.until { world.sessions.first?.scenes[0].mixed == [1] })
            #expect(try world.jobs.jobs().count == 1)
            try await world.kill()
            // A kill before that was stored has it mixed once more.
            #expect(await world.until { world.sessions.first?.scenes[0].durationMs == 8_000 })
        }
    }

    /// BT-CLP-008
    @Test func `a scene that cannot be mixed says why and stays as it was, until its session is taken up again`() async throws {
        try await onLoop {
            let world = try await World()
            try await world.start()
            let session = try #require(world.sessions.first)
            _ = try await world.send(Commands.ClipsAdd(ClipCell(.bass)), key: "add-1")
            #expect(await world.until { world.sessions.first?.scenes[0].mixed == [1] })
            world.mixer.fail(SourceFault(.failed, "The program that mixes clips was ended by signal 9."))
            _ = try await world.send(Commands.ClipsAdd(ClipCell(.lead)), key: "add-2")
            func scene() async throws -> ClipSessions.Scene? {
                try ClipSessions(from: try #require(try await world.send(Commands.ClipsList()).data)).rows.first?.scenes.first
            }
            #expect(await world.until { world.mixer.begun == 2 && world.trouble != nil })
            #expect(try await scene()?.sentence == "The program that mixes clips was ended by signal 9.")
            #expect(world.mixer.files(in: "/jobs/\(session.folder(0))")?.count == 1 && world.sessions.first?.scenes[0].mixed == [1])

            world.mixer.fail(nil)
            _ = try await world.send(Commands.ClipsResume())
            #expect(await world.until { world.sessions.first?.scenes[0].mixed == [1, 2] })
            #expect(try await scene()?.sentence == nil)
        }
    }

    /// BT-CLP-003
    @Test func `a line has a clip made in the scene that is chosen, and guests have none made`() async throws {
        try await onLoop {
            let world = try await World()
            try await world.start()
            _ = try await world.send(Commands.ClipsScene(3))
            _ = try await world.send(Commands.JobBegin(text: "/lead flute"), key: "line-1")
            #expect(await world.until { world.sessions.first?.scenes[2].mixed == [1] })
            #expect(world.sessions.first?.clips.first?.layer == .lead && world.sim.hub.rooms.first.room.queue.isEmpty)

            let guest = try world.sim.connect(over: .network, from: "10.0.0.7")
            guest.sendText(#"{"t":"hello","core":"1.0","view":"full","client":{"id":"guest-1","name":"Kim"}}"#)
            #expect(refusal(try await world.send(Commands.JobBegin(text: "/bass"), key: "line-2", by: guest)) == .forbidden)
            #expect(refusal(try await world.send(Commands.JobBegin(text: "/session rain"), key: "line-3")) == .badRequest)
        }
    }

    /// BT-CLP-005
    @Test func `a session that is taken up again is the one that is meant, and gets what it lacks`() async throws {
        try await onLoop {
            let world = try await World()
            try await world.start()
            let first = try #require(world.sessions.first)
            _ = try await world.send(Commands.ClipsAdd(ClipCell(.bass)), key: "add-1")
            #expect(await world.until { world.sessions.first?.scenes[0].mixed == [1] })
            world.worker.fail(SourceFault(.failed, "There is no sound font."))
            _ = try await world.send(Commands.ClipsAdd(ClipCell(.lead)), key: "add-2")
            #expect(await world.until { world.sim.hub.making.queue.jobs[first.job(2)]?.state == .failed })
            world.sim.time.pass(.seconds(1))
            _ = try await world.send(Commands.ClipsStart("techno"), key: "start-2")
            #expect(try await self.newest(world) != first.id)

            world.worker.fail(nil)
            world.mixer.forget("/jobs/\(first.folder(0))")
            world.sim.time.pass(.seconds(1))
            _ = try await world.send(Commands.ClipsResume(session: first.id))

            #expect(await world.until { world.sessions.first?.scenes[0].mixed == [1, 2] })
            #expect(world.mixer.files(in: "/jobs/\(first.folder(0))")?.count == 2)
            #expect(try await self.newest(world) == first.id)
            try await world.kill()
            #expect(try await self.newest(world) == first.id)
            #expect(refusal(try await world.send(Commands.ClipsResume(session: "no-such-one"))) == .notFound)
        }
    }

    @Loop
    private func newest(_ world: World) async throws -> String? {
        try ClipSessions(from: try #require(try await world.send(Commands.ClipsList()).data)).rows.first?.session
    }

    /// BT-CLP-006
    @Test func `a piece goes on with the motif of the session, and stands in the queue while it is made`() async throws {
        try await onLoop {
            let world = try await World()
            try await world.start()
            let session = try #require(world.sessions.first)
            let reply = try await world.send(Commands.ClipsContinue(seconds: 60), key: "go-1")
            let job = try StartedJob(from: try #require(reply.data))
            let made = try #require(world.sim.hub.making.queue.jobs[job.job])
            let (piece, plan) = (try Recipe(try #require(made.request.recipe)), try Recipe(session.recipe))
            #expect(piece.motif == plan.motif && piece.seconds == 60 && session.has(job.job) && session.number(of: job.job) == nil)
            #expect(world.sim.hub.rooms.first.room.queue.entries.map(\.uri) == [job.uri])
            #expect(try await world.send(Commands.ClipsContinue(seconds: 60), key: "go-1").data == reply.data)
        }
    }

    /// BT-CLP-007
    @Test func `a clip that is turned off leaves the loop, and the last one stays`() async throws {
        try await onLoop {
            let world = try await World()
            try await world.start()
            for layer in [PromptLine.Layer.bass, .lead] { _ = try await world.send(Commands.ClipsAdd(ClipCell(layer)), key: "\(layer)-1") }
            #expect(await world.until { world.sessions.first?.scenes[0].mixed == [1, 2] })
            _ = try await world.send(Commands.ClipsTurn(ClipCell(.bass), isOn: false))
            #expect(await world.until { world.sessions.first?.scenes[0].mixed == [2] })
            #expect(refusal(try await world.send(Commands.ClipsTurn(ClipCell(.lead), isOn: false))) == .invalidState)
            #expect(refusal(try await world.send(Commands.ClipsTurn(ClipCell(.vocals), isOn: false))) == .notFound)
        }
    }
}
