/// One piece of music that a worker is asked to make.
package struct GenerationRequest: Equatable, Sendable {
    package var prompt: String
    package var durationS: Int
    /// A whole number of 64 bits as text. The hub picks one where the person did not, so that the piece can be made again.
    package var seed: String
    package var model: String?
    package var cfg: String?
    package var mode: PromptLine.Mode
    /// The very piece that the built-in composer is to make. The prompt then says only what it was once made for.
    package var recipe: String?
    /// What people wished of the piece while it waited; for the built-in composer.
    package var steering: [Steer] = []
    /// The name of a piece that is not named after its prompt.
    package var title: String?
    /// A loop of one layer on the plan of the recipe, in the place of a piece.
    package var clip: ClipWish?

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

    /// What a line without faults asks for.
    package init(_ line: PromptLine, else settings: PromptSettings = PromptSettings(), random: UInt64) {
        let settings = line.settings.filled(from: settings)
        let seed = settings.seed == PromptSettings.off ? nil : settings.seed
        self.init(
            prompt: line.prompt, durationS: line.mode == .motif ? PromptSettings.motifS : settings.durationS ?? Self.usualS,
            // Readers that keep numbers as doubles round larger ones.
            seed: seed ?? String(random >> 12), model: settings.model, cfg: settings.cfg == PromptSettings.off ? nil : settings.cfg,
            mode: line.mode)
    }
}
