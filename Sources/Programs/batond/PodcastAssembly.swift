/// Podcasts: the subscriptions in `sources.db`, and the processes that read their feeds.
import BatonHub
import BatonSeams
import Configuration
import EventLoop
import HTTPClient
import Media
import Podcasts
import SourceStore

@Loop
final class PodcastAssembly {
    /// Apart from those of the library: a feed comes by itself, and a scan may have all of those at work.
    private let readers: ReaderPool

    /// Without its store the hub has no podcasts.
    init?(_ settings: HubSettings, _ store: SourceStore?, _ hub: Hub, _ http: HTTPClient, _ log: Log) {
        guard let store else { return nil }
        let refused = SourceFault(.forbidden, "A feed is no file.")
        readers = ReaderPool(readers: 2, opening: { paths in paths.map { _ in .failure(refused) } }, log: log)
        let secrets = SourceSecretFiles(folder: settings.data + "/sources", credentials: settings.credentials)
        hub.open(PodcastConnector(store, http: http, reading: readers, secrets: secrets))
    }

    func close() { readers.close() }
}
