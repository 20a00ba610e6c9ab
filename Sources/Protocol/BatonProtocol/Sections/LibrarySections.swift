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

    package func encode(into writer: inout JSONWriter) {
        writer.object { section in
            section.member("rev", revision)
            section.member("tracks", tracks)
            section.member("albums", albums)
            section.member("artists", artists)
            guard let scan else { return }
            section.member(
                "scan",
                object: {
                    $0.member("done", scan.done)
                    $0.member("total", ifPresent: scan.total)
                    if scan.failed > 0 { $0.member("failed", scan.failed) }
                })
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(section: value, .library)
        revision = try fields.required("rev", fields.count("rev"))
        tracks = try fields.count("tracks") ?? 0
        albums = try fields.count("albums") ?? 0
        artists = try fields.count("artists") ?? 0
        scan = try fields.fields("scan").map { scan throws(ProtocolFault) in
            Scan(done: try scan.count("done") ?? 0, total: try scan.count("total"), failed: try scan.count("failed") ?? 0)
        }
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

    package func encode(into writer: inout JSONWriter) {
        writer.object { section in
            section.member("rev", revision)
            section.member("n", count)
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(section: value, .playlists)
        revision = try fields.required("rev", fields.count("rev"))
        count = try fields.count("n") ?? 0
    }
}
