import BatonComposer
import Glibc
import ProcessLimits
import Synthesis

/// Runs one request, from standard input to the files of a piece.
enum Job {
    private static let names = ["score.mid", "cover.png", "metadata.json", "sound.flac"]
    /// Limit of a file. Three minutes of uncompressed sound take only 32 MiB.
    static let mostBytes: UInt64 = 128 << 20

    /// Passes standard input to `work` and returns the exit code.
    static func run(_ work: ([UInt8]) throws -> Void = answer) -> Int32 {
        do {
            try work(input())
            return 0
        } catch let fault as ComposerFault {
            say(.error(fault.sentence))
        } catch let fault as SynthesisFault {
            say(.error(fault.sentence, isForNow: fault.isForNow))
        } catch {
            say(.error("The piece could not be made: \(error)."))
        }
        return 1
    }

    /// The job's folder.
    static var place: String {
        get throws(ComposerFault) {
            guard let place = unsafe getenv("BATON_JOB_DIR").map({ unsafe String(cString: $0) }), !place.isEmpty else {
                throw ComposerFault("BATON_JOB_DIR names no folder for the piece.")
            }
            return place
        }
    }

    /// Checks that pieces can be generated: there is a sound font that libfluidsynth can load.
    static func check(_ bytes: [UInt8]) throws { _ = try Synthesizer(SoundFont.find(nil)) }

    private static func answer(_ bytes: [UInt8]) throws {
        let request = try ComposerRequest(bytes)
        if let mix = request.mix { try MixJob.make(mix, in: place) } else { try make(request, in: place) }
    }

    private static func make(_ request: ComposerRequest, in place: String) throws {
        say(.progress(0, "composing"))
        let font = try SoundFont.find(request.soundfont)
        let synthesizer = try Synthesizer(font)
        let folder = try JobFolder(place, files: names)
        Confinement.close(.filling(bytes: mostBytes, folder: folder.folder))

        let score = try request.score
        let recipe = score.recipe
        let seed = request.seed ?? (request.prompt.isEmpty ? recipe.seed : Prompt.seed(of: request.prompt))
        let title = request.title ?? Title.of(score, request.prompt)
        let sound = try play(score, on: synthesizer)
        say(.progress(0.85, "setting the loudness"))
        let master = try Mastering(sound, isLoop: score.clip != nil)
        say(.progress(0.92, "writing the files"))
        let cover = Cover.png(recipe)
        let tags = Tags.of(score, request, title: title, font: font.name)
        try FLACFile(tags: tags, cover: cover, coverEdge: Cover.edge).write(master, to: folder.file("sound.flac"))
        try folder.fill("score.mid", MIDIFile.bytes(score))
        try folder.fill("cover.png", cover)
        let metadata = Metadata.text(of: score, prompt: request.prompt, seed: seed, title: title, font: font.name)
        try folder.fill("metadata.json", Array(metadata.utf8))
        // The sound comes last, so that its presence means a complete piece.
        try folder.finish(names)
        say(
            .artifact(
                ComposerLine.Artifact(
                    durationMs: score.durationMs, title: title, tempo: recipe.tempo, key: recipe.key.name, seed: seed, recipe: recipe.text))
        )
    }

    private static func play(_ score: Score, on synthesizer: Synthesizer) throws(SynthesisFault) -> Sound {
        func progress(_ share: Double, _ role: SectionRole) { say(.progress(0.05 + share * 0.75, "playing the \(role.rawValue)")) }
        return score.clip == nil
            ? try synthesizer.play(score, progress: progress) : try synthesizer.loop(score, progress: progress)
    }

    private static func input() throws(ComposerFault) -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while bytes.count <= ComposerRequest.largest {
            let got = unsafe read(STDIN_FILENO, &piece, piece.count)
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw ComposerFault("The request could not be read.") }
            guard got > 0 else { break }
            bytes += piece[..<got]
        }
        return bytes
    }

    /// Handles a signal on any thread. A closure in main.swift would belong to the main actor and abort the program
    /// on other threads.
    static let endAtOnce: @convention(c) @Sendable (CInt) -> Void = { _ in _exit(143) }

    /// Prints a line. If the reader is gone, SIGPIPE ends the program.
    static func say(_ line: ComposerLine) {
        let bytes = Array((line.text + "\n").utf8)
        var at = 0
        while at < bytes.count {
            let put = unsafe bytes.withUnsafeBytes { unsafe write(STDOUT_FILENO, $0.baseAddress! + at, bytes.count - at) }
            if put < 0, errno == EINTR { continue }
            guard put > 0 else { exit(1) }
            at += put
        }
    }
}
