import Foundation
import Testing

@testable import BatonComposer

/// What words of a prompt do.
@Suite struct PromptTests {
    private func recipe(_ prompt: String, _ seed: UInt64 = 3) -> Recipe { Prompt.recipe(prompt, seed: seed, seconds: 60) }

    @Test func `slow piano for rain is slow, calm and played by a piano`() {
        for seed in 0..<20 as Range<UInt64> {
            let recipe = recipe("slow piano for rain", seed)
            #expect((56...75).contains(recipe.tempo))
            #expect(recipe.energy < 30)
            #expect(recipe[.lead] == 0 && recipe[.chords] == 0)
        }
        #expect(Title.of("slow piano for rain", recipe("slow piano for rain")) == "Slow Rain")
    }

    @Test(arguments: [
        ("120 bpm", 120), ("rock 96bpm", 96), ("slow 140 bpm", 140),
    ])
    func `a named tempo is kept exactly`(prompt: String, tempo: Int) { #expect(recipe(prompt).tempo == tempo) }

    @Test(arguments: [
        ("in D minor", "D minor"), ("f# major rock", "F# major"), ("E flat dorian", "Eb dorian"), ("bb minor", "Bb minor"),
        ("a minor waltz", "A minor"),
    ])
    func `a named key is kept`(prompt: String, key: String) { #expect(recipe(prompt).key.name == key) }

    @Test(arguments: [
        ("waltz", Metre.threeFour), ("jig", .sixEight), ("march", .twoFour), ("jazz in 5/4", .fiveFour), ("techno", .fourFour),
    ])
    func `dances have their metre`(prompt: String, metre: Metre) { #expect(recipe(prompt).metre == metre) }

    @Test func `what is refused does not play`() {
        let recipe = recipe("rock without drums no bass")
        #expect(recipe[.drums] == nil && recipe[.bass] == nil)
        #expect(self.recipe("rock")[.drums] != nil)
    }

    @Test func `a solo has only its instrument`() {
        let recipe = recipe("solo piano")
        #expect(recipe.programs.compactMap { $0 } == [0, 0])
    }

    @Test func `strings alone play melody, chords and pad`() {
        let recipe = recipe("waltz for strings")
        #expect(recipe[.lead] == 48 && recipe[.chords] == 48 && recipe[.pad] == 48)
    }

    @Test func `two instruments share melody and chords`() {
        let recipe = recipe("piano and cello")
        #expect(recipe[.chords] == 0 && recipe[.lead] == 42)
    }

    @Test func `unknown words change the piece, their case does not`() {
        #expect(recipe("pop zebra") != recipe("pop giraffe"))
        #expect(recipe("Pop ZEBRA!") == recipe("pop zebra"))
        #expect(Prompt.seed(of: "Slow  Rain") == Prompt.seed(of: "slow rain"))
    }

    @Test(arguments: WordTable.rows.map(\.word)) func `every word of the table is understood and makes a piece`(word: String) throws {
        let recipe = recipe(word)
        #expect(try Recipe(recipe.text) == recipe)
        #expect(PromptWords(word).seed == 0, "the word is read as an unknown one")
        #expect(!Title.of(word, recipe).isEmpty)
    }

    @Test func `the document lists the words of the table`() throws {
        let place = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../Sources/Core/BatonComposer/BatonComposer.docc/Words.md")
        let document = try String(contentsOf: place, encoding: .utf8)
        #expect(document == WordTable.document, "write it anew: baton-composer --words")
    }

    @Test func `the table has at least sixty words`() { #expect(WordTable.rows.count >= 60) }

    @Test(arguments: UInt64(0)..<200) func `any text makes a piece`(seed: UInt64) throws {
        var random = TopicRandom(seed, "text")
        let alphabet = Array("abcdefg #/-'3/4bpm no solo minor \u{1F3B9}äß漢字\u{301}120".unicodeScalars)
        var text = ""
        for _ in 0..<random.below(60) { text.unicodeScalars.append(random.pick(alphabet)) }

        let recipe = Prompt.recipe(text, seed: nil, seconds: 10 + random.below(171))

        #expect(try Recipe(recipe.text) == recipe)
        #expect(!Title.of(text, recipe).isEmpty)
        #expect(!Composer.score(recipe).parts.isEmpty)
    }
}
