import BatonComposer
import BatonCore
import BatonJSON
import Glibc

/// A piece of the service, from its request to its file.
struct ServedJob {
    enum State: Equatable {
        case queued, running, succeeded, failed
    }

    let id: String
    let generation: GenerationRequest
    let folder: String
    private(set) var state = State.queued
    private var progress = 0.0
    private var message = "queued"
    private var updated = Self.now()
    /// The file and the plan of a finished piece.
    private(set) var sound: String?
    private(set) var metadata: JSON?

    init(_ id: String, _ generation: GenerationRequest, in folder: String) {
        self.id = id
        self.generation = generation
        self.folder = "\(folder)/\(id)"
    }

    mutating func run(_ percent: Int, _ message: String) { set(.running, progress: min(0.99, Double(percent) / 100), message: message) }

    mutating func finish(_ sound: String, _ metadata: JSON) {
        self.sound = "\(folder)/\(sound)"
        self.metadata = metadata
        set(.succeeded, progress: 1, message: "generation complete")
    }

    mutating func fail(_ sentence: String) { set(.failed, progress: 1, message: sentence) }

    private mutating func set(_ state: State, progress: Double, message: String) {
        self.state = state
        self.progress = progress
        self.message = message
        updated = Self.now()
    }

    var status: JSON {
        [
            "job_id": .string(id), "state": .string("\(state)"), "progress": .double(progress), "message": .string(message),
            "updated_at": .string(updated),
        ]
    }

    /// The description of the finished piece; `nil` before.
    var artifact: JSON? {
        guard let sound, let metadata else { return nil }
        return ["job_id": .string(id), "artifact_path": .string(sound), "metadata": metadata]
    }

    /// The job's row in its session's list.
    var row: JSON {
        [
            "job_id": .string(id), "prompt": .string(generation.prompt), "state": .string("\(state)"),
            "artifact_path": sound.map { .string($0) } ?? .null,
            "layer": generation.clip.map { .string($0.layer.rawValue) } ?? .null,
            "scene_index": generation.clip.map { .int(Int64($0.scene)) } ?? .null,
            "bars": generation.clip.map { .int(Int64($0.bars)) } ?? .null,
        ]
    }

    /// The recipe from which the composer can generate the piece again.
    var recipe: Recipe? { metadata?["recipe"]?.string.flatMap { try? Recipe($0) } }

    static func now() -> String {
        var time = timespec()
        var parts = unsafe tm()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        unsafe gmtime_r(&time.tv_sec, &parts)
        let numbers = unsafe [parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec]
        let words = numbers.map { $0 < 10 ? "0\($0)" : "\($0)" }
        let micros = String(1_000_000 + time.tv_nsec / 1000).dropFirst()
        return "\(words[..<3].joined(separator: "-"))T\(words[3...].joined(separator: ":")).\(micros)Z"
    }
}

/// A session: its first finished piece gives it a plan.
struct ServedSession {
    let id: String
    let name: String?
    let created = ServedJob.now()
    var jobs: [String] = []
    var seed: ServedJob?

    func summary(_ rows: [JSON]) -> JSON {
        let plan = seed?.metadata?["plan"]
        return [
            "session_id": .string(id), "created_at": .string(created), "updated_at": .string(created),
            "name": name.map { .string($0) } ?? .null,
            "tempo_bpm": plan?["tempo_bpm"] ?? .null, "key": plan?["key"] ?? .null, "time_signature": plan?["time_signature"] ?? .null,
            "seed_job_id": seed.map { .string($0.id) } ?? .null, "seed_prompt": seed.map { .string($0.generation.prompt) } ?? .null,
            "seed_plan": plan ?? .null, "theme": plan?["theme"] ?? .null, "motif": .null, "clip_count": .int(Int64(rows.count)),
            "clips": .array(rows),
        ]
    }
}
