/// Where the hub keeps its podcasts and their episodes. Every call may wait for the disk.
package import BatonCore

package protocol PodcastKeeper: Sendable {
    /// In the order of their titles.
    func podcasts() throws(SourceFault) -> [KeptPodcast]
    func podcast(_ id: Int) throws(SourceFault) -> KeptPodcast?
    /// The podcast whose feed is, or was at first, at this address.
    func podcast(at url: String) throws(SourceFault) -> KeptPodcast?
    /// Keeps it, to be looked at from `dueMs` on, and names its number.
    func add(_ podcast: KeptPodcast) throws(SourceFault) -> Int
    /// The keys of all episodes of a podcast.
    func episodeKeys(of id: Int) throws(SourceFault) -> Set<String>
    /// Keeps a podcast and its episodes as a change says, in one step. Nothing where the podcast was removed meanwhile.
    func keep(_ change: FeedChange) throws(SourceFault)
    /// How many of its newest episodes are kept on the disk. False when it was so already.
    func setKeep(_ id: Int, _ count: Int) throws(SourceFault) -> Bool
    func remove(podcast id: Int) throws(SourceFault) -> Bool
    func episode(_ id: String) throws(SourceFault) -> KeptEpisode?
    /// The newest first.
    func episodes(_ query: EpisodeQuery) throws(SourceFault) -> EpisodePage
}

package struct KeptEpisode: Equatable, Sendable {
    package var id: String
    package var podcast: KeptPodcast
    package var episode: Episode

    package init(id: String, podcast: KeptPodcast, _ episode: Episode) {
        self.id = id
        self.podcast = podcast
        self.episode = episode
    }
}

/// Which episodes are asked for: of one podcast or of all, and those in whose title the words stand.
package struct EpisodeQuery: Equatable, Sendable {
    package var podcast: Int?
    package var text: String
    package var from: Int
    package var limit: Int

    package init(podcast: Int? = nil, _ text: String = "", from: Int = 0, limit: Int) {
        self.podcast = podcast
        self.text = text
        self.from = from
        self.limit = limit
    }
}

package struct EpisodePage: Equatable, Sendable {
    package var episodes: [KeptEpisode]
    package var total: Int

    package init(_ episodes: [KeptEpisode] = [], total: Int = 0) {
        self.episodes = episodes
        self.total = total
    }
}

/// Reads feeds of RSS and Atom in a process of its own. Blocks; never asked on the loop. A fault is the rest of a sentence that names the
/// feed.
package protocol FeedReading: Sendable {
    func feed(_ bytes: [UInt8]) throws(SourceFault) -> Feed
}

/// The source whose items are the podcasts of a keeper, as the hub's own commands need it.
package protocol PodcastShelf: Connector {
    var keeper: any PodcastKeeper { get }
    func uri(of podcast: KeptPodcast) -> ItemURI
    /// The container of the newest episodes that are kept on the disk.
    func newest(of podcast: KeptPodcast) -> ItemURI
    func tags(of podcast: KeptPodcast) -> Tags
    func podcast(_ uri: ItemURI) throws(SourceFault) -> KeptPodcast
    /// Subscribes, once its feed was read; the podcast and whether it is new.
    func add(_ url: String, _ secrets: SourceSecrets, isOwn: Bool) async throws(SourceFault) -> (KeptPodcast, isNew: Bool)
    /// Asks for its feed now, and keeps what changed. A feed that cannot be read is a sentence of the podcast and no fault.
    func refresh(_ podcast: KeptPodcast) async throws(SourceFault) -> KeptPodcast
    func remove(_ podcast: KeptPodcast) throws(SourceFault) -> Bool
}
