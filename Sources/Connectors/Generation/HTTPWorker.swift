/// A worker that is a service on the network, with sessions, jobs that are polled, and artifacts on its own disk.
///
/// It has neither keys nor a list of jobs, so `RemoteSubmission` decides what is asked next; each decision is on disk before the request
/// that follows from it leaves. A service that does not answer is slow or away: the job waits, and never fails for that.
package import BatonCore
import BatonJSON
package import BatonSeams

package struct HTTPWorker: GenerationWorker {
    package let name: String
    package let about: WorkerAbout
    private let server: WorkerServer
    private let artifacts: ArtifactFiles

    package init(
        _ name: String, url: String, token: String?, map: ArtifactMap?, http: any HTTPCalling, files: any FileReading
    ) throws(SourceFault) {
        self.name = name
        about = WorkerAbout(kind: .http, bounds: .remote, place: url)
        server = try WorkerServer(name, url: url, token: token, http)
        artifacts = ArtifactFiles(name, map, files)
    }

    package func check() async throws(SourceFault) { _ = try await server.get("/health") }

    package func make(
        _ order: GenerationOrder, note: @escaping @Sendable (WorkerNote) async throws(SourceFault) -> Void
    ) async throws(SourceFault) -> GeneratedPiece {
        var submission = RemoteSubmission(text: order.memory)
        var polls = 0
        while true {
            if Task.isCancelled { throw .cancelled }
            if case .poll(let job) = submission.step {
                switch try await poll(job) {
                case .unknown: submission.take(.unknown)
                case .done: return try await fetch(job, order, note)
                case .making(let percent, let message):
                    if let percent { try await note(.progress(percent: percent, message: message)) } else { try await note(.accepted) }
                    polls += 1
                    try await Self.pause(.milliseconds(400 * min(polls, 5)))
                    continue
                }
            } else {
                let step = submission.step
                submission.begin()
                try await note(.remembers(submission.text))
                submission.take(try await perform(step, order))
            }
            try await note(.remembers(submission.text))
        }
    }

    /// A lost answer leaves by a fault: the hub gives the order again, and the memory says what to look for.
    private func perform(_ step: RemoteSubmission.Step, _ order: GenerationOrder) async throws(SourceFault) -> RemoteSubmission.Answer {
        switch step {
        case .openSession:
            let answer = try await server.post("/session", JSONText.object([("name", JSONText.string(order.id))]))
            return .opened(session: try server.id(answer.json?["session_id"]))
        case .submit(let session):
            let answer = try await server.post("/generate", Self.request(order.request, session: session), allowing: 404)
            return answer.status == 404 ? .unknown : .submitted(job: try server.id(answer.json?["job_id"]))
        case .look(let session):
            let answer = try await server.get("/session/\(session)", allowing: 404)
            if answer.status == 404 { return .unknown }
            return .listed((answer.json?["clips"]?.array ?? []).compactMap { try? server.id($0["job_id"]) })
        case .poll: return .lost
        }
    }

    static func request(_ request: GenerationRequest, session: String) -> String {
        JSONText.object([
            ("prompt", JSONText.string(request.prompt)), ("seed", request.seed), ("duration_seconds", String(request.durationS)),
            ("mode", JSONText.string(request.mode == .motif ? "motif" : "full_track")), ("session_id", JSONText.string(session)),
            ("model_id", request.model.map(JSONText.string)), ("cfg_scale", request.cfg), ("musicgen_cfg_coef", request.cfg),
        ])
    }

    // MARK: Polling

    private enum Poll {
        /// The worker was restarted, and has forgotten the job.
        case unknown
        /// Without a number it has not begun.
        case making(Int?, String?)
        case done
    }

    private func poll(_ job: String) async throws(SourceFault) -> Poll {
        let answer = try await server.get("/status/\(job)", allowing: 404)
        if answer.status == 404 { return .unknown }
        let message = answer.json?["message"]?.string.map { DisplayLine.cut($0, 160) }
        switch answer.json?["state"]?.string {
        case "succeeded", "completed": return .done
        case "failed": throw SourceFault(.failed, message ?? "The worker “\(name)” says that it failed, and not why.")
        case "running": return .making(Self.percent(answer.json?["progress"]), message)
        default: return .making(nil, message)
        }
    }

    private static func percent(_ value: JSON?) -> Int {
        switch value {
        case .int(let number): number >= 1 ? 100 : 0
        case .double(let number): Int(max(0, min(1, number)) * 100)
        default: 0
        }
    }

    private static func pause(_ time: Duration) async throws(SourceFault) {
        do { try await Task.sleep(for: time) } catch { throw .cancelled }
    }

    // MARK: The sound

    private func fetch(
        _ job: String, _ order: GenerationOrder, _ note: @Sendable (WorkerNote) async throws(SourceFault) -> Void
    ) async throws(SourceFault) -> GeneratedPiece {
        try await note(.fetching)
        let answer = try await server.get("/artifact/\(job)")
        guard let artifact = answer.json else { throw SourceFault(.failed, "The worker “\(name)” describes its piece in no JSON.") }
        try artifacts.write(answer.body, to: "metadata.json", in: order.folder)
        let bytes: Int64
        if artifacts.isMapped, let path = artifact["artifact_path"]?.string {
            bytes = try artifacts.copy(path, to: "sound.wav", in: order.folder)
        } else if try await server.has("audio") {
            bytes = try await artifacts.write(try await server.open("/artifact/\(job)/audio"), to: "sound.wav", in: order.folder)
        } else {
            throw SourceFault(
                .failed,
                "The file is on the disk of the worker “\(name)”. Where its folder is seen on this machine, say so in batond.conf: artifact_map = REMOTE:LOCAL."
            )
        }
        let plan = artifact["metadata"]?["plan"]
        return GeneratedPiece(
            durationMs: try artifacts.durationMs(of: "sound.wav", in: order.folder), tempo: plan?["tempo_bpm"]?.int.map { Int($0) },
            key: plan?["key"]?.string.map { DisplayLine.cut($0, 32) }, sound: "sound.wav", bytes: bytes)
    }
}

/// Where a folder of the worker is seen on this machine.
package struct ArtifactMap: Equatable, Sendable {
    package var remote: String
    package var local: String

    package init(remote: String, local: String) {
        self.remote = remote
        self.local = local
    }
}
