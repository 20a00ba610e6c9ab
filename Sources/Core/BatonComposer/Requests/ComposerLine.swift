package import BatonCore
package import BatonJSON

/// Output of `baton-composer`: lines of JSON on its standard output. Any number of progress lines come first; the last line is the artifact
/// or an error.
package enum ComposerLine: Equatable, Sendable {
    case progress(Double, String)
    case artifact(Artifact)
    /// `isForNow` means that the same request may succeed later.
    case error(String, isForNow: Bool = false)

    /// A finished piece, with file names relative to the job's folder.
    package struct Artifact: Equatable, Sendable {
        package var path = "sound.flac"
        package var score = "score.mid"
        package var metadata = "metadata.json"
        package var cover = "cover.png"
        package var durationMs: Milliseconds
        package var title: String
        package var tempo: Int
        package var key: String
        package var seed: UInt64
        package var recipe: String

        package init(durationMs: Milliseconds, title: String, tempo: Int, key: String, seed: UInt64, recipe: String) {
            (self.durationMs, self.title, self.tempo, self.key) = (durationMs, title, tempo, key)
            (self.seed, self.recipe) = (seed, recipe)
        }
    }

    package var text: String { json.composerText }

    private var json: JSON {
        switch self {
        case .progress(let share, let message): ["progress": .double(share), "message": .string(message)]
        case .error(let sentence, let isForNow):
            isForNow ? ["error": .string(sentence), "retry": true] : ["error": .string(sentence)]
        case .artifact(let artifact):
            [
                "artifact": [
                    "path": .string(artifact.path), "score": .string(artifact.score), "metadata": .string(artifact.metadata),
                    "cover": .string(artifact.cover), "durationMs": .int(Int64(artifact.durationMs)), "title": .string(artifact.title),
                    "tempo": .int(Int64(artifact.tempo)), "key": .string(artifact.key), "seed": .string(String(artifact.seed)),
                    "recipe": .string(artifact.recipe),
                ]
            ]
        }
    }
}

extension JSON {
    /// The text that the composer writes, in which three decimal places are enough.
    package var composerText: String { JSONText.value(self, numbers: .thousandths) }
}
