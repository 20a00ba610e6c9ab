/// The store of podcasts and their episodes. Every call may wait for the disk.
package import BatonCore

package protocol PodcastStorage: Sendable {
    /// All podcasts in the order of their titles.
    func podcasts() throws(SourceFault) -> [StoredPodcast]
    func podcast(_ id: Int) throws(SourceFault) -> StoredPodcast?
    /// The podcast whose feed is, or was first, at this address.
    func podcast(at url: String) throws(SourceFault) -> StoredPodcast?
    /// Stores a podcast, to be requested from `dueMs` on, and returns its number.
    func add(_ podcast: StoredPodcast) throws(SourceFault) -> Int
    /// The keys of all episodes of a podcast.
    func episodeKeys(of id: Int) throws(SourceFault) -> Set<String>
    /// Stores a podcast and its episodes after a change, in one step. Does nothing if the podcast was removed meanwhile.
    func store(_ change: FeedChange) throws(SourceFault)
    /// Sets how many of the newest episodes are kept on disk. Returns false when nothing changes.
    func setKeep(_ id: Int, _ count: Int) throws(SourceFault) -> Bool
    /// Removes a podcast with its episodes. Returns false when there was none.
    func remove(podcast id: Int) throws(SourceFault) -> Bool
    func episode(_ id: String) throws(SourceFault) -> StoredEpisode?
    /// Episodes, the newest first.
    func episodes(_ query: EpisodeQuery) throws(SourceFault) -> EpisodePage
}

/// A stored episode with its podcast.
package struct StoredEpisode: Equatable, Sendable {
    /// The id in its item URI, as `EpisodeKeys.id` makes it.
    package var id: String
    /// The podcast that it belongs to.
    package var podcast: StoredPodcast
    package var episode: Episode

    package init(id: String, podcast: StoredPodcast, _ episode: Episode) {
        self.id = id
        self.podcast = podcast
        self.episode = episode
    }
}

/// The wanted episodes: of one podcast or of all, with titles that contain the words.
package struct EpisodeQuery: Equatable, Sendable {
    /// The number of the podcast; `nil` for all of them.
    package var podcast: Int?
    package var text: String
    /// The index of the first episode, from 0.
    package var from: Int
    /// Number of episodes at most.
    package var limit: Int

    package init(podcast: Int? = nil, _ text: String = "", from: Int = 0, limit: Int) {
        self.podcast = podcast
        self.text = text
        self.from = from
        self.limit = limit
    }
}

/// A part of a list of episodes.
package struct EpisodePage: Equatable, Sendable {
    /// The episodes, the newest first.
    package var episodes: [StoredEpisode]
    /// Number of all episodes that match.
    package var total: Int

    package init(_ episodes: [StoredEpisode] = [], total: Int = 0) {
        self.episodes = episodes
        self.total = total
    }
}

/// Parses RSS and Atom feeds in a separate process. Blocks; never called on the loop. The sentence of a fault continues one that names the feed.
package protocol FeedReading: Sendable {
    /// The feed in these bytes, with texts that are plain and bounded.
    func feed(_ bytes: [UInt8]) throws(SourceFault) -> Feed
}

/// The source of stored podcasts, as the hub's own commands need it.
package protocol PodcastShelf: Connector {
    var storage: any PodcastStorage { get }
    func uri(of podcast: StoredPodcast) -> ItemURI
    /// The container of the newest episodes, which are kept on disk.
    func newest(of podcast: StoredPodcast) -> ItemURI
    func tags(of podcast: StoredPodcast) -> Tags
    func podcast(_ uri: ItemURI) throws(SourceFault) -> StoredPodcast
    /// Subscribes after reading the feed; returns the podcast and whether it is new.
    func add(_ url: String, _ secrets: SourceSecrets, isOwn: Bool) async throws(SourceFault) -> (StoredPodcast, isNew: Bool)
    /// Requests the feed now, and stores the changes. A feed that cannot be read sets the podcast's sentence and is no fault.
    func refresh(_ podcast: StoredPodcast) async throws(SourceFault) -> StoredPodcast
    func remove(_ podcast: StoredPodcast) throws(SourceFault) -> Bool
}
