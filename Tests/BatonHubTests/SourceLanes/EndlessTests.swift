/// Music without end in simulated time: pieces ahead of what plays, kills of the hub, steering, variations and recipes.
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

@Suite(.serialized) struct `Music without end` {
    /// The built-in composer, and a worker that may be away. Both take a moment of simulated time: without it a hub would make pieces for
    /// ever before any time passes.
    private final class Worker: GenerationWorker {
        let name: String
        let about: WorkerAbout
        private let time: VirtualTime
        private let state = Mutex(([GenerationOrder](), SourceFault?.none))

        init(_ name: String, _ kind: WorkerAbout.Kind, in time: VirtualTime) {
            self.name = name
            self.time = time
            about = WorkerAbout(kind: kind, bounds: .own, location: name)
        }

        var orders: [GenerationOrder] { state.withLock { $0.0 } }
        func fail(_ fault: SourceFault?) { state.withLock { $0.1 = fault } }
        func check() async throws(SourceFault) {}

        func make(
            _ order: GenerationOrder, note: @escaping @Sendable (WorkerNote) async throws(SourceFault) -> Void
        ) async throws(SourceFault) -> GeneratedPiece {
            let fault = state.withLock { state in
                state.0.append(order)
                return state.1
            }
            await time.rest(.milliseconds(100))
            if let fault { throw fault }
            return GeneratedPiece(durationMs: 60_000, recipe: BuiltInPieces.outcome(of: order.request), sound: "sound.flac")
        }
    }

    @Loop
    private final class World: HubWorld {
        let composer: Worker
        let tones: Worker
        let jobs = MemoryJobs()
        let sim: SimulatedHub

        init() async throws {
            let time = VirtualTime()
            composer = Worker("composer", .builtIn, in: time)
            tones = Worker("tones", .program, in: time)
            sim = try SimulatedHub(time: time)
            await open()
        }

        func open() async {
            await sim.hub.open(
                MakingParts(
                    storage: jobs, workers: [composer, tones], numbers: RunNumbers(generator: SharedGenerator(11))), PieceShelf(jobs: jobs))
        }

        func kill() async throws {
            try sim.restart()
            await open()
        }

        var queue: [QueueEntry] { sim.hub.rooms.first.room.queue.entries }
        /// All pieces are made, and this many are in the queue.
        func rests(with count: Int) async -> Bool {
            await until { self.queue.count == count && self.sim.hub.making.queue.jobs.values.allSatisfy { $0.state.isOver } }
        }

        func on(_ remote: TestRemote, _ wish: Commands.Endless) async throws -> Reply.Outcome {
            try await send(remote, wish).reply.outcome
        }
    }

    /// BT-GEN-017
    @Test func `pieces are ahead of the one that plays, on one motif, in related keys and nearly one tempo`() async throws {
        try await onLoop {
            let world = try await World()
            let remote = try world.sim.remote()
            #expect(try await world.on(remote, Commands.Endless(true, text: "slow rain /duration 60", ahead: 2)) == .applied())
            #expect(try await world.on(remote, Commands.Endless(true, text: "slow rain /duration 60", ahead: 2)) == .noop(why: .same))
            #expect(await world.rests(with: 3) && world.sim.hub.rooms.first.room.isPlaying)
            #expect(await world.until { remote.mirror.endless?.made == 3 && remote.mirror.endless?.isOn == true })
            for count in 4...9 {
                _ = try await world.send(remote, Commands.Next(), key: "next-\(count)")
                // Of those that were heard the last three stay.
                #expect(await world.until { world.composer.orders.count == count })
                #expect(await world.rests(with: min(count, 6)))
            }
            let recipes = try world.composer.orders.map { try Recipe(try #require($0.request.recipe)) }
            for (one, next) in zip(recipes, recipes.dropFirst()) {
                #expect(abs(next.tempo - one.tempo) * 100 <= one.tempo * 4 && one.motif.steps == next.motif.steps)
                let shared = Set((0..<7).map { (one.key.tonic + one.key.mode.scale[$0]) % 12 })
                    .intersection((0..<7).map { (next.key.tonic + next.key.mode.scale[$0]) % 12 })
                #expect(shared.count >= 6)
            }
            #expect(Set(world.composer.orders.map(\.id)).count == world.composer.orders.count)
            #expect(try await world.on(remote, Commands.Endless(false)) == .applied())
            #expect(await world.until { remote.mirror.endless == nil })
            _ = try await world.send(remote, Commands.Next(), key: "next-last")
            #expect(!(await world.until(within: 5) { world.composer.orders.count > 9 }))
        }
    }

    /// BT-GEN-017
    @Test func `a person goes back to what was heard, and takes an own edit back, not what the hub did`() async throws {
        try await onLoop {
            let world = try await World()
            let remote = try world.sim.remote()
            _ = try await world.on(remote, Commands.Endless(true, text: "rain /duration 60", ahead: 1))
            #expect(await world.rests(with: 2))
            _ = try await world.send(remote, Commands.QueueAdd([ItemURI("/music/mine")], place: .end), key: "add-1")
            let mine = try #require(world.queue.last)
            _ = try await world.send(remote, Commands.QueueRemove([mine.id]))
            for count in 3...8 {
                _ = try await world.send(remote, Commands.Next(), key: "next-\(count)")
                #expect(await world.until { world.composer.orders.count == count })
                #expect(await world.rests(with: min(count, 5)))
            }
            let heard = world.queue.prefix(3).map(\.id)
            _ = try await world.send(remote, Commands.QueueUndo(), key: "undo-1")
            #expect(world.queue.contains { $0.id == mine.id } && world.queue.count == 6)
            for entry in heard.reversed() {
                _ = try await world.send(remote, Commands.Previous(), key: "previous-\(entry)")
                #expect(world.sim.hub.rooms.first.room.queue.current == entry)
            }
        }
    }

    /// BT-GEN-017
    @Test func `music that is carried to another room goes on there without end, also over a kill and back`() async throws {
        try await onLoop {
            let world = try await World()
            var remote = try world.sim.remote()
            @Loop func pieces(in room: String) -> Int {
                world.sim.hub.rooms.all.first { $0.room.id == RoomID(room) }?.room.queue.entries.count { $0.tags.kind == .generation } ?? 0
            }
            @Loop func plans() -> [RoomID] { world.sim.hub.endless.planner.rooms }
            _ = try await world.send(remote, Commands.RoomCreate("Bath"), key: "room-1")
            _ = try await world.on(remote, Commands.Endless(true, text: "rain /duration 60", ahead: 2))
            #expect(await world.rests(with: 3))

            let moved = try await world.send(remote, Commands.RoomMove(RoomID("bath"), keep: false), key: "move-1")
            #expect(moved.reply.outcome == .applied() && plans() == [RoomID("bath")] && pieces(in: "main") == 0)
            _ = try await world.send(remote, Commands.Next(), key: "next-1", room: RoomID("bath"))
            #expect(await world.until { pieces(in: "bath") == 4 && world.composer.orders.count == 4 })
            try await world.kill()
            remote = try world.sim.remote()
            #expect(plans() == [RoomID("bath")])
            let back = try await world.send(remote, Commands.RoomMove(RoomID("main"), keep: false), key: "move-2", room: RoomID("bath"))
            #expect(back.reply.outcome == .applied() && plans() == [RoomID("main")])
            #expect(await world.until { remote.mirror.endless?.isOn == true })
        }
    }

    /// BT-GEN-017 BT-ROM-010
    @Test func `a move that is taken back takes music without end back, and what plays stays where it is`() async throws {
        try await onLoop {
            for kills in [false, true] {
                let world = try await World()
                var remote = try world.sim.remote()
                let (main, bath) = (RoomID("main"), RoomID("bath"))
                @Loop func pieces(in room: RoomID) -> [ItemURI] {
                    world.sim.hub.rooms[room]?.room.queue.entries.filter { $0.tags.kind == .generation }.map(\.uri) ?? []
                }
                @Loop func plans() -> [RoomID] { world.sim.hub.endless.planner.rooms }
                _ = try await world.send(remote, Commands.RoomCreate("Bath"), key: "room-1")
                _ = try await world.on(remote, Commands.Endless(true, text: "rain /duration 60", ahead: 2))
                #expect(await world.rests(with: 3))
                let before = pieces(in: main)
                _ = try await world.send(remote, Commands.RoomMove(bath, keep: false), key: "move-1")
                #expect(plans() == [bath] && pieces(in: bath) == before)

                let undone = try await world.send(remote, Commands.QueueUndo(), key: "undo-1", room: bath)

                #expect(undone.reply.isSuccess && plans() == [main])
                #expect(pieces(in: bath) == [before[0]] && world.sim.hub.rooms[bath]?.room.isPlaying == true)
                #expect(Array(pieces(in: main).prefix(2)) == Array(before.dropFirst()))
                if kills {
                    try await world.kill()
                    remote = try world.sim.remote()
                    #expect(plans() == [main])
                }
                // The room that has the plan gets the pieces to come; the other one keeps what it plays and no more.
                _ = try await world.send(remote, Commands.Play(), room: main)
                _ = try await world.send(remote, Commands.Next(), key: "next-1", room: main)
                #expect(await world.until { Set(pieces(in: main)).isSuperset(of: before.dropFirst()) && pieces(in: main).count >= 4 })
                #expect(await world.until { world.sim.hub.making.queue.jobs.values.allSatisfy { $0.state.isOver } })
                #expect(pieces(in: bath) == [before[0]] && plans() == [main])
                let all = pieces(in: main) + pieces(in: bath)
                #expect(Set(all).count == all.count)
                // The piece that was being made when the hub was killed is asked for again.
                #expect(Set(world.composer.orders.map(\.id)).count >= world.composer.orders.count - (kills ? 1 : 0))
            }
        }
    }

    /// BT-GEN-017
    @Test func `after kills it goes on, and no piece is there twice`() async throws {
        try await onLoop {
            let world = try await World()
            var remote = try world.sim.remote()
            _ = try await world.on(remote, Commands.Endless(true, text: "rain /duration 60", ahead: 3))
            for round in 0..<6 {
                // In any state: with pieces that are asked for, placed or noted.
                for _ in 0..<round { await Task.yield() }
                if round % 2 == 1 { world.sim.time.pass(.milliseconds(200)) }
                try await world.kill()
                remote = try world.sim.remote()
            }
            #expect(await world.until { world.sim.hub.making.queue.jobs.count >= 3 && world.queue.count >= 3 })
            #expect(await world.until { world.sim.hub.making.queue.jobs.values.allSatisfy { $0.state.isOver } })
            #expect(Set(world.queue.map(\.uri)).count == world.queue.count)
            #expect(await world.until { remote.mirror.endless?.ahead == 3 })
        }
    }

    /// BT-GEN-017
    @Test func `the composer makes the pieces of a worker that is away`() async throws {
        try await onLoop {
            let world = try await World()
            let remote = try world.sim.remote()
            world.tones.fail(SourceFault(.unavailable, "It does not answer."))
            _ = try await world.on(remote, Commands.Endless(true, text: "rain", worker: "tones", ahead: 1))
            #expect(await world.until(within: 60) { world.queue.contains { $0.tags.durationMs == 60_000 } })
            #expect(!world.composer.orders.isEmpty && world.queue.allSatisfy { $0.tags.durationMs == 60_000 })
        }
    }

    /// BT-GEN-015
    @Test func `a press shapes the next piece only, is counted once, and says which piece that is`() async throws {
        try await onLoop {
            let world = try await World()
            let remote = try world.sim.remote()
            let refused = try await world.send(remote, Commands.SteerNext(.calmer), key: "press-0")
            guard case .failed(let error) = refused.reply.outcome else { return #expect(Bool(false)) }
            #expect(error.code == "invalid_state")
            _ = try await world.on(remote, Commands.Endless(true, text: "rain /duration 60", ahead: 1))
            #expect(await world.rests(with: 2))
            let press = try await world.send(remote, Commands.SteerNext(.calmer), key: "press-1")
            #expect(try SteeredPiece(from: try #require(press.data)) == SteeredPiece(piece: 3, ahead: 1))
            let again = try await world.send(remote, Commands.SteerNext(.calmer), key: "press-1")
            #expect(try SteeredPiece(from: try #require(again.data)) == SteeredPiece(piece: 3, ahead: 1))
            #expect(await world.until { remote.mirror.endless?.steering == [.calmer] })
            for count in 3...4 {
                _ = try await world.send(remote, Commands.Next(), key: "next-\(count)")
                #expect(await world.rests(with: count))
            }
            #expect(world.composer.orders.map(\.request.steering) == [[], [], [.calmer], []])
        }
    }

    /// BT-GEN-016
    @Test func `a piece is varied, and made again by its recipe`() async throws {
        try await onLoop {
            let world = try await World()
            let remote = try world.sim.remote()
            let recipe = Prompt.recipe("slow piano", seed: 5, seconds: 30).text
            let reply = try await world.send(remote, Commands.Again(recipe), key: "again-1")
            let made = try StartedJob(from: try #require(reply.data))
            #expect(await world.until { world.sim.hub.making.queue.jobs[made.job]?.piece?.recipe == recipe })
            let other = try await world.send(remote, Commands.Vary(uri: made.uri, amount: 0), key: "vary-1")
            let same = try StartedJob(from: try #require(other.data))
            #expect(same.job != made.job && world.sim.hub.making.queue.jobs[same.job]?.request.recipe == recipe)
            let third = try await world.send(remote, Commands.Vary(uri: made.uri, amount: 100), key: "vary-2")
            let varied = try StartedJob(from: try #require(third.data))
            #expect(world.sim.hub.making.queue.jobs[varied.job]?.request.recipe != recipe)
            #expect(try StartedJob(from: try #require(try await world.send(remote, Commands.Again(recipe), key: "again-1").data)) == made)
            for command in ["baton0 seed=1", "rain"] {
                let refused = try await world.send(remote, Commands.Again(command), key: "bad-\(command.count)")
                guard case .failed(let error) = refused.reply.outcome else { return #expect(Bool(false)) }
                #expect(error.code == "bad_request")
            }
        }
    }
}
