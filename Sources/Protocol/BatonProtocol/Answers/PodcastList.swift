public import BatonCore

/// The answer to `podcast.list`, and, of one podcast, to `podcast.add` and `podcast.refresh`.
public struct PodcastList: Equatable, Sendable {
    /// A podcast as a list shows it.
    public struct Row: Equatable, Sendable {
        public var uri: ItemURI
        public var title: String
        public var author: String
        public var episodes: Int
        /// How many of the newest episodes are kept on the hub's disk.
        public var keep: Int
        /// The id of its picture.
        public var art: String?
        /// Its feed; for remotes and admins only, and empty for others.
        public var url: String
        /// Wall clock.
        public var checkedMs: Int64?
        public var dueMs: Int64?
        /// What is wrong with it, or what happened to it.
        public var sentence: String?

        package init(
            _ uri: ItemURI, _ title: String, author: String = "", episodes: Int = 0, keep: Int = 0, art: String? = nil, url: String = ""
        ) {
            self.uri = uri
            self.title = title
            self.author = author
            self.episodes = episodes
            self.keep = keep
            self.art = art
            self.url = url
        }
    }

    public var rows: [Row]
    /// Where the next page begins; `nil` at the end.
    public var cursor: String?
    public var total: Int

    package init(_ rows: [Row], cursor: String? = nil, total: Int) {
        self.rows = rows
        self.cursor = cursor
        self.total = total
    }
}
