import BatonComposer
import Foundation
import Testing

@testable import Synthesis

/// Scores become sound, with the font of Debian's package.
@Suite struct SynthesizerTests {
    @Test func `a score is heard from its first to its last second, and the same each time`() throws {
        let score = Composer.score(Prompt.recipe("pop", seed: 3, seconds: 12))
        var heard: [SectionRole] = []

        let font = try SoundFont.find(nil)
        let sound = try Synthesizer(font).play(score) { _, role in heard.append(role) }
        let again = try Synthesizer(font).play(score) { _, _ in }

        #expect(sound.frames == 12 * Sound.rate)
        #expect(heard == score.sections.map(\.role))
        let loud = (0..<12).map { second in (0..<Sound.rate * 2).map { abs(sound[second * Sound.rate * 2 + $0]) }.max() ?? 0 }
        #expect(loud.allSatisfy { $0 > 0.001 }, "\(loud)")
        #expect((0..<sound.frames * 2).allSatisfy { sound[$0] == again[$0] })
    }

    @Test func `a loop has the frames of its bars, and begins with what still rings at its end`() throws {
        var recipe = Prompt.recipe("pop 4/4", seed: 3, seconds: 12)
        recipe.tempo = 113

        let score = Composer.score(Clip(.textures, bars: 3), of: recipe)
        let loop = try Synthesizer(SoundFont.find(nil)).loop(score) { _, _ in }
        let piece = try Synthesizer(SoundFont.find(nil)).play(score) { _, _ in }

        #expect(loop.frames == 3 * 4 * 60 * Sound.rate / 113)
        #expect(!(0..<2000).allSatisfy { (sample: Int) in loop[sample] == piece[sample] })
        let seam: Float = abs(loop[0] - loop[loop.frames * 2 - 2])
        var largest: Float = 0
        for frame in 1..<loop.frames { largest = max(largest, abs(loop[frame * 2] - loop[frame * 2 - 2])) }
        #expect(seam <= largest)
    }

    @Test func `what lies behind the end of a loop is added to its beginning, round after round`() {
        let sound = Sound(frames: 5)
        for sample in 0..<10 { sound[sample] = Float(sample) }

        let folded = sound.folded(to: 2)

        #expect((0..<4).map { folded[$0] } == [12, 15, 8, 10] as [Float])
    }

    @Test func `a font that is not there is named with the package that has one`() {
        #expect { try SoundFont.find("/nowhere/a.sf2") } throws: {
            let sentence = ($0 as? SynthesisFault)?.sentence ?? ""
            return sentence.contains("/nowhere/a.sf2") && sentence.contains("timgm6mb-soundfont")
        }
    }

    @Test func `a file that is no font is refused in a sentence`() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "no-font-\(getpid()).sf2").path
        try "no font".write(toFile: path, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: path) }

        #expect { try Synthesizer(SoundFont.find(path)) } throws: { ($0 as? SynthesisFault)?.sentence.contains(path) == true }
    }

    @Test func `files get their names when they are whole`() throws {
        let place = FileManager.default.temporaryDirectory.appending(path: "job-\(getpid())").path
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: place) }

        let folder = try JobFolder(place, files: ["a", "b"])
        try folder.fill("a", [1, 2, 3])
        #expect(!FileManager.default.fileExists(atPath: place + "/a"))
        try folder.finish(["a", "b"])

        #expect(try FileManager.default.contentsOfDirectory(atPath: place).sorted() == ["a", "b"])
        #expect(FileManager.default.contents(atPath: place + "/a") == Data([1, 2, 3]))
    }
}
