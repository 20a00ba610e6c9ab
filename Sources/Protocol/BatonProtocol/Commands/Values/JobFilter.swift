/// The jobs that are listed, by how far they are.
public enum JobFilter: String, Sendable, CaseIterable {
    case all
    /// Jobs that are not over.
    case open
    /// Jobs that wait for a person who may allow them.
    case approval
    case ready, failed
}
