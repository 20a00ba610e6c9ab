/// The place in the queue for a piece that is generated from a prompt.
public enum JobTarget: String, Sendable, CaseIterable {
    /// At the end of the queue, or after the current entry, which plays on.
    case end, next
    /// After the current entry, and played as soon as it is ready.
    case play
    /// No queue.
    case none
}
