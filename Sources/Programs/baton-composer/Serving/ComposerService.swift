import BatonComposer
import BatonCore
import BatonJSON
import BatonSeams
import Glibc
import MusicWorkers
import Synthesis

/// The composer as a worker over HTTP (`Protocol/worker.md`). Jobs and sessions are in memory. One piece is generated
/// at a time, by a separate process that is confined as under batond.
@Loop
final class ComposerService {
    private var jobs: [String: ServedJob] = [:]
    /// Ids of the jobs, oldest first.
    private var order: [String] = []
    private var sessions: [String: ServedSession] = [:]
    /// The job of each `Idempotency-Key`.
    private var keys: [String: String] = [:]
    private var making: String?
    private var running: Task<Void, Never>?
    let folder: String
    private let worker: any GenerationWorker
    /// The path of the program that replaces the composer.
    private let program: String?
    private let pool: any TaskExecutor

    /// Limits above which the oldest pieces, sessions and keys are removed with their files.
    private static let mostKept = 50
    private static let mostSessions = 1_000

    init(folder: String, _ worker: any GenerationWorker, program: String? = nil, _ pool: any TaskExecutor) {
        self.program = program
        self.folder = folder
        self.worker = worker
        self.pool = pool
    }

    // MARK: State

    var health: JSON {
        let name = program.map { String($0.split(separator: "/").last ?? "program") } ?? "composer"
        var backend: JSON = ["name": .string(name), "ready": true, "updated_at": .string(ServedJob.now())]
        if let lack {
            backend = ["name": .string(name), "ready": false, "error": .string(lack), "updated_at": .string(ServedJob.now())]
        }
        var backends = JSONObject()
        backends[name] = backend
        return [
            "status": "ok", "default_model_id": .string(program == nil ? "baton-composer" : name), "artifact_root": .string(folder),
            "planner_version": "v3",
            "available_backends": [.string(name)], "backend_status": .object(backends), "warmup_complete": true,
            "session_count": .int(Int64(sessions.count)), "extensions": ["audio", "cancel", "key"],
        ]
    }

    /// The reason why pieces cannot be generated; `nil` if they can.
    private var lack: String? {
        if let program { return unsafe access(program, X_OK) == 0 ? nil : "\(program) is no program that can be run." }
        guard case .failure(let fault) = (Result { () throws(SynthesisFault) in try SoundFont.find(nil) }) else { return nil }
        return fault.sentence
    }

    func job(_ id: String) -> ServedJob? { jobs[id] }

    func session(_ id: String) -> JSON? {
        sessions[id].map { $0.summary($0.jobs.compactMap { jobs[$0]?.row }) }
    }

    /// The plan of a session: `nil` without such a session, `.some(nil)` before it has a plan.
    func plan(_ session: String) -> Recipe?? { sessions[session].map { $0.seed?.recipe } }

    func openSession(_ name: String?) -> String {
        if sessions.count >= Self.mostSessions, let oldest = sessions.values.min(by: { $0.created < $1.created }) {
            sessions[oldest.id] = nil
        }
        let id = "session-\(Self.newID())"
        sessions[id] = ServedSession(id: id, name: name)
        return id
    }

    // MARK: Making

    /// Starts a job, or returns the job with the same key; `nil` without such a session.
    func begin(_ request: ServedRequest, key: String?) -> ServedJob? {
        if let key, let known = keys[key].flatMap({ jobs[$0] }) { return known }
        if let session = request.session, sessions[session] == nil { return nil }
        let job = ServedJob(Self.newID(), request.generation, in: folder)
        jobs[job.id] = job
        order.append(job.id)
        if let key { keys[key] = job.id }
        if let session = request.session { sessions[session]?.jobs.append(job.id) }
        forgetOld()
        consider()
        return job
    }

    private func consider() {
        guard running == nil, let id = order.first(where: { jobs[$0]?.state == .queued }), let job = jobs[id] else { return }
        jobs[id]?.run(0, "composing")
        making = id
        running = Task(executorPreference: Loop.jobs) { [weak self] in await self?.make(job) }
    }

    private func make(_ job: ServedJob) async {
        let worker = worker
        let isComposer = program == nil
        do throws(SourceFault) {
            let note: @Sendable (WorkerNote) async throws(SourceFault) -> Void = { [weak self] note async throws(SourceFault) in
                if case .progress(let percent, let message) = note { await self?.note(job.id, percent: percent, message: message) }
            }
            let (piece, metadata) = try await withTaskExecutorPreference(pool) { () async throws(SourceFault) in
                _ = unsafe mkdir(job.folder, 0o700)
                let order = GenerationOrder(id: job.id, request: job.generation, memory: nil, folder: job.folder)
                let piece = try await worker.make(order, note: note)
                return (piece, isComposer ? Self.metadata(in: job.folder) : Self.metadata(of: piece))
            }
            finish(job.id, sound: piece.sound, metadata: metadata)
        } catch {
            jobs[job.id]?.fail(error.sentence)
        }
        if jobs[job.id] == nil { remove(job.folder) }
        (making, running) = (nil, nil)
        consider()
    }

    private func note(_ id: String, percent: Int, message: String?) { jobs[id]?.run(percent, message ?? "composing") }

    private func finish(_ id: String, sound: String, metadata: JSON) {
        jobs[id]?.finish(sound, metadata)
        guard let session = sessions.values.first(where: { $0.jobs.contains(id) && $0.seed == nil }) else { return }
        sessions[session.id]?.seed = jobs[id]
    }

    /// The composer's metadata, with the seed as a number if it is one.
    private nonisolated static func metadata(in folder: String) -> JSON {
        guard let bytes = SmallBytes.read("\(folder)/metadata.json"),
            case .object(var members)? = try? JSON.parse(bytes, limits: ServedRequest.limits)
        else { return [:] }
        if let seed = members["seed"]?.string.flatMap({ Int64($0) }) { members["seed"] = .int(seed) }
        return .object(members)
    }

    /// The metadata that another program reported. Its own metadata file is not used.
    private nonisolated static func metadata(of piece: GeneratedPiece) -> JSON {
        var plan = JSONObject()
        if let tempo = piece.tempo { plan["tempo_bpm"] = .int(Int64(tempo)) }
        if let key = piece.key { plan["key"] = .string(key) }
        return ["title": piece.title.map { .string($0) } ?? .null, "plan": .object(plan)]
    }

    // MARK: Ending

    /// Cancels a job; returns false if there is none.
    func cancel(_ id: String) -> Bool {
        guard let job = forget(id) else { return false }
        if making == id { running?.cancel() } else { remove(job.folder) }
        return true
    }

    private func forget(_ id: String) -> ServedJob? {
        order.removeAll { $0 == id }
        for (key, job) in keys where job == id { keys[key] = nil }
        return jobs.removeValue(forKey: id)
    }

    private func forgetOld() {
        let over = order.filter { jobs[$0]?.state == .succeeded || jobs[$0]?.state == .failed }
        for id in over.dropLast(Self.mostKept) { if let job = forget(id) { remove(job.folder) } }
    }

    func close() async {
        running?.cancel()
        await running?.value
        for job in jobs.values { remove(job.folder) }
    }

    private func remove(_ folder: String) {
        if let open = unsafe opendir(folder) {
            while let entry = unsafe readdir(open) {
                let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) {
                    unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
                }
                // `unlink` does not remove folders, so `.` and `..` stay.
                unsafe unlink("\(folder)/\(name)")
            }
            unsafe closedir(open)
        }
        unsafe rmdir(folder)
    }

    private static func newID() -> String {
        (0..<4).map { _ in String(UInt32.random(in: 0x1000_0000 ... .max), radix: 16) }.joined()
    }
}

/// Reads a file of at most 64 KiB.
enum SmallBytes {
    static func read(_ path: String) -> [UInt8]? {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        let count = unsafe Glibc.read(file, &bytes, bytes.count)
        return count > 0 ? Array(bytes[..<count]) : nil
    }
}
