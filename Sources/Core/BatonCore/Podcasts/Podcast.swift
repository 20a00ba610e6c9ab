/// A subscription to a podcast, and an episode of one, as the hub keeps them.

/// What a feed says of the podcast itself. Texts are plain and of one form, whatever the feed had.
public struct PodcastFacts: Equatable, Sendable {
    public var title: String
    public var author: String
    public var about: String
    /// Where its picture is.
    public var picture: String?

    public init(title: String = "", author: String = "", about: String = "", picture: String? = nil) {
        self.title = title
        self.author = author
        self.about = about
        self.picture = picture
    }
}

/// A podcast to which the hub is subscribed.
public struct KeptPodcast: Equatable, Sendable {
    /// Never used twice.
    public var id: Int
    /// Where its feed is now.
    public var url: String
    /// Where its feed was when it was added; ids of its episodes are made of this address, so they stay when the feed moves.
    public var home: String
    public var facts: PodcastFacts
    /// It was added from this machine, so its feed may be on this machine.
    public var isOwn: Bool
    /// How many of the newest episodes are kept on the hub's disk.
    public var keep: Int
    public var episodes: Int
    /// What the server said of the feed as it was read last, to ask for a newer one only.
    public var entityTag: String?
    public var changed: String?
    /// When it was looked at last, and when the next time is; no time where its server said that it is gone. Wall clock.
    public var checkedMs: Int64?
    public var dueMs: Int64?
    /// How often in a row it could not be read.
    public var failures: Int
    /// What is wrong with it, or what happened to it.
    public var sentence: String?

    public init(id: Int, url: String, home: String, facts: PodcastFacts = PodcastFacts(), isOwn: Bool = false, keep: Int = 0) {
        self.id = id
        self.url = url
        self.home = home
        self.facts = facts
        self.isOwn = isOwn
        self.keep = keep
        episodes = 0
        failures = 0
    }

    /// What people call it.
    public var title: String { facts.title.isEmpty ? WebAddress.title(of: url) : facts.title }
}

/// An episode as its feed describes it.
public struct Episode: Equatable, Sendable {
    /// What the feed calls it for ever: its GUID, or the address of its sound where it has none.
    public var key: String
    public var title: String
    public var about: String
    /// When it was published, wall clock; `nil` where the feed does not say.
    public var publishedMs: Int64?
    public var durationMs: Int?
    /// Where its sound is.
    public var url: String
    public var type: String
    public var bytes: Int64?
    public var picture: String?
    /// Where a file with its chapters is.
    public var chapters: String?

    public init(key: String, title: String, url: String) {
        self.key = key
        self.title = title
        self.url = url
        about = ""
        type = ""
    }
}

/// A feed that was read.
public struct Feed: Equatable, Sendable {
    public var facts: PodcastFacts
    public var episodes: [Episode]
    /// Where the feed says that it moves to.
    public var movedTo: String?
    /// What was left out of it, or mended.
    public var sentence: String?

    public init(_ facts: PodcastFacts = PodcastFacts(), _ episodes: [Episode] = [], movedTo: String? = nil, sentence: String? = nil) {
        self.facts = facts
        self.episodes = episodes
        self.movedTo = movedTo
        self.sentence = sentence
    }
}

/// How many podcasts and episodes there may be, and how long their texts may be.
public enum PodcastText {
    public static let titleBytes = 300
    public static let authorBytes = 200
    public static let aboutBytes = 4_000
    public static let urlBytes = 1_024
    public static let keyBytes = 1_024
    public static let mostPodcasts = 1_000
    /// Of one podcast; the oldest go.
    public static let mostEpisodes = 10_000
    /// Newest episodes of one podcast that are kept on the disk.
    public static let mostKept = 100
}
