/// Names for pictures of podcasts and episodes. They contain a hash of the address, so that another picture has
/// another name.
import BatonCore
import BatonSeams

enum PodcastPicture {
    static func name(of podcast: StoredPodcast) -> String? { podcast.facts.picture.map { "p\(podcast.id)-\(version($0))" } }

    static func name(of stored: StoredEpisode) -> String? {
        stored.episode.picture.map { "e\(stored.id)-\(version($0))" } ?? name(of: stored.podcast)
    }

    /// The podcast and address for a picture's name.
    static func place(of name: String, in storage: any PodcastStorage) throws(SourceFault) -> (StoredPodcast, url: String)? {
        let id = name.dropFirst().prefix { $0 != "-" }
        if name.hasPrefix("p") {
            guard let podcast = try Int(id).flatMap({ number throws(SourceFault) in try storage.podcast(number) }) else { return nil }
            return podcast.facts.picture.map { (podcast, $0) }
        }
        guard name.hasPrefix("e"), let stored = try storage.episode(String(id)) else { return nil }
        return stored.episode.picture.map { (stored.podcast, $0) }
    }

    private static func version(_ url: String) -> String { String(EpisodeKeys.id(of: url, in: "").prefix(8)) }
}
