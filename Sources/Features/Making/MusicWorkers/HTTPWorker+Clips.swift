/// Clips of a session at a worker over HTTP. `ClipSubmission` decides on each request, and the decision is stored on
/// disk before the request is sent.
import BatonCore
import BatonJSON
import BatonSeams

extension HTTPWorker {
    func make(_ cell: ClipWish, order: GenerationOrder, note: @escaping Noting) async throws(SourceFault) -> GeneratedPiece {
        guard var session = order.session else { throw SourceFault(.gone, "The session of this clip is not there any more.") }
        var submission = ClipSubmission(text: order.memory) ?? ClipSubmission(cell, session: session.id)
        var polling = Polling()
        while true {
            if Task.isCancelled { throw .cancelled }
            let step = submission.begin()
            try await note(.remembers(submission.text))
            switch step {
            case .openSession, .look, .submitPiece, .submitClip:
                do throws(SourceFault) {
                    submission.take(try await perform(step, order: order, session: &session, note: note), of: step)
                } catch {
                    // The worker may have received the job, which the next request shows; if that fails, too, the
                    // worker is away.
                    guard step.submits, error.code == .unavailable else { throw error }
                    try await polling.pause()
                }
            case .pollPiece(let job):
                switch try await follow(job, polling: &polling, note: Self.planning(note)) {
                case .forgotten: submission.take(.unknown, of: step)
                case .done: submission.take(.planned, of: step)
                case .underWay: break
                }
                try await polling.pause()
            case .pollClip(let job):
                switch try await follow(job, polling: &polling, note: note) {
                case .forgotten: submission.take(.unknown, of: step)
                case .done: if let piece = try await fetch(job, order: order, note: note) { return piece }
                case .underWay: break
                }
                try await polling.pause()
            }
        }
    }

    /// Hides the progress of a session's first piece. The clip's progress must never decrease, and it starts only
    /// afterwards.
    private static func planning(_ note: @escaping Noting) -> Noting {
        { step async throws(SourceFault) in
            guard case .progress = step else { return try await note(step) }
            try await note(.progress(percent: 0, message: "planning the session"))
        }
    }

    private func perform(
        _ step: ClipSubmission.Step, order: GenerationOrder, session: inout WorkerSession, note: Noting
    ) async throws(SourceFault) -> ClipSubmission.Answer {
        switch step {
        case .openSession:
            let id = try server.id(try await server.post("/session", Self.opening(session)).json?["session_id"])
            session.id = id
            try await note(.session(session))
            return .opened(session: id)
        case .look(let id):
            guard let found = try await contents(of: id) else { return .unknown }
            if let plan = found["seed_plan"], plan.object != nil {
                let planned = try self.planned(session, found, plan)
                if planned != session { try await note(.session(planned)) }
                session = planned
            }
            return listing(found, order.request.clip)
        case .submitPiece(let id):
            let answer = try await server.post("/generate", Self.piece(of: session, at: id), allowing: 404)
            return answer.status == 404 ? .unknown : .submitted(job: try server.id(answer.json?["job_id"]))
        case .submitClip(let id):
            let answer = try await server.post("/session/\(id)/clip", Self.clip(order.request, at: id), allowing: 404)
            return answer.status == 404 ? .unknown : .submitted(job: try server.id(answer.json?["job_id"]))
        case .pollPiece, .pollClip: return .unknown
        }
    }

    // MARK: State at the worker

    /// The contents of a session; `nil` if the worker does not know it.
    func contents(of session: String) async throws(SourceFault) -> JSON? {
        let answer = try await server.get("/session/\(session)", allowing: 404)
        if answer.status == 404 { return nil }
        guard let json = answer.json else { throw SourceFault(.failed, "The worker “\(name)” describes its session in no JSON.") }
        return json
    }

    func listing(_ session: JSON, _ cell: ClipWish?) -> ClipSubmission.Answer {
        let rows = session["clips"]?.array ?? []
        func ids(_ isMeant: (JSON) -> Bool) -> [String] { rows.filter(isMeant).compactMap { try? server.id($0["job_id"]) } }
        return .listed(
            hasPlan: session["seed_plan"]?.object != nil,
            pieces: ids { $0["layer"]?.string == nil && $0["state"]?.string != "failed" },
            clips: ids { $0["layer"]?.string == cell?.layer.rawValue && $0["scene_index"]?.int == cell.map { Int64($0.scene) } })
    }

    private func planned(_ session: WorkerSession, _ found: JSON, _ plan: JSON) throws(SourceFault) -> WorkerSession {
        var planned = session
        let text = JSONText.value(plan)
        guard text.utf8.count <= WorkerSession.planBytes else {
            throw SourceFault(.failed, "The plan of the worker “\(name)” is larger than \(WorkerSession.planBytes >> 10) KiB.")
        }
        planned.plan = text
        planned.tempo = (plan["tempo_bpm"] ?? found["tempo_bpm"])?.int.flatMap { Int(exactly: $0) }
        planned.key = (plan["key"] ?? found["key"])?.string.map { DisplayLine.cut($0, 32) }
        planned.metre = (plan["time_signature"] ?? found["time_signature"])?.string.map { DisplayLine.cut($0, 8) }
        return planned
    }

    // MARK: Requests

    static func opening(_ session: WorkerSession) -> String {
        JSONText.object([
            ("name", JSONText.string(session.name)), ("prompt", JSONText.string(session.prompt)),
            ("tempo_bpm", session.tempo.map { String($0) }), ("key", session.key.map(JSONText.string)),
            ("time_signature", session.metre.map(JSONText.string)),
        ])
    }

    /// The request for a session's first piece, which creates its plan. A plan that the hub has stored is reused.
    static func piece(of session: WorkerSession, at id: String) -> String {
        let request = GenerationRequest(prompt: session.prompt, durationS: plannedS, seed: session.seed)
        return self.request(request, session: id, plan: session.plan)
    }

    /// Length of the first piece. Its plan also applies to later pieces of the session, which usually have this length.
    private static let plannedS = 90

    static func clip(_ request: GenerationRequest, at session: String) -> String {
        let cell = request.clip.map { cell in
            [("layer", JSONText.string(cell.layer.rawValue)), ("bars", String(cell.bars)), ("scene_index", String(cell.scene))]
        }
        let generation = JSONText.object([
            ("prompt", JSONText.string(request.prompt)), ("seed", request.seed), ("mode", JSONText.string("clip")),
            ("session_id", JSONText.string(session)), ("model_id", request.model.map(JSONText.string)), ("cfg_scale", request.cfg),
            ("musicgen_cfg_coef", request.cfg),
        ])
        return JSONText.object((cell ?? []) + [("prompt", JSONText.string(request.prompt)), ("generation", generation)])
    }
}

extension ClipSubmission.Step {
    fileprivate var submits: Bool {
        switch self {
        case .submitPiece, .submitClip: true
        case .openSession, .look, .pollPiece, .pollClip: false
        }
    }
}
