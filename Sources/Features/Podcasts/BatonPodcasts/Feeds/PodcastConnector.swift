/// Podcasts as a source: subscriptions and their episodes.
///
/// `FeedServer` fetches feeds, a separate process parses them, and `FeedChange` decides on changes to a subscription.
/// Nothing runs on the loop; the hub says when to look for new episodes.
package import BatonCore
package import BatonSeams

package struct PodcastConnector: PodcastShelf {
    package var source: String { PodcastItem.source }
    package var about: SourceAbout {
        SourceAbout(
            name: "Podcasts",
            shelves: PodcastItem.Shelf.allCases.map { SourceAbout.Shelf(name: $0.rawValue, uri: PodcastItem.shelf($0).uri) },
            abilities: [.browse, .search, .pictures, .download])
    }

    package let storage: any PodcastStorage
    let server: FeedServer
    let reading: any FeedReading
    let secrets: any SecretStorage
    let clock: Clock
    let random: @Sendable () -> Double
    /// Whether an episode was heard to its end, so that its file may be deleted.
    let isFinished: @Sendable (ItemURI) -> Bool
    private static let mostPictureBytes: Int64 = 8 << 20

    package init(
        _ storage: any PodcastStorage, http: any HTTPCalling, reading: any FeedReading, secrets: any SecretStorage, clock: Clock = .system,
        random: @escaping @Sendable () -> Double = { Double.random(in: 0...1) },
        isFinished: @escaping @Sendable (ItemURI) -> Bool = { _ in false }
    ) {
        self.storage = storage
        server = FeedServer(http: http, secrets: secrets)
        self.reading = reading
        self.secrets = secrets
        self.clock = clock
        self.random = random
        self.isFinished = isFinished
    }

    // MARK: Finding

    package func podcast(_ uri: ItemURI) throws(SourceFault) -> StoredPodcast {
        switch try Self.item(uri) {
        case .podcast(let id), .newest(let id): return try podcast(numbered: id)
        case .shelf, .episode: throw SourceFault(.unsupported, "“\(uri.text)” is no podcast.")
        }
    }

    func podcast(numbered id: Int) throws(SourceFault) -> StoredPodcast {
        guard let podcast = try storage.podcast(id) else { throw SourceFault(.notFound, "There is no such podcast any more.") }
        return podcast
    }

    func episode(_ uri: ItemURI) throws(SourceFault) -> StoredEpisode {
        guard case .episode(let id) = try Self.item(uri) else { throw SourceFault(.unsupported, "“\(uri.text)” is no episode.") }
        guard let episode = try storage.episode(id) else { throw SourceFault(.notFound, "There is no such episode any more.") }
        return episode
    }

    static func item(_ uri: ItemURI) throws(SourceFault) -> PodcastItem {
        guard let item = PodcastItem(uri) else { throw SourceFault(.notFound, "“\(uri.text)” names nothing of the podcasts.") }
        return item
    }

    // MARK: Playing

    private static let mostExpanded = 10_000

    @concurrent
    package func expand(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> [NewEntry] {
        switch try Self.item(uri) {
        case .shelf: throw SourceFault(.unsupported, "Choose one of the podcasts; they are too many for a queue.")
        // Older episodes come before newer ones.
        case .podcast(let id): return try entries(EpisodeQuery(podcast: id, limit: Self.mostExpanded)).reversed()
        case .newest(let id):
            let keep = try podcast(numbered: id).keep
            let newest = try entries(EpisodeQuery(podcast: id, limit: Self.mostExpanded)).lazy.filter { !isFinished($0.uri) }
            return Array(newest.prefix(keep))
        case .episode: return [entry(try episode(uri))]
        }
    }

    private func entries(_ query: EpisodeQuery) throws(SourceFault) -> [NewEntry] { try storage.episodes(query).episodes.map { entry($0) } }

    @concurrent
    package func resolve(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> Playable {
        Playable(.bytes(try await server.sound(of: try episode(uri), limits: .stream)))
    }

    @concurrent
    package func download(_ uri: ItemURI) async throws(SourceFault) -> NamedBytes {
        try await server.sound(of: try episode(uri), limits: .copy)
    }

    // MARK: Pictures

    @concurrent
    package func picture(_ name: String) async throws(SourceFault) -> PictureSource {
        guard let (podcast, url) = try PodcastPicture.place(of: name, in: storage) else {
            throw SourceFault(.notFound, "There is no such picture.")
        }
        return .bytes(
            try await server.file(at: url, of: podcast, mostBytes: Self.mostPictureBytes, called: "The picture of “\(podcast.title)”"))
    }
}
