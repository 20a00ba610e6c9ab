/// The answer to `lib.folders`: the folders of the local library, and the report of the last scan.
public struct LibraryFolders: Equatable, Sendable {
    /// The result of a scan, or its progress so far.
    public struct Report: Equatable, Sendable {
        public var seen = 0
        public var read = 0
        public var moved = 0
        public var gone = 0
        public var failed = 0
        public var tookMs = 0
        public var isDone = false
        /// The first few sentences about files that failed.
        public var problems: [String] = []

        package init() {}
    }

    public var folders: [Folder]
    /// Other folders with music that the hub has found. Their counts may be too small.
    public var found: [Folder]
    /// Folders inside of the requested one.
    public var inside: [Inside]?
    /// True if there are more folders inside than these.
    public var hasMore: Bool
    public var report: Report?

    package init(
        _ folders: [Folder], found: [Folder] = [], inside: [Inside]? = nil, hasMore: Bool = false, report: Report? = nil
    ) {
        self.folders = folders
        self.found = found
        self.inside = inside
        self.hasMore = hasMore
        self.report = report
    }
}
