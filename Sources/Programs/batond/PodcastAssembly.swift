/// Podcasts: subscriptions in `sources.db`, and the processes that parse feeds.
import BatonCore
import BatonHub
import BatonPodcasts
import BatonSeams
import Configuration
import EventLoop
import HTTPClient
import Media
import Stores

@Loop
final class PodcastAssembly {
    /// Separate from the library's readers, which a scan may keep busy while a feed arrives.
    private let readers: ReaderPool

    /// `nil` without a store: the hub then has no podcasts. Without `places` no episode counts as finished.
    init?(
        _ settings: HubSettings, store: SourceStore?, places: (any PlaceStorage)?, for hub: Hub, http: HTTPClient, log: Log
    ) {
        guard let store else { return nil }
        let refused = SourceFault(.forbidden, "A feed is no file.")
        readers = ReaderPool(readers: 2, opening: { paths in paths.map { _ in .failure(refused) } }, log: log)
        let secrets = SourceSecretFiles(folder: settings.data + "/sources", credentials: settings.credentials)
        let isFinished: @Sendable (ItemURI) -> Bool = { uri in (try? places?.finished(among: [uri]))?.contains(uri) == true }
        hub.open(PodcastConnector(store, http: http, reading: readers, secrets: secrets, isFinished: isFinished))
    }

    func close() { readers.close() }
}
