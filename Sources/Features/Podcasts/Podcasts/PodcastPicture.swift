/// Names for pictures of podcasts and episodes. They contain a hash of the address, so that another picture has
/// another name.
import BatonCore
import BatonSeams

enum PodcastPicture {
    static func name(of podcast: KeptPodcast) -> String? { podcast.facts.picture.map { "p\(podcast.id)-\(version($0))" } }

    static func name(of kept: KeptEpisode) -> String? {
        kept.episode.picture.map { "e\(kept.id)-\(version($0))" } ?? name(of: kept.podcast)
    }

    /// The podcast and address for a picture's name.
    static func place(of name: String, in keeper: any PodcastKeeper) throws(SourceFault) -> (KeptPodcast, url: String)? {
        let id = name.dropFirst().prefix { $0 != "-" }
        if name.hasPrefix("p") {
            guard let podcast = try Int(id).flatMap({ number throws(SourceFault) in try keeper.podcast(number) }) else { return nil }
            return podcast.facts.picture.map { (podcast, $0) }
        }
        guard name.hasPrefix("e"), let kept = try keeper.episode(String(id)) else { return nil }
        return kept.episode.picture.map { (kept.podcast, $0) }
    }

    private static func version(_ url: String) -> String { String(EpisodeKeys.id(of: url, in: "").prefix(8)) }
}
