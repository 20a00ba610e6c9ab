/// A request to a worker for one piece of music.
package struct GenerationRequest: Equatable, Sendable {
    /// The words of the prompt, without commands.
    package var prompt: String
    /// The wanted length in seconds; `GeneratedPiece.durationMs` is the real one.
    package var durationS: Int
    /// A 64-bit number as text. Without one from the person the hub picks it, so that the piece can be generated again.
    package var seed: String
    /// The worker's model; `nil` leaves the choice to the worker.
    package var model: String?
    /// Closeness to the prompt, a decimal number from 0 to 20 as text; `nil` is the worker's own.
    package var cfg: String?
    /// The kind of music: a track, a short motif or a clip.
    package var mode: PromptLine.Mode
    /// The exact piece for the built-in composer. The prompt then only says what it was first made for.
    package var recipe: String?
    /// The steering of people while the piece waited; for the built-in composer.
    package var steering: [Steer] = []
    /// The title of a piece that is not named after its prompt.
    package var title: String?
    /// The cell of a clip, which is generated instead of a piece, on the plan of the recipe.
    package var clip: ClipWish?

    /// Length of a piece for which a person named none.
    package static let usualS = 120

    package init(
        prompt: String, durationS: Int = usualS, seed: String, model: String? = nil, cfg: String? = nil, mode: PromptLine.Mode = .track
    ) {
        self.prompt = prompt
        self.durationS = durationS
        self.seed = seed
        self.model = model
        self.cfg = cfg
        self.mode = mode
    }

    /// Makes the request of a line without faults.
    package init(_ line: PromptLine, else settings: PromptSettings = PromptSettings(), random: UInt64) {
        let settings = line.settings.filled(from: settings)
        let seed = settings.seed == PromptSettings.off ? nil : settings.seed
        self.init(
            prompt: line.prompt, durationS: line.mode == .motif ? PromptSettings.motifS : settings.durationS ?? Self.usualS,
            // The seed has 52 bits, because readers that store numbers as doubles round larger ones.
            seed: seed ?? String(random >> 12), model: settings.model, cfg: settings.cfg == PromptSettings.off ? nil : settings.cfg,
            mode: line.mode)
    }
}
