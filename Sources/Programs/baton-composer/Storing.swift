import BatonComposer
import Glibc
import ProcessLimits
import Synthesis

/// `baton-composer store`: stores the samples of a worker's WAV file in the job's folder as a FLAC file with tags and
/// a cover. The file is parsed only after all privileges but writing the new one are dropped.
enum Storing {
    private static let name = "sound.flac"
    /// Size limit of the FLAC file, which is never much larger than its samples. A worker's file has at most 1 GiB.
    private static let mostBytes: UInt64 = 1100 << 20

    static func run(_ bytes: [UInt8]) throws {
        let request = try StoreRequest(bytes)
        let folder = try JobFolder(Job.place, files: [name])
        let source = unsafe openat(folder.folder, request.sound, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        var facts = stat()
        guard source >= 0, unsafe fstat(source, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            throw ComposerFault("The sound \"\(request.sound)\" is not in the job's folder.")
        }
        Confinement.close(.filling(bytes: mostBytes, folder: folder.folder))

        let wav = try WAVFile(source)
        let seconds = min(max(request.seconds, Recipe.seconds.lowerBound), Recipe.seconds.upperBound)
        let cover = Cover.png(Prompt.recipe(request.prompt, seed: request.seed, seconds: seconds))
        try FLACFile(tags: Tags.of(request), cover: cover, coverEdge: Cover.edge).write(wav, to: folder.file(name))
        try folder.finish([name])
    }
}
