/// `lib`: how much the local library holds, and how a scan goes.
public struct LibrarySection: SectionContent {
    package static let section = Section.library

    /// How far a scan is.
    public struct Scan: Equatable, Sendable {
        /// Files looked at.
        public var done: Int
        /// How many there will be, once that is known.
        public var total: Int?
        public var failed: Int

        package init(done: Int, total: Int? = nil, failed: Int = 0) {
            self.done = done
            self.total = total
            self.failed = failed
        }
    }

    /// Another number: what was read of the library may be out of date.
    public var revision: Int
    public var tracks: Int
    public var albums: Int
    public var artists: Int
    /// Only while one goes on.
    public var scan: Scan?

    package init(revision: Int, tracks: Int, albums: Int, artists: Int, scan: Scan? = nil) {
        self.revision = revision
        self.tracks = tracks
        self.albums = albums
        self.artists = artists
        self.scan = scan
    }
}

/// `pl`: how many playlists there are. Another `rev`: one of them has changed.
public struct PlaylistsSection: SectionContent {
    package static let section = Section.playlists

    public var revision: Int
    public var count: Int

    package init(revision: Int, count: Int) {
        self.revision = revision
        self.count = count
    }
}
