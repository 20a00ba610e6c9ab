import BatonComposer
import BatonCore
import BatonSeams

/// What the hub knows of the notation of the built-in composer: it makes recipes of others, and hands them on as text.
enum BuiltInPieces {
    /// The piece that follows `earlier` on its motif. Without an earlier one, or when only the words are followed, the prompt decides.
    static func next(_ wish: EndlessPlan.Wish, after earlier: String?, seed: UInt64) -> GenerationRequest {
        let motif = wish.follow == .motif ? earlier.flatMap { try? Recipe($0) } : nil
        let recipe =
            motif.map { $0.continued(seed: seed, seconds: wish.durationS) }
            ?? Prompt.recipe(wish.prompt, seed: seed, seconds: wish.durationS)
        return request(recipe, prompt: wish.prompt)
    }

    /// Another piece from the same plan.
    static func varied(_ piece: String, by amount: Int, seed: UInt64, prompt: String) throws(SourceFault) -> GenerationRequest {
        request(try recipe(piece).varied(by: amount, seed: seed), prompt: prompt)
    }

    /// The very piece.
    static func again(_ piece: String) throws(SourceFault) -> GenerationRequest { request(try recipe(piece), prompt: "") }

    /// The recipe of what a request comes to, with what people wished meanwhile.
    static func outcome(of request: GenerationRequest) -> String? {
        guard let text = request.recipe, let recipe = try? Recipe(text) else { return nil }
        return recipe.steered(Recipe.Steering(request.steering)).text
    }

    private static func recipe(_ text: String) throws(SourceFault) -> Recipe {
        do { return try Recipe(text) } catch { throw SourceFault(.badRequest, error.sentence) }
    }

    /// Pieces of one evening are not all named after its prompt. The seed is that of the recipe, so that the same recipe is the same
    /// piece in every file.
    private static func request(_ recipe: Recipe, prompt: String) -> GenerationRequest {
        var request = GenerationRequest(prompt: prompt, durationS: recipe.seconds, seed: String(recipe.seed))
        request.recipe = recipe.text
        request.title = Title.of(recipe)
        return request
    }
}
