/// Which jobs are listed, by how far they are.
public enum JobFilter: String, Sendable, CaseIterable {
    case all
    /// Those that are not over.
    case open
    /// Those that wait for a person who may allow them.
    case approval
    case ready, failed
}
