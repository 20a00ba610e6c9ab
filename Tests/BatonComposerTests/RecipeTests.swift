import Testing

@testable import BatonComposer

/// Recipes: their text, and what is made of them.
@Suite struct RecipeTests {
    private func recipe(_ seed: UInt64, _ prompt: String = "folk with flute") -> Recipe {
        Prompt.recipe(prompt, seed: seed, seconds: 10 + Int(seed % 171))
    }

    @Test(arguments: UInt64(0)..<300) func `a recipe has at most 200 characters and reads back as itself`(seed: UInt64) throws {
        let recipe = recipe(seed &* 0x9E37_79B9_7F4A_7C15, ScoreTests.prompts[Int(seed) % ScoreTests.prompts.count])

        #expect(recipe.text.utf8.count <= Recipe.longest, "\(recipe.text)")
        #expect(try Recipe(recipe.text) == recipe)
    }

    @Test func `even the widest values fit`() throws {
        let tones = (0..<8).map { Motif.Tone(degree: $0, steps: $0 < 4 ? 3 : 2) }
        let recipe = Recipe(
            seed: .max, seconds: 180, tempo: 200, key: Key(1, .mixolydian), metre: .fiveFour, energy: 100, brightness: 100,
            style: .electronic, form: .variations, programs: [108, 107, 105, 104, 110, 43, 48, 98], motif: Motif(tones: tones))

        #expect(recipe.text.utf8.count <= Recipe.longest, "\(recipe.text.utf8.count)")
        #expect(try Recipe(recipe.text) == recipe)
    }

    @Test(arguments: [
        "", "baton1", "baton0 seed=1", "baton1 seed=1 seed=2", "baton1 what", "baton1 seed=-1", String(repeating: "x", count: 201),
    ])
    func `a text that is no recipe is refused in a sentence`(text: String) {
        #expect(throws: RecipeFault.self) { try Recipe(text) }
    }

    @Test(arguments: [
        ("s=60", "s=9"), ("s=60", "s=181"), ("metre=4/4", "metre=7/8"), ("bpm=", "bpm=9"), ("energy=", "energy=999"),
        ("parts=", "parts=1."),
        ("motif=", "motif=zz"), ("key=", "key=H"), ("style=", "style=x"), ("form=", "form=x"), ("motif=", "motif=e1"),
    ])
    func `a value out of its bounds is refused by name`(field: String, change: String) throws {
        let text = Prompt.recipe("pop 100 bpm 4/4", seed: 5, seconds: 60).text
        let broken = String(text.replacing(field, with: change, maxReplacements: 1))
        #expect(broken != text)

        #expect { try Recipe(broken) } throws: { fault in
            (fault as? RecipeFault).map { $0.sentence.contains(field.split(separator: "=")[0]) || $0.sentence.contains("seconds") } == true
        }
    }

    /// Texts made of pieces of real ones must be refused or understood, never trap.
    @Test(arguments: UInt64(0)..<300) func `a damaged recipe does no harm`(seed: UInt64) {
        var random = TopicRandom(seed, "damage")
        var bytes = Array(recipe(seed).text.utf8)
        for _ in 0...random.below(4) {
            switch random.below(3) {
            case 0: bytes[random.below(bytes.count)] = UInt8(32 + random.below(95))
            case 1: bytes.remove(at: random.below(bytes.count))
            default: bytes.insert(UInt8(32 + random.below(95)), at: random.below(bytes.count))
            }
        }

        if let read = try? Recipe(String(decoding: bytes, as: UTF8.self)) { #expect(Composer.score(read).parts.count >= 2) }
    }

    @Test(arguments: UInt64(0)..<60) func `varied by 0 it is the same, by 100 it has another motif`(seed: UInt64) {
        let recipe = recipe(seed)

        #expect(recipe.varied(by: 0, seed: seed) == recipe)
        let other = recipe.varied(by: 100, seed: seed + 1)
        #expect(other.motif != recipe.motif)
        #expect(other.tempo == recipe.tempo && other.key == recipe.key && other.programs == recipe.programs)
    }

    @Test(arguments: UInt64(0)..<60) func `a small variation keeps the rhythm and changes a tone`(seed: UInt64) {
        let recipe = recipe(seed)

        let other = recipe.varied(by: 20, seed: seed + 1)

        #expect(other.motif != recipe.motif)
        #expect(other.motif.tones.map(\.steps) == recipe.motif.tones.map(\.steps))
    }

    @Test(arguments: UInt64(0)..<60) func `what follows has the motif, a related key, and nearly the same tempo`(seed: UInt64) throws {
        let recipe = Prompt.recipe("pop", seed: seed, seconds: 60)

        let next = recipe.continued(seed: seed + 7, seconds: 60)

        #expect(next.motif == recipe.motif && next.seed != recipe.seed)
        #expect(recipe.key.related.contains(next.key))
        #expect(abs(next.tempo - recipe.tempo) * 100 <= recipe.tempo * 4)
        #expect(try Recipe(next.text) == next)
    }

    @Test func `steering moves energy and brightness, and darker the mode`() {
        let recipe = Prompt.recipe("pop in c major", seed: 1, seconds: 60)
        var steering = Recipe.Steering()
        steering.calmer = 1
        steering.darker = 2

        let steered = recipe.steered(steering)

        #expect(steered.energy < recipe.energy && steered.brightness < recipe.brightness)
        #expect(steered.key.mode != .major && steered.key.tonic == 0)
        #expect(recipe.steered(Recipe.Steering()) == recipe)
    }
}
