/// The progress or result of a scan of the local library.
public struct ScanReport: Equatable, Sendable {
    /// Number of music files that were found.
    public var seen: Int
    /// Number of files that were read, because they are new or have changed.
    public var read: Int
    /// Number of files that had been moved, and keep their marks.
    public var moved: Int
    /// Number of files that were known and are missing now.
    public var gone: Int
    /// Number of files that could not be read.
    public var failed: Int
    /// The time that the scan has taken so far.
    public var tookMs: Milliseconds
    /// True once the scan has ended.
    public var isDone: Bool
    /// The first sentences about files that failed.
    public var problems: [String]
    /// The final number of files, once it is known. Clients are not told.
    package var total: Int?

    /// Number of sentences that are stored; `failed` counts all failures.
    package static let mostProblems = 100

    package init(
        seen: Int = 0, read: Int = 0, moved: Int = 0, gone: Int = 0, failed: Int = 0, tookMs: Milliseconds = 0, isDone: Bool = false,
        problems: [String] = []
    ) {
        self.seen = seen
        self.read = read
        self.moved = moved
        self.gone = gone
        self.failed = failed
        self.tookMs = tookMs
        self.isDone = isDone
        self.problems = problems
    }
}
