/// A filter for lists of jobs, by progress.
public enum JobFilter: String, Sendable, CaseIterable {
    case all
    /// Jobs that are not finished.
    case open
    /// Jobs that wait for a person's permission.
    case approval
    case ready, failed
}
