/// Stores the sound of workers losslessly: `baton-composer store` converts a worker's WAV file to a tagged FLAC file.
/// The hub itself never decodes sound.
package import BatonCore
import BatonJSON
package import BatonSeams

package struct SoundStoring: Sendable {
    private let path: String
    private let programs: any ProgramRunning
    private let files: any FileReading

    private static let name = "sound.flac"

    package init(_ path: String, programs: any ProgramRunning, files: any FileReading) {
        self.path = path
        self.programs = programs
        self.files = files
    }

    /// Creates the FLAC file beside the WAV file; `nil` if the sound is in another format already.
    package func store(_ job: GenerationJob, in folder: String) async throws(SourceFault) -> StoredFile? {
        guard let piece = job.piece, piece.sound.lowercased().hasSuffix(".wav") else { return nil }
        let (end, _) = try await programs.make(ProgramCall(making: path, ["store"], of: Self.request(job, piece), in: folder))
        guard end == .exited(0) else { throw SourceFault(.failed, "The program that stores sound has ended before it was done.") }
        return StoredFile(name: Self.name, bytes: try files.open(plainly: "\(folder)/\(Self.name)").stamp.size)
    }

    static func request(_ job: GenerationJob, _ piece: GeneratedPiece) -> String {
        JSONText.object([
            ("sound", JSONText.string(piece.sound)), ("title", JSONText.string(job.title)), ("artist", JSONText.string(job.worker)),
            ("author", job.author.map(JSONText.string)), ("prompt", JSONText.string(job.request.prompt)),
            ("seed", JSONText.string(job.request.seed)), ("durationS", String(job.request.durationS)),
            ("tempo", piece.tempo.map { String($0) }), ("key", piece.key.map(JSONText.string)),
        ])
    }
}
