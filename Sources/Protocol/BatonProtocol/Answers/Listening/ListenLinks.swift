/// The answer to `listen.link`: where the room is heard as a stream. What opens it is told only here.
public struct MadeListenLink: Equatable, Sendable {
    /// By which it is revoked.
    public var link: String
    /// Paths of this hub: the stream in Ogg Opus and in MP3, and a list for players that names the latter.
    public var opus: String
    public var mp3: String
    public var list: String

    package init(link: String, opus: String, mp3: String, list: String) {
        self.link = link
        self.opus = opus
        self.mp3 = mp3
        self.list = list
    }
}

/// The answer to `listen.links`.
public struct ListenLinkList: Equatable, Sendable {
    public struct Row: Equatable, Sendable {
        public var link: String
        public var name: String
        /// Who made it.
        public var author: String
        public var madeMs: Int64

        package init(link: String, name: String = "", author: String = "", madeMs: Int64) {
            self.link = link
            self.name = name
            self.author = author
            self.madeMs = madeMs
        }
    }

    /// In the order in which they were made.
    public var rows: [Row]
    /// How many devices hear streams of the room at the moment.
    public var hearing: Int

    package init(_ rows: [Row], hearing: Int = 0) {
        self.rows = rows
        self.hearing = hearing
    }
}

extension MadeListenLink: CommandAnswer {
    public static let form: ReplyData.Form? = .listenLink

    public init?(_ data: ReplyData?) {
        guard case .listenLink(let value)? = data else { return nil }
        self = value
    }
}

extension ListenLinkList: CommandAnswer {
    public static let form: ReplyData.Form? = .listenLinks

    public init?(_ data: ReplyData?) {
        guard case .listenLinks(let value)? = data else { return nil }
        self = value
    }
}
