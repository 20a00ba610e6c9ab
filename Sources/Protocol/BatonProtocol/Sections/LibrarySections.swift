/// `lib`: the size of the local library, and the progress of a scan.
public struct LibrarySection: SectionContent {
    package static let section = Section.library

    /// The progress of a scan.
    public struct Scan: Equatable, Sendable {
        /// The number of files that were examined.
        public var done: Int
        /// The number of all files; `nil` while it is not known.
        public var total: Int?
        public var failed: Int

        package init(done: Int, total: Int? = nil, failed: Int = 0) {
            self.done = done
            self.total = total
            self.failed = failed
        }
    }

    /// A new number means that rows read before may be out of date.
    public var revision: Int
    public var tracks: Int
    public var albums: Int
    public var artists: Int
    /// `nil` while no scan is running.
    public var scan: Scan?

    package init(revision: Int, tracks: Int, albums: Int, artists: Int, scan: Scan? = nil) {
        self.revision = revision
        self.tracks = tracks
        self.albums = albums
        self.artists = artists
        self.scan = scan
    }
}

/// `pl`: the number of playlists. A new `rev` means that one of them has changed.
public struct PlaylistsSection: SectionContent {
    package static let section = Section.playlists

    public var revision: Int
    public var count: Int

    package init(revision: Int, count: Int) {
        self.revision = revision
        self.count = count
    }
}
