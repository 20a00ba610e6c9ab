/// Where in the queue the entry of a piece goes that is made from a prompt.
public enum JobTarget: String, Sendable, CaseIterable {
    case end, next
    /// Behind the current entry, and played as soon as it is ready.
    case play
    /// In no queue.
    case none
}
