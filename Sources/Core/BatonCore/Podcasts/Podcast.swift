/// Subscriptions to podcasts, and their episodes, as the hub stores them.

/// A feed's facts about the podcast itself. Texts are plain and normalised, whatever the feed had.
public struct PodcastFacts: Equatable, Sendable {
    /// The title; empty where the feed has none, and then its address serves.
    public var title: String
    /// The author or publisher; empty where the feed has none.
    public var author: String
    /// A description as plain text, at most `PodcastText.aboutBytes`.
    public var about: String
    /// The address of its picture.
    public var picture: String?

    public init(title: String = "", author: String = "", about: String = "", picture: String? = nil) {
        self.title = title
        self.author = author
        self.about = about
        self.picture = picture
    }
}

/// A podcast to which the hub is subscribed.
public struct StoredPodcast: Equatable, Sendable {
    /// The number of the podcast, never used twice.
    public var id: Int
    /// The present address of its feed.
    public var url: String
    /// The first address of its feed. Ids of episodes are made from it, so they stay when the feed moves.
    public var home: String
    /// The facts as of the last successful request.
    public var facts: PodcastFacts
    /// True when it was added from this machine, so that its feed may be on this machine.
    public var isOwn: Bool
    /// Number of the newest episodes that are kept on the hub's disk.
    public var keep: Int
    /// Number of stored episodes.
    public var episodes: Int
    /// Validators of the feed as it was read last, with which only a changed feed is sent again.
    public var entityTag: String?
    /// The value of `Last-Modified` with the feed as it was read last.
    public var changed: String?
    /// Wall clock times of the last and the next request; no next one where the server says that the feed is gone.
    public var checkedMs: Milliseconds?
    /// Wall clock time of the next request; `nil` where there will be none.
    public var dueMs: Milliseconds?
    /// Number of failed requests in a row.
    public var failures: Int
    /// The problem of the feed, or a notice about it.
    public var sentence: String?

    /// A subscription without episodes and failures; the store fills in what it has of them.
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

    /// The title that people see.
    public var title: String { facts.title.isEmpty ? WebAddress.title(of: url) : facts.title }
}

/// An episode as its feed describes it.
public struct Episode: Equatable, Sendable {
    /// Its permanent key in the feed: the GUID, or the address of its sound where it has none.
    public var key: String
    /// The title; made from the address where the feed has none.
    public var title: String
    /// The notes to the episode as plain text, at most `PodcastText.aboutBytes`.
    public var about: String
    /// The time of publication, wall clock; `nil` where the feed does not say.
    public var publishedMs: Milliseconds?
    /// The length that the feed names; `nil` where it names none.
    public var durationMs: Milliseconds?
    /// The address of its sound.
    public var url: String
    /// The media type that the feed names, in lower case; often wrong or empty.
    public var type: String
    /// Size of the sound; `nil` where the feed names none, or 0.
    public var bytes: Int64?
    /// The address of its own picture; `nil` where the podcast's picture serves.
    public var picture: String?
    /// The address of a file with its chapters.
    public var chapters: String?

    /// An episode with what each one has; other facts are set as far as the feed names them.
    public init(key: String, title: String, url: String) {
        self.key = key
        self.title = title
        self.url = url
        about = ""
        type = ""
    }
}

/// The content of a feed.
public struct Feed: Equatable, Sendable {
    public var facts: PodcastFacts
    /// The episodes in the order of the feed.
    public var episodes: [Episode]
    /// The address that the feed says it moves to.
    public var movedTo: String?
    /// A sentence about parts that were left out or repaired.
    public var sentence: String?

    public init(_ facts: PodcastFacts = PodcastFacts(), _ episodes: [Episode] = [], movedTo: String? = nil, sentence: String? = nil) {
        self.facts = facts
        self.episodes = episodes
        self.movedTo = movedTo
        self.sentence = sentence
    }
}

/// Limits for the number of podcasts and episodes, and for their texts.
public enum PodcastText {
    /// Limit for the titles of podcasts and episodes in bytes; longer ones are cut.
    public static let titleBytes = 300
    /// Limit for the author in bytes; longer names are cut.
    public static let authorBytes = 200
    /// Limit for descriptions, which are cut between characters.
    public static let aboutBytes = 4_000
    /// Limit for addresses; an episode with a longer one is left out.
    public static let urlBytes = 1_024
    /// Limit for the key of an episode, which is cut there.
    public static let keyBytes = 1_024
    /// Number of subscriptions that a hub accepts.
    public static let mostPodcasts = 1_000
    /// Limit per podcast; the oldest episodes are dropped.
    public static let mostEpisodes = 10_000
    /// Newest episodes of one podcast that are kept on disk.
    public static let mostKept = 100
}
