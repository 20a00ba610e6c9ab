/// `keep`: how much of what is to be kept is on the hub's own disk, and what is fetched now.
public struct KeepSection: SectionContent {
    package static let section = Section.keeping

    /// A track that is being fetched.
    public struct Fetching: Equatable, Sendable {
        public var title: String
        public var percent: Int

        package init(title: String, percent: Int) {
            self.title = title
            self.percent = percent
        }
    }

    /// A new number means that the marks of rows that were read before may be out of date.
    public var revision: Int
    /// How many tracks are wanted, and how many of them are whole.
    public var tracks: Int
    public var whole: Int
    /// Of the whole copies.
    public var bytes: Int64
    public var limit: Int64
    /// Two at most.
    public var fetching: [Fetching]
    /// Why nothing more is fetched though something is missing.
    public var sentence: String?

    package init(
        revision: Int, tracks: Int, whole: Int, bytes: Int64, limit: Int64, fetching: [Fetching] = [], sentence: String? = nil
    ) {
        self.revision = revision
        self.tracks = tracks
        self.whole = whole
        self.bytes = bytes
        self.limit = limit
        self.fetching = fetching
        self.sentence = sentence
    }
}
