/// Music from prompts in simulated time: turns at a worker, workers that are away, kills of the hub, and entries in the queue.
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

@Suite(.serialized) struct `Music from prompts` {
    /// Makes what it is told to, when it is told to.
    private final class Worker: GenerationWorker {
        struct State {
            var orders: [GenerationOrder] = []
            var waiting: [String: CheckedContinuation<Result<GeneratedPiece, SourceFault>, Never>] = [:]
            var fault: SourceFault?
        }

        let name = "steered"
        let about = WorkerAbout(kind: .program, bounds: .own, location: "/usr/bin/steered")
        private let state = Mutex(State())

        var orders: [GenerationOrder] { state.withLock { $0.orders } }
        var open: [String] { state.withLock { $0.waiting.keys.sorted() } }
        func fail(_ fault: SourceFault?) { state.withLock { $0.fault = fault } }

        func end(_ id: String, _ result: Result<GeneratedPiece, SourceFault>) {
            state.withLock { $0.waiting.removeValue(forKey: id) }?.resume(returning: result)
        }

        deinit { drop() }

        /// The hub that asked has ended.
        func drop() { for waiting in open { end(waiting, .failure(.cancelled)) } }

        func check() async throws(SourceFault) {}

        func make(
            _ order: GenerationOrder, note: @escaping @Sendable (WorkerNote) async throws(SourceFault) -> Void
        ) async throws(SourceFault) -> GeneratedPiece {
            let fault = state.withLock { state in
                state.orders.append(order)
                return state.fault
            }
            if let fault { throw fault }
            try await note(.accepted)
            try await note(.remembers("place \(order.id)"))
            try await note(.progress(percent: 40, message: "bass"))
            let result = await withTaskCancellationHandler {
                await withCheckedContinuation { waiting in
                    let isOver = state.withLock { state in
                        if Task.isCancelled { return true }
                        state.waiting[order.id] = waiting
                        return false
                    }
                    if isOver { waiting.resume(returning: .failure(.cancelled)) }
                }
            } onCancel: {
                end(order.id, .failure(.cancelled))
            }
            return try result.get()
        }
    }

    @Loop
    private final class World: HubWorld {
        let worker = Worker()
        let jobs = MemoryJobs()
        let sim: SimulatedHub

        private let guests: GuestPrompts

        init(guests: GuestPrompts = GuestPrompts()) async throws {
            self.guests = guests
            sim = try SimulatedHub(lanPlain: .guest)
            await open()
        }

        func guest(from address: String = "10.0.0.7") throws -> TestRemote {
            let remote = try sim.connect(over: .network, from: address)
            remote.sendText(#"{"t":"hello","core":"1.0","view":"full","client":{"id":"guest-1","name":"Kim"}}"#)
            return remote
        }

        private let numbers = JobNumbers()

        func open() async {
            await sim.hub.open(
                MakingParts(storage: jobs, workers: [worker], numbers: numbers, guests: guests), PieceShelf(jobs: jobs))
        }

        func kill() async throws {
            try sim.restart()
            worker.drop()
            await open()
        }

        func start(_ remote: TestRemote, _ text: String, key: String, _ target: JobTarget = .end) async throws -> StartedJob {
            let reply = try await send(remote, Commands.JobBegin(text: text, target: target), key: key)
            return try StartedJob(from: try #require(reply.data))
        }

        func state(_ id: String) -> GenerationJob.State? { sim.hub.making.queue.jobs[id]?.state }
    }

    private static let piece = GeneratedPiece(title: "Slow Rain", durationMs: 60_000, sound: "sound.flac")

    /// BT-GEN-002 BT-GEN-005
    @Test func `a piece is queued at once, and its entry gets title and length when it is ready`() async throws {
        try await onLoop {
            let world = try await World()
            let remote = try world.sim.remote()
            let started = try await world.start(remote, "slow rain /duration 60", key: "press-1", .play)
            let entry = try #require(world.sim.hub.rooms.first.room.queue.entries.first)
            #expect(entry.uri == started.uri && entry.tags.title == "slow rain" && entry.tags.kind == .generation)
            #expect(await world.until { remote.mirror.jobs?.rows.first?.percent == 40 })
            #expect(remote.mirror.jobs?.rows.first?.sentence == "bass" && world.worker.orders.first?.request.seed == "0")

            world.worker.end(started.job, .success(Self.piece))

            #expect(await world.until { world.sim.hub.rooms.first.room.isPlaying })
            let played = try #require(world.sim.hub.rooms.first.room.currentEntry)
            #expect(
                played.id == entry.id && played.uri == entry.uri && played.tags.title == "Slow Rain" && played.tags.durationMs == 60_000)
            #expect(await world.until { remote.mirror.jobs?.rows.first?.state == .ready })
            #expect(remote.mirror.jobs?.rows.first?.percent == 0, "what is over has no percent")
        }
    }

    /// BT-GEN-003 BT-GEN-007
    @Test func `a press that is repeated, also over a kill, is one job, and the worker goes on from its place`() async throws {
        try await onLoop {
            let world = try await World()
            var remote = try world.sim.remote()
            let started = try await world.start(remote, "rain", key: "press-1")
            #expect(await world.until { world.worker.open == [started.job] })
            try await world.kill()
            remote = try world.sim.remote()
            #expect(try await world.start(remote, "rain", key: "press-1") == started)
            #expect(await world.until { world.worker.orders.count == 2 })
            #expect(world.worker.orders.last?.memory == "place \(started.job)")
            #expect(world.sim.hub.rooms.first.room.queue.count == 1 && world.sim.hub.making.queue.jobs.count == 1)
        }
    }

    /// BT-GEN-003 BT-GEN-006
    @Test(arguments: [JobTarget.none, .end])
    func `a press that is repeated after its job was cancelled does not have it made anew`(target: JobTarget) async throws {
        try await onLoop {
            let world = try await World()
            var remote = try world.sim.remote()
            let started = try await world.start(remote, "rain", key: "press-1", target)
            _ = try await world.send(remote, Commands.JobCancel(started.job))
            for _ in 0..<2 {
                #expect(try await world.start(remote, "rain", key: "press-1", target) == started)
                #expect(world.state(started.job) == .cancelled)
                try await world.kill()
                remote = try world.sim.remote()
            }
        }
    }

    /// BT-GEN-006
    @Test func `one that is taken out of all queues is cancelled, and undo within a moment keeps it`() async throws {
        try await onLoop {
            let world = try await World()
            let remote = try world.sim.remote()
            let started = try await world.start(remote, "rain", key: "press-1")
            let entry = try #require(world.sim.hub.rooms.first.room.queue.entries.first?.id)
            _ = try await world.send(remote, Commands.QueueRemove([entry]))
            _ = try await world.send(remote, Commands.QueueUndo(), key: "undo-1")
            #expect(!(await world.until(within: 5) { world.state(started.job) == .cancelled }))
            _ = try await world.send(remote, Commands.QueueRemove([entry]))
            #expect(await world.until { world.state(started.job) == .cancelled && world.worker.open.isEmpty })
            #expect(await world.until { world.jobs.removed == [started.job] })
        }
    }

    /// BT-GEN-006
    @Test func `a worker has one piece at a time, one that is away is asked again, and a failure can be made anew`() async throws {
        try await onLoop {
            let world = try await World()
            let remote = try world.sim.remote()
            world.worker.fail(SourceFault(.unavailable, "It does not answer."))
            let first = try await world.start(remote, "one", key: "press-1")
            #expect(await world.until { world.state(first.job) == .offline })
            world.worker.fail(nil)
            let second = try await world.start(remote, "two", key: "press-2", .none)
            #expect(await world.until(within: 60) { world.worker.open.count == 1 })
            let open = try #require(world.worker.open.first)
            world.worker.end(open, .failure(SourceFault(.failed, "Its disk is full.")))
            #expect(await world.until(within: 60) { world.worker.open.count == 1 && world.worker.open != [open] })
            #expect(world.state(open) == .failed && world.sim.hub.rooms.first.room.queue.count == 1)
            #expect(Set([first.job, second.job]).contains(open))
            _ = try await world.send(remote, Commands.JobRetry(open))
            #expect(world.state(open) == .submitting && world.sim.hub.making.queue.jobs[open]?.memory == nil)
            let reply = try await world.send(remote, Commands.JobCancel(open))
            #expect(reply.reply.outcome == .applied() && world.state(open) == .cancelled)
            #expect(try await world.send(remote, Commands.JobCancel(open)).reply.outcome == .noop(why: .same))
        }
    }

    @Test func `a worker that gives up by itself is asked again after a pause`() async throws {
        try await onLoop {
            let world = try await World()
            let remote = try world.sim.remote()
            world.worker.fail(.cancelled)
            let started = try await world.start(remote, "one", key: "press-1")
            #expect(await world.until { world.state(started.job) == .offline || world.worker.orders.count > 1 })
            #expect(world.worker.orders.count == 1)
            world.worker.fail(nil)
            #expect(await world.until { world.worker.open == [started.job] })
        }
    }

    private func refusal(_ reply: ReceivedReply) -> ErrorCode? {
        guard case .failed(let error) = reply.reply.outcome else { return nil }
        return error.known
    }

    /// BT-GEN-009
    @Test func `a piece of a guest waits for approval, and another person allows it`() async throws {
        try await onLoop {
            let world = try await World()
            let owner = try world.sim.remote()
            let guest = try world.guest()
            let started = try await world.start(guest, "rain", key: "press-1")
            #expect(world.state(started.job) == .approval && world.worker.orders.isEmpty)
            #expect(await world.until { owner.mirror.jobs?.rows.first?.state == .approval })
            #expect(owner.mirror.jobs?.rows.first?.author == "Kim" && world.sim.hub.rooms.first.room.queue.count == 1)
            #expect(refusal(try await world.send(guest, Commands.JobApprove(started.job))) == .forbidden)
            #expect(refusal(try await world.send(guest, Commands.JobBegin(text: "more"), key: "press-2")) == .quota)

            #expect(try await world.send(owner, Commands.JobApprove(started.job)).reply.outcome == .applied())
            #expect(await world.until { world.worker.open == [started.job] })
            #expect(try await world.send(owner, Commands.JobApprove(started.job)).reply.outcome == .noop(why: .same))

            let others = try await world.start(owner, "piano", key: "press-3")
            #expect(refusal(try await world.send(guest, Commands.JobCancel(others.job))) == .forbidden)
            #expect(try await world.send(guest, Commands.JobCancel(started.job)).reply.outcome == .applied())
        }
    }

    /// BT-GEN-009
    @Test func `where guests ask for nothing they are told so, and one who waits is told how many there may be`() async throws {
        try await onLoop {
            let closed = try await World(guests: GuestPrompts(.off))
            #expect(refusal(try await closed.send(try closed.guest(), Commands.JobBegin(text: "rain"), key: "press-1")) == .forbidden)
            let world = try await World(guests: GuestPrompts(.on, waiting: 2, hour: 3))
            let guest = try world.guest()
            for number in 0..<2 { _ = try await world.start(guest, "rain", key: "press-\(number)", .none) }
            #expect(refusal(try await world.send(guest, Commands.JobBegin(text: "rain"), key: "press-3")) == .quota)
            _ = try await world.start(try world.guest(from: "10.0.0.8"), "rain", key: "press-1", .none)
            #expect(await world.until { world.worker.open.count == 1 })
        }
    }

    /// BT-GEN-008 BT-SEC-g
    @Test func `the estimate is what the last one took, and watches see when it will be ready`() async throws {
        try await onLoop {
            let world = try await World()
            let remote = try world.sim.remote()
            let watch = try world.sim.remote(.watch, id: "watch-1")
            let first = try await world.start(remote, "one", key: "press-1")
            #expect(await world.until { world.worker.open == [first.job] })
            #expect(remote.mirror.jobs?.rows.first?.estimateMs == nil)
            world.sim.time.pass(.seconds(30))
            world.worker.end(first.job, .success(Self.piece))
            #expect(await world.until { world.state(first.job) == .ready })
            try await world.kill()
            let later = try world.sim.remote()
            let second = try await world.start(later, "two", key: "press-2")
            #expect(await world.until { later.mirror.jobs?.rows.first?.percent == 40 })
            let row = try #require(later.mirror.jobs?.rows.first)
            let estimate = try #require(row.estimateMs)
            #expect(row.job == second.job && (30_000...33_000).contains(estimate))
            let due = try #require(row.dueUs)
            #expect((20_000_000...33_000_000).contains(due - world.sim.time.nowUs))
            _ = watch
            let seen = try world.sim.remote(.watch, id: "watch-2")
            #expect(seen.frames.contains { $0.contains(#""g":{"t":"two""#) && $0.contains(#""p":40"#) })
        }
    }

    /// BT-GEN-010
    @Test func `jobs are listed by what they are, and one is kept over a restart`() async throws {
        try await onLoop {
            let world = try await World()
            var remote = try world.sim.remote()
            let first = try await world.start(remote, "one", key: "press-1", .none)
            #expect(await world.until { world.worker.open == [first.job] })
            world.worker.end(first.job, .success(Self.piece))
            #expect(await world.until { world.state(first.job) == .ready })
            let second = try await world.start(remote, "two", key: "press-2", .none)
            _ = try await world.send(remote, Commands.JobKeep(first.job))
            try await world.kill()
            remote = try world.sim.remote()
            func list(_ query: Commands.JobList) async throws -> JobRows {
                try JobRows(from: try #require(try await world.send(remote, query).data))
            }
            #expect(try await list(Commands.JobList(which: .ready)).rows.map(\.isKept) == [true])
            #expect(try await list(Commands.JobList(which: .open)).rows.map(\.job) == [second.job])
            let page = try await list(Commands.JobList(from: 1, limit: 1))
            #expect(page.rows.map(\.job) == [first.job] && page.more == 0)
            #expect(try await list(Commands.JobList(limit: 1)).more == 1)
        }
    }

    /// BT-GEN-005 BT-GEN-011
    @Test func `a room goes on as its mode says: past the piece, after a wait, or with what fills in`() async throws {
        try await onLoop {
            for way in [Unfinished.Name.skip, .wait, .filler] {
                let world = try await World()
                let remote = try world.sim.remote()
                let room = { world.sim.hub.rooms.first.room }
                // An entry is current as soon as it is chosen, and plays once its source has said where it is: time may pass only then.
                let plays = { (title: String) in room().currentEntry?.tags.title == title && room().timeline.state == .playing }
                _ = try await world.send(remote, Commands.QueueAdd([ItemURI("/music/first")], place: .end), key: "add-1")
                let started = try await world.start(remote, "rain", key: "press-1")
                _ = try await world.send(remote, Commands.QueueAdd([ItemURI("/music/second")], place: .end), key: "add-2")
                let filler = way == .filler ? ItemURI("file:track//music/jazz:3") : nil
                _ = try await world.send(remote, Commands.ModeSet(unfinished: way, filler: filler))
                _ = try await world.send(remote, Commands.Play())
                #expect(await world.until { room().timeline.state == .playing })
                world.sim.time.pass(.seconds(181))
                switch way {
                case .skip: #expect(await world.until { plays("/music/second") })
                case .wait:
                    #expect(await world.until { room().timeline.state == .buffering && room().currentEntry?.uri == started.uri })
                    #expect(await world.until(within: 25) { plays("/music/second") })
                case .filler:
                    #expect(await world.until { plays("/music/jazz:3 1") })
                    #expect(room().queue.entry(ahead: 1, wrapping: false)?.uri == started.uri)
                }
                world.worker.end(started.job, .success(Self.piece))
                #expect(await world.until { world.state(started.job) == .ready })
                world.sim.time.pass(.seconds(181))
                #expect(await world.until { room().currentEntry?.uri == started.uri && room().timeline.state == .playing }, "\(way)")
            }
        }
    }

    /// BT-GEN-003 BT-GEN-007
    @Test(arguments: 1...3)
    func `a hub that is killed after any write of a job has one job, one entry and one piece`(writes: Int) async throws {
        try await onLoop {
            let world = try await World()
            world.jobs.lose(after: writes)
            let started = try await world.start(try world.sim.remote(), "rain", key: "press-1")
            #expect(await world.until { world.worker.open == [started.job] })
            if writes == 3 {
                world.worker.end(started.job, .success(Self.piece))
                #expect(await world.until { (try? world.jobs.job(started.job))??.state == .ready })
            }
            try await world.kill()
            world.jobs.lose(after: nil)

            #expect(try await world.start(try world.sim.remote(), "rain", key: "press-1") == started)
            if writes < 3 {
                #expect(await world.until { world.worker.orders.count == 2 && world.worker.open == [started.job] })
                world.worker.end(started.job, .success(Self.piece))
            }
            let queue = { world.sim.hub.rooms.first.room.queue.entries }
            #expect(await world.until { queue().first?.tags.durationMs == 60_000 })
            #expect(queue().count == 1 && queue().first?.uri == started.uri && world.sim.hub.making.queue.jobs.count == 1)
            #expect(world.state(started.job) == .ready && Set(world.worker.orders.map(\.id)) == [started.job])
            if writes == 3 { #expect(world.worker.orders.count == 1) }
        }
    }

    /// BT-GEN-006
    @Test func `a piece that the full disk does not take waits with a sentence, and is made when there is room`() async throws {
        try await onLoop {
            let world = try await World()
            let remote = try world.sim.remote()
            let full = SourceFault(.quota, "The disk is full, so no music can be made.")
            let started = try await world.start(remote, "rain", key: "press-1")
            #expect(await world.until { world.worker.open == [started.job] })
            // The worker does not notice, and the store does.
            world.jobs.fail(full)
            world.worker.end(started.job, .success(Self.piece))
            #expect(await world.until { world.state(started.job) == .offline })
            #expect(await world.until { remote.mirror.jobs?.rows.first?.sentence == full.sentence })
            #expect(world.sim.hub.making.queue.jobs[started.job]?.piece == nil)

            world.jobs.fail(nil)
            #expect(await world.until { world.worker.open == [started.job] })
            world.worker.end(started.job, .failure(full))
            #expect(await world.until { world.state(started.job) == .offline })
            _ = try await world.send(remote, Commands.JobRetry(started.job))
            #expect(await world.until(within: 5) { world.worker.open == [started.job] })
            world.worker.end(started.job, .success(Self.piece))
            #expect(await world.until { world.state(started.job) == .ready && world.worker.orders.count == 3 })
        }
    }

    /// BT-GEN-006
    @Test func `what is asked of a job is refused while the disk is full, and leaves it as it was`() async throws {
        try await onLoop {
            let world = try await World()
            let remote = try world.sim.remote()
            let started = try await world.start(remote, "rain", key: "press-1")
            #expect(await world.until { world.worker.open == [started.job] })
            let full = SourceFault(.quota, "The disk is full, so no music can be made.")
            world.jobs.fail(full)
            let refused = try await world.send(remote, Commands.JobCancel(started.job))
            guard case .failed(let error) = refused.reply.outcome else { return #expect(Bool(false)) }
            #expect(error.code == "quota" && world.state(started.job)?.isOver == false && world.worker.open == [started.job])
            // What has happened stays so, and is kept when there is room.
            world.worker.end(started.job, .failure(SourceFault(.failed, "No idea.")))
            #expect(await world.until { world.state(started.job) == .failed })
            _ = try await world.send(remote, Commands.JobRetry(started.job))
            #expect(world.state(started.job) == .failed && world.worker.orders.count == 1)
            world.jobs.fail(nil)
            #expect(await world.until(within: 90) { (try? world.jobs.job(started.job))?.state == .failed })
            try await world.kill()
            #expect(world.state(started.job) == .failed)
        }
    }

    /// BT-KEEP-010
    @Test func `keep takes a piece as job.keep does, and its rows in the queue say so`() async throws {
        try await onLoop {
            let world = try await World()
            let remote = try world.sim.remote()
            let started = try await world.start(remote, "rain", key: "press-1")
            let keep = Commands.KeepSet(.item(started.uri), true)
            #expect(try await world.send(remote, keep).reply.outcome == .applied())
            #expect(try await world.send(remote, Commands.JobKeep(started.job)).reply.outcome == .noop(why: .same))
            func mark() async throws -> KeepMark? {
                try QueuePage(from: try #require(try await world.send(remote, Commands.QueueWindow()).data)).rows.first?.kept
            }
            #expect(try await mark() == KeepMark(percent: 0))
            #expect(await world.until { world.worker.open == [started.job] })
            world.worker.end(started.job, .success(Self.piece))
            #expect(await world.until { world.sim.hub.making.kept.ready == 1 })
            #expect(try await mark() == KeepMark(percent: 100))
            #expect(try await world.send(remote, Commands.KeepSet(.item(started.uri), false)).reply.outcome == .applied())
            #expect(try await mark() == nil)
        }
    }

    /// BT-GEN-002
    @Test func `a job that cannot be kept is refused, and leaves no entry`() async throws {
        try await onLoop {
            let world = try await World()
            let remote = try world.sim.remote()
            world.jobs.fail(SourceFault(.quota, "The disk is full, so no music can be made."))
            let reply = try await world.send(remote, Commands.JobBegin(text: "rain"), key: "press-1")
            guard case .failed(let error) = reply.reply.outcome else { return #expect(Bool(false)) }
            #expect(error.code == "quota" && world.sim.hub.rooms.first.room.queue.isEmpty && world.sim.hub.making.queue.jobs.isEmpty)
            world.jobs.fail(nil)
            _ = try await world.start(remote, "rain", key: "press-1")
            #expect(world.sim.hub.rooms.first.room.queue.count == 1)
        }
    }
}
