import BatonComposer
import BatonCore
import ProcessLimits
import Synthesis

/// Mixes the loops of a scene into one.
enum MixJob {
    private static let sound = "sound.flac"

    static func make(_ mix: ComposerRequest.Mix, in place: String) throws {
        let folder = try JobFolder(place, files: [sound])
        let loops = try mix.files.map { try FLACReader($0) }
        Confinement.close(.filling(bytes: Job.mostBytes, folder: folder.folder))

        Job.say(.progress(0.1, "mixing the scene"))
        let whole = try LoopMix.sound(loops)
        Job.say(.progress(0.6, "setting the loudness"))
        let master = try Mastering(whole, isLoop: true)
        let recipe = mix.recipe
        let tags = [
            ("TITLE", mix.title), ("ARTIST", "baton-composer"), ("BPM", String(recipe.tempo)), ("INITIALKEY", recipe.key.name),
        ]
        try FLACFile(tags: tags, cover: Cover.png(recipe), coverEdge: Cover.edge).write(master, to: folder.file(sound))
        try folder.finish([sound])
        Job.say(
            .artifact(
                ComposerLine.Artifact(
                    durationMs: Milliseconds(whole.durationMs), title: mix.title, tempo: recipe.tempo,
                    key: recipe.key.name, seed: recipe.seed, recipe: recipe.text)))
    }
}
