import Testing

@testable import BatonComposer

/// Loops of one layer.
@Suite struct ClipTests {
    private static func recipe(_ seed: Int) -> Recipe {
        Prompt.recipe(ScoreTests.prompts[seed % ScoreTests.prompts.count], seed: UInt64(seed), seconds: 30)
    }

    @Test(arguments: 0..<60) func `every layer of every piece has notes, all within the bars of the loop`(seed: Int) {
        let recipe = Self.recipe(seed)
        for (number, layer) in Clip.Layer.allCases.enumerated() {
            let bars = 1 + (seed * 6 + number) * 7 % 64
            let score = Composer.score(Clip(layer, bars: bars), of: recipe)

            let notes = score.parts.flatMap(\.notes)
            #expect(score.ticks == bars * recipe.metre.barTicks)
            #expect(!notes.isEmpty, "\(layer) of \(bars) bars")
            #expect(notes.allSatisfy { $0.start >= 0 && $0.length > 0 && $0.end <= score.ticks }, "\(layer) of \(bars) bars")
            #expect(score.recipe == recipe)
        }
    }

    @Test func `a loop lasts as long as its bars and not as long as the piece`() {
        var recipe = Prompt.recipe("pop 4/4", seed: 1, seconds: 30)
        recipe.tempo = 128

        #expect(Composer.score(Clip(.bass, bars: 4), of: recipe).durationMs == 7500)
    }

    @Test(arguments: 0..<60) func `a recipe takes over the plan of another composer as far as it can have it`(seed: Int) throws {
        let recipe = Self.recipe(seed)
        let planned = recipe.planned(tempo: 128, key: "D minor", metre: "3/4")
        #expect(planned.tempo == 128 && planned.key.name == "D minor" && planned.metre == .threeFour)
        #expect(try Recipe(planned.text) == planned)
        #expect(recipe.planned(tempo: 999, key: "H super", metre: "17/8") == recipe.fitted(tempoWithin: 0))
    }
}
