import BatonCore
import BatonProtocol
import BatonSeams
import Synchronization

@testable import BatonHub
@testable import BatonKernel
@testable import BatonMaking
@testable import Harness

/// Makes pieces for every hub of a simulated world. It takes its time, fails, goes away and comes back, as the seed decides.
@Loop
final class SimulatedMaker {
    /// Each piece takes some of these steps.
    static let longestStep = Duration.seconds(1)
    nonisolated static let steps = 2

    enum Fate { case ready, failed, away, full }

    private let seed: UInt64
    private var attempts: [String: UInt64] = [:]
    /// From now on it does all that it is asked to do.
    var isWell = false
    var isAway = false
    nonisolated let numbers = JobNumbers()

    init(seed: UInt64) { self.seed = seed }

    /// How this attempt will end, and whether the worker can be asked for the piece again after a restart.
    func begin(_ id: String) -> (fate: Fate, isRemembered: Bool) {
        let attempt = attempts[id, default: 0]
        attempts[id] = attempt + 1
        var random = SeededGenerator(id.utf8.reduce(seed ^ attempt << 32) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 })
        let isRemembered = random.chance(50)
        if isAway { return (.away, isRemembered) }
        if isWell { return (.ready, isRemembered) }
        switch random.number(0..<100) {
        case 0..<70: return (.ready, isRemembered)
        case 70..<84: return (.failed, isRemembered)
        case 84..<96: return (.away, isRemembered)
        default: return (.full, isRemembered)
        }
    }
}

/// The worker as one life of a hub sees it: after its end nothing comes of what it was asked for.
struct MortalMaker: GenerationWorker {
    let name = "composer"
    let about = WorkerAbout(kind: .builtIn, bounds: .own, location: "composer")
    let maker: SimulatedMaker
    let gate: SourceGate
    let life: Lifetime

    func make(
        _ order: GenerationOrder, note: @escaping @Sendable (WorkerNote) async throws(SourceFault) -> Void
    ) async throws(SourceFault) -> GeneratedPiece {
        let (fate, isRemembered) = await maker.begin(order.id)
        try await step(order, 0)
        if fate == .away { throw SourceFault(.unavailable, "The worker is away.") }
        try await note(.accepted)
        if isRemembered { try await note(.remembers("place of \(order.id)")) }
        for number in 1...SimulatedMaker.steps {
            try await step(order, number)
            try await note(.progress(percent: number * 30, message: nil))
        }
        try await note(.fetching)
        switch fate {
        case .failed: throw SourceFault(.failed, "It has no idea.")
        case .full: throw SourceFault(.quota, "The disk is full.")
        default: break
        }
        return GeneratedPiece(title: "Piece \(order.id)", durationMs: 20_000, sound: "sound.flac")
    }

    private func step(_ order: GenerationOrder, _ number: Int) async throws(SourceFault) {
        await gate.wait(for: "\(order.id) \(number)")
        if await life.isOver || Task.isCancelled { throw .cancelled }
    }
}

/// What people do to pieces in the making while everything breaks, and what must have come of it.
extension SimulatedWorld {
    /// In every hundredth world music is made. Such a world takes as long as forty others, since pieces take virtual time.
    var hasMaking: Bool { seed % 100 == 2 }

    /// The jobs of the hub that has begun to live.
    func openMaking() {
        let life = sim.life
        jobs = jobs.reborn()
        life.onEnd.append { [jobs] in jobs.die() }
        let gate = SourceGate(time: sim.time, life: life, seed: seed, longest: SimulatedMaker.longestStep)
        let parts = MakingParts(
            storage: jobs, workers: [MortalMaker(maker: maker, gate: gate, life: life)], numbers: maker.numbers)
        Task(executorPreference: Loop.jobs) { [hub = sim.hub!, shelf = PieceShelf(jobs: jobs)] in await hub.open(parts, shelf) }
    }

    /// In one of the next writes of a job.
    func killInsideJob() {
        let life = sim.life
        jobs.dieAt(write: random.number(0..<4), isKept: random.chance(50)) { Task { @Loop in life.end() } }
    }

    func drawForMaking(_ key: String) -> Press {
        let room = random.chance(25) ? rooms.randomElement(using: &random)?.id : nil
        let started = presses.count { $0.kind == .jobStart }
        let job = "job-\(random.number(0..<started + 1) + 1)"
        switch random.number(0..<100) {
        case 0..<55:
            let target = random.one(of: [JobTarget.end, .end, .next, .play, .none])
            return Press(Commands.JobBegin(text: "rain \(presses.count)", target: target), key: key, room: room)
        case 55..<67: return Press(Commands.JobCancel(job), key: random.chance(60) ? key : nil)
        case 67..<80: return Press(Commands.JobRetry(job), key: random.chance(60) ? key : nil)
        case 80..<86: return Press(Commands.JobKeep(job, isOn: random.chance(60)), key: random.chance(60) ? key : nil)
        case 86..<95: return Press(Commands.ModeSet(unfinished: random.one(of: [.skip, .wait])), key: key, room: room)
        default: return Press(Commands.JobList(), key: nil)
        }
    }

    func sendMakerAway(forMs duration: Milliseconds) {
        maker.isAway = true
        _ = sim.time.after(.milliseconds(duration)) { [weak self] in self?.maker.isAway = false }
    }

    /// Until each job has come to its end and is kept so. Those that wait are tried at once.
    func finishMaking() async {
        for _ in 0..<300 where !sim.life.isOver {
            let making = sim.hub.making
            guard !making.unstored.isEmpty || making.queue.jobs.values.contains(where: { !$0.state.isOver }) else { return }
            making.workersChanged()
            await pass(ms: 1000)
        }
    }

    /// Each prompt has one job, each job has come to its end, and its entries say what became of it.
    func checkMaking() {
        let known = (try? jobs.jobs()) ?? []
        let made = Dictionary(uniqueKeysWithValues: jobs.keys.map { (String($0.key.split(separator: " ").last ?? ""), $0.value) })
        if made.count != known.count || Set(made.values).count != made.count {
            fail("\(made.count) prompts have \(known.count) jobs, of which \(Set(made.values).count) belong to one prompt each.")
        }
        for press in presses where press.kind == .jobStart && press.isApplied {
            if press.key.flatMap({ made[$0] }) == nil { fail("\(press.key ?? "?") was answered, and no job is kept.") }
        }
        for job in known {
            guard let shown = sim.hub.making.queue.jobs[job.id] else { fail("\(job.id) is kept and not known."); continue }
            if shown != job { fail("\(job.id) is kept as \(job), and the hub has \(shown).") }
            if !job.state.isOver { fail("\(job.id) stays \(job.state).") }
            if (job.state == .ready) != (job.piece != nil) { fail("\(job.id) is \(job.state) and has a piece, or has none.") }
        }
        for room in rooms {
            for entry in room.queue.entries where entry.uri.source == GenerationJob.scheme { check(entry, in: room, known) }
        }
    }

    private func check(_ entry: QueueEntry, in room: Room, _ known: [GenerationJob]) {
        guard let job = known.first(where: { $0.uri == entry.uri }) else { return fail("\(entry.id) is of no job.") }
        let isReady = entry.tags.durationMs != nil && entry.tags.title == job.piece?.title
        if isReady != (job.state == .ready) {
            fail("\(entry.id) of \(room.id) is called “\(entry.tags.title)”, and \(job.id) is \(job.state).")
        }
        if job.state != .ready, entry.problem == nil { fail("\(entry.id) of \(room.id) does not say why there is no piece.") }
    }
}
