/// A worker that is a program on this machine. It reads one request as JSON, writes files into its folder
/// (`BATON_JOB_DIR`), and prints its progress and result; see `WorkerReport`.
package import BatonCore
import BatonJSON
package import BatonSeams

package struct ProgramWorker: GenerationWorker {
    package let name: String
    package let about: WorkerAbout
    private let path: String
    private let arguments: [String]
    private let isConfined: Bool
    /// Arguments that make the program check whether it can work; `nil` if it has no such check.
    private let asking: [String]?
    private let programs: any ProgramRunning
    private let files: any FileReading

    package init(
        _ name: String, _ path: String, _ arguments: [String] = [], kind: WorkerAbout.Kind = .program, isConfined: Bool,
        asking: [String]? = nil, programs: any ProgramRunning, files: any FileReading
    ) {
        self.name = name
        self.path = path
        self.arguments = arguments
        self.isConfined = isConfined
        self.asking = asking
        self.programs = programs
        self.files = files
        about = WorkerAbout(kind: kind, bounds: .own, location: path)
    }

    /// Checks the program. One without a check of its own reports problems only when it runs a job.
    package func health() async throws(SourceFault) -> WorkerHealth {
        try programs.check(path, isConfined: isConfined)
        guard let asking else { return WorkerHealth() }
        let (end, _) = try await programs.make(ProgramCall(making: path, asking, in: "/", isConfined: isConfined, isQuiet: false))
        guard end == .exited(0) else { throw SourceFault(.failed, "The worker “\(name)” \(end.words) when it was asked.") }
        return WorkerHealth()
    }

    package func make(
        _ order: GenerationOrder, note: @escaping @Sendable (WorkerNote) async throws(SourceFault) -> Void
    ) async throws(SourceFault) -> GeneratedPiece {
        try await note(.accepted)
        let request = Self.request(order.request, author: order.author)
        let call = ProgramCall(making: path, arguments, of: request, in: order.folder, isConfined: isConfined)
        let (end, artifact) = try await programs.make(call) { percent, message async throws(SourceFault) in
            try await note(.progress(percent: percent, message: message))
        }
        guard let artifact else {
            throw SourceFault(.failed, "The worker “\(name)” \(end.words) and made nothing.")
        }
        try await note(.fetching)
        return try piece(artifact, in: order.folder)
    }

    private func piece(_ artifact: WorkerReport.Artifact, in folder: String) throws(SourceFault) -> GeneratedPiece {
        let sound = try files.open(plainly: "\(folder)/\(artifact.path)")
        let head = try sound.read(at: 0, count: 4)
        guard [Array("fLaC".utf8), Array("RIFF".utf8)].contains(head) else {
            throw SourceFault(.failed, "What the worker “\(name)” made is no FLAC and no WAV.")
        }
        let hasScore = artifact.score.map { name in (try? files.open(plainly: "\(folder)/\(name)")) != nil } ?? false
        return GeneratedPiece(
            title: artifact.title, durationMs: artifact.durationMs, tempo: artifact.tempo, key: artifact.key, recipe: artifact.recipe,
            sound: artifact.path, hasScore: hasScore, bytes: sound.stamp.size)
    }

    static func request(_ request: GenerationRequest, author: String? = nil) -> String {
        JSONText.object([
            ("prompt", JSONText.string(request.prompt)), ("durationS", String(request.durationS)),
            ("seed", JSONText.string(request.seed)), ("mode", JSONText.string(request.mode.rawValue)),
            ("model", request.model.map(JSONText.string)), ("cfg", request.cfg.map(JSONText.string)),
            ("recipe", request.recipe.map(JSONText.string)), ("title", request.title.map(JSONText.string)),
            ("clip", request.clip.map(clip)),
            ("author", author.map(JSONText.string)),
            ("steer", request.steering.isEmpty ? nil : steering(request.steering)),
        ])
    }

    private static func clip(_ wish: ClipWish) -> String {
        JSONText.object([("layer", JSONText.string(wish.layer.rawValue)), ("bars", String(wish.bars))])
    }

    /// The request's member that says how often each button was pressed.
    private static func steering(_ presses: [Steer]) -> String {
        JSONText.object(
            Steer.allCases.map { steer in
                let count = presses.count { $0 == steer }
                return (steer.rawValue, count > 0 ? String(count) : nil)
            })
    }
}
