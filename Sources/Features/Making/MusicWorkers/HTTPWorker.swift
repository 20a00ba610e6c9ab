/// A worker that is a network service, with sessions, jobs to poll, and artifacts on its own disk (`Protocol/worker.md`).
///
/// `RemoteSubmission` decides on each request, and the decision is stored on disk before the request is sent. A
/// service that does not answer is slow or away, so the job waits and does not fail.
package import BatonCore
import BatonJSON
package import BatonSeams

package struct HTTPWorker: GenerationWorker {
    package let name: String
    package let about: WorkerAbout
    let server: WorkerServer
    let artifacts: ArtifactFiles

    package init(
        _ name: String, url: String, token: String?, map: ArtifactMap?, http: any HTTPCalling, files: any FileReading
    ) throws(SourceFault) {
        self.name = name
        about = WorkerAbout(kind: .http, bounds: .remote, location: url)
        server = try WorkerServer(name, url: url, token: token, http)
        artifacts = ArtifactFiles(of: name, map: map, files: files)
    }

    package func health() async throws(SourceFault) -> WorkerHealth { try await server.health() }

    package typealias Noting = @Sendable (WorkerNote) async throws(SourceFault) -> Void

    package func make(_ order: GenerationOrder, note: @escaping Noting) async throws(SourceFault) -> GeneratedPiece {
        if let cell = order.request.clip { return try await make(cell, order: order, note: note) }
        var submission = try await begun(order)
        var polling = Polling()
        while true {
            if Task.isCancelled { throw .cancelled }
            guard case .poll(let job) = submission.step else {
                let step = submission.step
                submission.begin()
                try await note(.remembers(submission.text))
                do throws(SourceFault) { submission.take(try await perform(step, order)) } catch {
                    // The worker may have received the job, which the next request shows; if that fails, too, the
                    // worker is away.
                    guard case .submit = step, error.code == .unavailable else { throw error }
                    try await polling.pause()
                }
                try await note(.remembers(submission.text))
                continue
            }
            switch try await follow(job, polling: &polling, note: note) {
            case .forgotten:
                submission.take(.unknown)
                try await note(.remembers(submission.text))
            case .done: if let piece = try await fetch(job, order: order, note: note) { return piece }
            case .underWay: break
            }
            try await polling.pause()
        }
    }

    enum Followed { case forgotten, underWay, done }

    /// Polls a job once and notes its progress.
    func follow(_ job: String, polling: inout Polling, note: Noting) async throws(SourceFault) -> Followed {
        switch try polling.take(try await look(job), name) {
        case .unknown: return .forgotten
        case .done: return .done
        case .failed(let sentence): throw SourceFault(.failed, sentence)
        case .making(let percent, let message):
            if let percent { try await note(.progress(percent: percent, message: message)) } else { try await note(.accepted) }
        case .unreadable: break
        }
        return .underWay
    }

    /// The stored state of an order. A new order gets a key if the worker supports keys.
    private func begun(_ order: GenerationOrder) async throws(SourceFault) -> RemoteSubmission {
        if let submission = RemoteSubmission(text: order.memory) { return submission }
        let hasKeys = try await server.health().extensions.contains("key")
        // The random number separates a new attempt from the failed job of the same order.
        let number = String(UInt64.random(in: .min ... .max), radix: 36)
        return RemoteSubmission(key: hasKeys ? "\(order.id)-\(number)" : nil)
    }

    /// Sends the request of a step. A lost answer is thrown as a fault; the hub then repeats the order, and the
    /// stored state says what to look for.
    private func perform(_ step: RemoteSubmission.Step, _ order: GenerationOrder) async throws(SourceFault) -> RemoteSubmission.Answer {
        switch step {
        case .openSession:
            let answer = try await server.post("/session", JSONText.object([("name", JSONText.string(order.id))]))
            return .opened(session: try server.id(answer.json?["session_id"]))
        case .submit(.session(let session)):
            let answer = try await server.post(
                "/generate", Self.request(order.request, session: session, plan: order.session?.plan), allowing: 404)
            return answer.status == 404 ? .unknown : .submitted(job: try server.id(answer.json?["job_id"]))
        case .submit(.key(let key)):
            let answer = try await server.post("/generate", Self.request(order.request, session: nil, plan: order.session?.plan), key: key)
            return .submitted(job: try server.id(answer.json?["job_id"]))
        case .look(let session): return try await jobs(of: session)
        case .poll: return .lost
        }
    }

    func jobs(of session: String) async throws(SourceFault) -> RemoteSubmission.Answer {
        let answer = try await server.get("/session/\(session)", allowing: 404)
        if answer.status == 404 { return .unknown }
        return .listed((answer.json?["clips"]?.array ?? []).compactMap { try? server.id($0["job_id"]) })
    }

    static func request(_ request: GenerationRequest, session: String?, plan: String? = nil) -> String {
        JSONText.object([
            ("prompt", JSONText.string(request.prompt)), ("seed", request.seed), ("duration_seconds", String(request.durationS)),
            ("mode", JSONText.string(request.mode == .motif ? "motif" : "full_track")), ("session_id", session.map(JSONText.string)),
            ("model_id", request.model.map(JSONText.string)), ("cfg_scale", request.cfg), ("musicgen_cfg_coef", request.cfg),
            ("plan", plan),
        ])
    }

    func look(_ job: String) async throws(SourceFault) -> Polling.Found {
        let answer = try await server.get("/status/\(job)", allowing: 404)
        return answer.status == 404 ? .unknown : Polling.Found(answer.json, name)
    }

    // MARK: Sound

    /// Downloads the sound; `nil` if the worker has lost it in a restart.
    func fetch(_ job: String, order: GenerationOrder, note: Noting) async throws(SourceFault) -> GeneratedPiece? {
        try await note(.fetching)
        let answer = try await server.get("/artifact/\(job)", allowing: 404)
        if answer.status == 404 { return nil }
        guard let artifact = answer.json else { throw SourceFault(.failed, "The worker “\(name)” describes its piece in no JSON.") }
        try artifacts.write(answer.body, to: "metadata.json", in: order.folder)
        let bytes: Int64
        if artifacts.isMapped, let path = artifact["artifact_path"]?.string {
            bytes = try artifacts.copy(path, to: Self.draft, in: order.folder)
        } else if try await server.health().extensions.contains("audio") {
            bytes = try await artifacts.write(try await server.open("/artifact/\(job)/audio"), to: Self.draft, in: order.folder)
        } else {
            throw SourceFault(
                .failed,
                "The file is on the disk of the worker “\(name)”. Where its folder is seen on this machine, say so in batond.conf: artifact_map = REMOTE:LOCAL."
            )
        }
        let (sound, durationMs) = try artifacts.named(Self.draft, in: order.folder)
        let metadata = artifact["metadata"]
        return GeneratedPiece(
            title: metadata?["title"]?.string.map { DisplayLine.cut($0, 120) }, durationMs: durationMs,
            tempo: metadata?["plan"]?["tempo_bpm"]?.int.map { Int($0) },
            key: metadata?["plan"]?["key"]?.string.map { DisplayLine.cut($0, 32) }, sound: sound, bytes: bytes)
    }

    /// Temporary name until the file's header was read.
    private static let draft = "sound.new"
}
