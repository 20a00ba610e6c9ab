import BatonJSON
import Testing

@testable import BatonComposer

/// What the composer says, read by another reader than the one that wrote it.
@Suite struct ComposerLineTests {
    private func parsed(_ text: String) throws -> JSON { try JSON.parse(Array(text.utf8)) }

    @Test func `progress has its share and its message`() throws {
        let json = try parsed(ComposerLine.progress(0.4, "playing the \"chorus\"\n").text)

        #expect(json["progress"] == .double(0.4) && json["message"]?.string == "playing the \"chorus\"\n")
        #expect(ComposerLine.progress(0.05, "a").text == #"{"progress":0.05,"message":"a"}"#)
    }

    @Test func `an artifact names its files and its recipe, and the seed as a string`() throws {
        let artifact = ComposerLine.Artifact(
            durationMs: 61_000, title: "Slow Rain", tempo: 72, key: "D minor", seed: .max, recipe: "baton1 …")

        let json = try parsed(ComposerLine.artifact(artifact).text)["artifact"]

        #expect(json?["path"]?.string == "sound.flac" && json?["score"]?.string == "score.mid")
        #expect(json?["seed"]?.string == "18446744073709551615" && json?["durationMs"]?.int == 61_000)
    }

    @Test func `metadata are JSON with the plan and without a time of day`() throws {
        let score = Composer.score(Prompt.recipe("pop", seed: 1, seconds: 60))

        let text = Metadata.text(of: score, prompt: "pop \u{1F3B9} \"x\"", seed: 1, title: "Pop", font: "TimGM6mb")
        let json = try parsed(text)

        #expect(json["prompt"]?.string == "pop \u{1F3B9} \"x\"" && json["duration_seconds"]?.int == 60)
        #expect(json["plan"]?["sections"]?.array?.count == score.sections.count)
        #expect(text == Metadata.text(of: score, prompt: "pop \u{1F3B9} \"x\"", seed: 1, title: "Pop", font: "TimGM6mb"))
    }
}
