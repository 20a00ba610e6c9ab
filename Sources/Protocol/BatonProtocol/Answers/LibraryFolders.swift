public import BatonCore

/// The answer to `lib.folders`: the folders of the local library, and the report of the last scan.
public struct LibraryFolders: Equatable, Sendable {
    /// One folder of the library, and its problem if it has one.
    public struct Folder: Equatable, Sendable {
        public var path: String
        public var tracks: Int
        /// Why it cannot be read; a sentence.
        public var problem: String?
        public var holds: FolderContent

        package init(path: String, tracks: Int, problem: String? = nil, holds: FolderContent = .music) {
            self.path = path
            self.tracks = tracks
            self.problem = problem
            self.holds = holds
        }
    }

    /// One folder inside of another, which could become one of the library.
    public struct Inside: Equatable, Sendable {
        public var path: String
        /// `nil` where none was found and some may be there all the same.
        public var tracks: Int?

        package init(path: String, tracks: Int? = nil) {
            self.path = path
            self.tracks = tracks
        }
    }

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
    /// Folders with music that could be added, as far as the hub has found some. Their counts may be too small.
    public var found: [Folder]
    /// Folders inside of the one that was asked about.
    public var inside: [Inside]?
    /// There are more inside than these.
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
