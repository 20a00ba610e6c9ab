/// A session of clips as a worker over HTTP knows it, and what the hub keeps so that the worker can be given it again.
package struct WorkerSession: Equatable, Sendable {
    /// By which the worker knows it. `nil` until it was asked for one.
    package var id: String?
    /// JSON that only the worker understands. It decides how all clips of the session sound; `nil` until the session's first piece is made.
    package var plan: String?
    package var name: String
    package var prompt: String
    /// A whole number of 64 bits as text, for the first piece.
    package var seed: String
    /// As the plan says, and before there is one as the hub reads the prompt.
    package var tempo: Int?
    package var key: String?
    package var metre: String?

    /// Longer plans are refused, since they are kept with the session.
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
