/// A session of clips at a worker over HTTP, and the data that the hub stores to restore it there.
package struct WorkerSession: Equatable, Sendable {
    /// The worker's id of the session; `nil` until one was opened.
    package var id: String?
    /// JSON that only the worker understands and that decides how all clips sound; `nil` until the session's first piece is finished.
    package var plan: String?
    /// The name, the same as at the hub.
    package var name: String
    /// The prompt of the session, for the worker's first piece.
    package var prompt: String
    /// A 64-bit number as text, for the first piece.
    package var seed: String
    /// Tempo, key and metre of the plan, or of the prompt as the hub reads it while there is no plan.
    package var tempo: Int?
    /// The key, in the words of the worker or of the recipe.
    package var key: String?
    /// The metre as text, such as `3/4`.
    package var metre: String?

    /// Maximum size of a plan; larger ones are refused, since plans are stored.
    package static let planBytes = 64 << 10

    package init(
        id: String? = nil, plan: String? = nil, name: String, prompt: String, seed: String, tempo: Int? = nil, key: String? = nil,
        metre: String? = nil
    ) {
        self.id = id
        self.plan = plan
        self.name = name
        self.prompt = prompt
        self.seed = seed
        self.tempo = tempo
        self.key = key
        self.metre = metre
    }
}
