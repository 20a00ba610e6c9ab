/// Podcasts and their episodes as they are kept, across restarts of the program.
import BatonCore
import BatonSeams
import Foundation
import Harness
import Testing

@testable import Stores

struct PodcastTests {
    private func withStore(_ body: (SourceStore, () throws -> SourceStore) throws -> Void) throws {
        try withFolder { folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let store = try SourceStore(folder: folder)
            try body(store) {
                store.close()
                return try SourceStore(folder: folder)
            }
        }
    }

    private func podcast(_ name: String, in store: SourceStore) throws -> StoredPodcast {
        let url = "https://a.example/\(name)"
        let id = try store.add(StoredPodcast(id: 0, url: url, home: url, facts: PodcastFacts(title: name)))
        return try #require(try store.podcast(id))
    }

    private func episode(_ number: Int, title: String? = nil) -> Episode {
        var episode = Episode(key: "g\(number)", title: title ?? "Episode \(number)", url: "https://a.example/\(number).mp3")
        episode.publishedMs = Milliseconds(number) * 86_400_000
        return episode
    }

    private func read(_ episodes: [Episode], of podcast: StoredPodcast, into store: SourceStore, movedTo: String? = nil) throws {
        let feed = Feed(podcast.facts, episodes)
        let known = try store.episodeKeys(of: podcast.id)
        try store.store(FeedChange(podcast, .feed(feed, .init(entityTag: "e1")), movedTo: movedTo, known: known, nowMs: 9, random: 0.5))
    }

    @Test func `podcasts and episodes are there again, and an episode that left its feed stays`() throws {
        try withStore { store, reopened in
            let talk = try podcast("Talk", in: store)
            try read([episode(1), episode(2)], of: talk, into: store)
            try read([episode(2, title: "Second"), episode(3)], of: talk, into: store)

            let store = try reopened()
            let page = try store.episodes(EpisodeQuery(podcast: talk.id, limit: 10))
            #expect(page.total == 3 && page.episodes.map(\.episode.title) == ["Episode 3", "Second", "Episode 1"])
            let kept = try #require(try store.podcast(at: talk.home))
            #expect(kept.entityTag == "e1" && kept.episodes == 3 && kept.checkedMs == 9)
            #expect(try store.episodes(EpisodeQuery("second", limit: 10)).episodes.map(\.podcast.id) == [talk.id])
            store.close()
        }
    }

    @Test func `an episode keeps its id when its feed moves, and no podcast takes the address of another`() throws {
        try withStore { store, _ in
            let (talk, other) = (try podcast("Talk", in: store), try podcast("Other", in: store))
            try read([episode(1)], of: talk, into: store)
            let before = try store.episodes(EpisodeQuery(podcast: talk.id, limit: 1)).episodes.map(\.id)

            try read([episode(1)], of: talk, into: store, movedTo: "https://b.example/talk")
            let moved = try #require(try store.podcast(talk.id))
            #expect(moved.url == "https://b.example/talk" && moved.home == talk.home)
            #expect(try store.episodes(EpisodeQuery(podcast: talk.id, limit: 1)).episodes.map(\.id) == before)

            try read([episode(1)], of: moved, into: store, movedTo: other.url)
            #expect(try store.podcast(talk.id)?.url == "https://b.example/talk")
            store.close()
        }
    }

    @Test func `what is removed is gone with its episodes, and its answer that comes late changes nothing`() throws {
        try withStore { store, _ in
            let talk = try podcast("Talk", in: store)
            try read([episode(1)], of: talk, into: store)
            #expect(try store.remove(podcast: talk.id) && !store.remove(podcast: talk.id))

            try read([episode(2)], of: talk, into: store)
            #expect(try store.podcasts().isEmpty && store.episodes(EpisodeQuery(limit: 10)).total == 0)
            #expect(try podcast("Talk", in: store).id != talk.id, "A number was used twice.")
            store.close()
        }
    }
}
