import BatonComposer
import BatonCore
import BatonKernel
import BatonSeams

/// The hub's use of the built-in composer's notation: it derives recipes from others, and passes them on as text.
enum BuiltInPieces {
    /// The piece that follows `earlier` with its motif. Without an earlier one, or when only the words are followed, the
    /// prompt decides.
    static func next(_ wish: EndlessPlan.Wish, after earlier: String?, seed: UInt64) -> GenerationRequest {
        let motif = wish.follow == .motif ? earlier.flatMap { try? Recipe($0) } : nil
        let recipe =
            motif.map { $0.continued(seed: seed, seconds: wish.durationS) }
            ?? Prompt.recipe(wish.prompt, seed: seed, seconds: wish.durationS)
        return request(recipe, prompt: wish.prompt)
    }

    /// A variation of the piece's plan.
    static func varied(_ piece: String, by amount: Int, seed: UInt64, prompt: String) throws(SourceFault) -> GenerationRequest {
        request(try recipe(piece).varied(by: amount, seed: seed), prompt: prompt)
    }

    // MARK: Sessions

    /// The plan of a session, which is also the source of its name when the prompt gives none.
    static func plan(_ prompt: String, seed: UInt64) -> String { Prompt.recipe(prompt, seed: seed, seconds: sessionS).text }

    static func name(_ prompt: String) -> String { Title.of(Prompt.recipe(prompt, seed: nil, seconds: sessionS)) }

    /// Length of pieces that continue a session.
    private static let sessionS = 60

    /// A clip by the built-in composer on the plan of its session. Words choose the instruments.
    static func clip(_ wish: ClipWish, _ line: PromptLine, of session: ClipSession) throws(SourceFault) -> GenerationRequest {
        guard let layer = Clip.Layer(rawValue: wish.layer.rawValue) else { throw SourceFault(.badRequest, "There is no such layer.") }
        var recipe = try recipe(session.recipe).scene(wish.scene)
        if !line.prompt.isEmpty { recipe = recipe.played(by: line.prompt, in: layer) }
        let durationMs = Clip(layer, bars: wish.bars).durationMs(recipe)
        guard durationMs <= Clip.longestMs else {
            throw SourceFault(.badRequest, "\(wish.bars) bars last longer here than \(Clip.longestMs.seconds) seconds: ask for fewer.")
        }
        var request = request(wish, line, of: session, seed: String(recipe.seed))
        request.recipe = recipe.text
        return request
    }

    /// A clip by another worker on its own plan.
    static func request(_ wish: ClipWish, _ line: PromptLine, of session: ClipSession, seed: String) -> GenerationRequest {
        var request = GenerationRequest(
            prompt: line.prompt.isEmpty ? session.prompt : line.prompt, durationS: sessionS, seed: seed, model: line.settings.model,
            cfg: line.settings.cfg == PromptSettings.off ? nil : line.settings.cfg, mode: .clip)
        request.clip = wish
        request.title = "\(session.name): \(wish.layer.rawValue)"
        return request
    }

    /// A whole piece with the motif of the session. Other workers get their own plan of the session with the order.
    static func goOn(
        with session: ClipSession, seed: UInt64, seconds: Int, isOwn: Bool
    ) throws(SourceFault) -> GenerationRequest {
        guard isOwn else { return GenerationRequest(prompt: session.prompt, durationS: seconds, seed: String(seed)) }
        return request(try recipe(session.recipe).continued(seed: seed, seconds: seconds), prompt: session.prompt)
    }

    /// The session in the form for another worker.
    static func worker(_ session: ClipSession) -> WorkerSession {
        let recipe = try? Recipe(session.recipe)
        return WorkerSession(
            id: session.remote, plan: session.plan, name: session.name, prompt: session.prompt, seed: recipe.map { String($0.seed) } ?? "0",
            tempo: recipe?.tempo, key: recipe?.key.name, metre: recipe?.metre.rawValue)
    }

    /// The recipe of a session, with the worker's plan.
    static func recipe(of session: ClipSession, planned: WorkerSession) -> String {
        guard let recipe = try? Recipe(session.recipe) else { return session.recipe }
        return recipe.planned(tempo: planned.tempo, key: planned.key, metre: planned.metre).text
    }

    /// The tempo and key of a session.
    static func facts(of session: ClipSession) -> (tempo: Int, key: String)? {
        (try? Recipe(session.recipe)).map { ($0.tempo, $0.key.name) }
    }

    /// A request for the same piece again.
    static func again(_ piece: String) throws(SourceFault) -> GenerationRequest { request(try recipe(piece), prompt: "") }

    /// The recipe that results from a request and later wishes.
    static func outcome(of request: GenerationRequest) -> String? {
        guard let text = request.recipe, let recipe = try? Recipe(text) else { return nil }
        return recipe.steered(Recipe.Steering(request.steering)).text
    }

    private static func recipe(_ text: String) throws(SourceFault) -> Recipe {
        do { return try Recipe(text) } catch { throw SourceFault(.badRequest, error.sentence) }
    }

    /// A request for a recipe. Its title does not repeat the prompt, since the pieces of one evening share it. The seed is
    /// the recipe's, so that the same recipe is the same piece in every file.
    private static func request(_ recipe: Recipe, prompt: String) -> GenerationRequest {
        var request = GenerationRequest(prompt: prompt, durationS: recipe.seconds, seed: String(recipe.seed))
        request.recipe = recipe.text
        request.title = Title.of(recipe)
        return request
    }
}
