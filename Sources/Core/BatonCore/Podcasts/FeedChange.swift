/// The change of a subscription after its feed was requested. A value: it decides, and the store writes its result.
package struct FeedChange: Equatable, Sendable {
    /// The answer of the server.
    package enum Answer: Equatable, Sendable {
        /// The feed was read, and these values came with it.
        case feed(Feed, Validators)
        /// The feed has not changed.
        case unchanged
        /// The server says that the feed is gone permanently (410).
        case gone
        /// A sentence, and the delay that the server asked for.
        case failed(String, retryAfterMs: Milliseconds?)
    }

    /// The values with which a server tells whether the feed has changed.
    package struct Validators: Equatable, Sendable {
        /// The value of `ETag`, which is sent back as it is.
        package var entityTag: String?
        /// The value of `Last-Modified`, which is sent back as it is.
        package var changed: String?

        package init(entityTag: String? = nil, changed: String? = nil) {
            self.entityTag = entityTag
            self.changed = changed
        }
    }

    /// The podcast in its new state.
    package var podcast: StoredPodcast
    /// Episodes to store: new ones, and known ones as the feed describes them now.
    package var episodes: [Episode] = []

    /// `movedTo` is the target of a permanent redirect, `known` are the keys of the stored episodes, and `random` is a random number from 0 to 1.
    package init(
        _ podcast: StoredPodcast, _ answer: Answer, movedTo: String? = nil, known: Set<String>, nowMs: Milliseconds, random: Double
    ) {
        self.podcast = podcast
        self.podcast.checkedMs = nowMs
        var waitMs = Self.usualMs
        switch answer {
        case .feed(let feed, let validators):
            let isOther = Self.isOther(feed, than: podcast, known)
            self.podcast.failures = 0
            self.podcast.sentence = isOther ? Self.otherSentence(feed) : feed.sentence
            // A foreign feed is read in full each time, so that the right one is noticed when it is back.
            self.podcast.entityTag = isOther ? nil : validators.entityTag
            self.podcast.changed = isOther ? nil : validators.changed
            if !isOther {
                self.podcast.facts = feed.facts
                episodes = feed.episodes
                move(to: feed.movedTo ?? movedTo)
                waitMs = Self.waitMs(between: feed.episodes.compactMap(\.publishedMs), nowMs: nowMs)
            }
        case .unchanged:
            self.podcast.failures = 0
            if let movedTo { move(to: movedTo) }
        case .gone:
            self.podcast.sentence = "Its server says that this podcast is gone for good (410). Its episodes stay until you remove it."
            self.podcast.dueMs = nil
            return
        case .failed(let sentence, let retryAfterMs):
            self.podcast.failures += 1
            self.podcast.sentence = sentence
            let doubled = Self.firstRetryMs * (1 << min(self.podcast.failures - 1, 8))
            waitMs = max(min(doubled, Self.longestMs), min(retryAfterMs ?? 0, Self.longestRetryAfterMs))
        }
        let spreadMs = Milliseconds(Double(waitMs) * Self.spread * random)
        self.podcast.dueMs = nowMs + waitMs + spreadMs
    }

    private mutating func move(to url: String?) {
        guard let address = url.flatMap({ WebAddress($0)?.text }), address.utf8.count <= PodcastText.urlBytes else { return }
        podcast.url = address
    }

    // MARK: Time of the next request

    private static let usualMs: Milliseconds = 2 * 3_600_000
    private static let shortestMs: Milliseconds = 30 * 60_000
    private static let longestMs: Milliseconds = 12 * 3_600_000
    private static let firstRetryMs: Milliseconds = 10 * 60_000
    private static let longestRetryAfterMs: Milliseconds = 7 * 86_400_000
    /// Random part of the waiting time, so that the podcasts of a hub, and many hubs, do not request together.
    private static let spread = 0.2
    /// Number of requests in the usual time between two episodes.
    private static let looks: Int = 12
    private static let latest = 10

    /// The wait, from the usual time between the latest episodes; a podcast that has been silent for long is requested rarely.
    private static func waitMs(between moments: [Milliseconds], nowMs: Milliseconds) -> Milliseconds {
        let recent = moments.sorted(by: >).prefix(latest)
        guard recent.count > 1, let newest = recent.first else { return usualMs }
        let gaps = zip(recent, recent.dropFirst()).map { $0 - $1 }.sorted()
        let usual = max(gaps[gaps.count / 2], (nowMs - newest) / 4)
        return max(shortestMs, min(usual / looks, longestMs))
    }

    // MARK: Another feed

    /// True for a feed with another title and none of the known episodes: it is another podcast.
    private static func isOther(_ feed: Feed, than podcast: StoredPodcast, _ known: Set<String>) -> Bool {
        guard !known.isEmpty, !feed.episodes.isEmpty, !podcast.facts.title.isEmpty else { return false }
        return feed.facts.title != podcast.facts.title && !feed.episodes.contains { known.contains($0.key) }
    }

    private static func otherSentence(_ feed: Feed) -> String {
        let title = feed.facts.title.isEmpty ? "another podcast" : "another podcast, “\(feed.facts.title)”"
        return "Its address leads to \(title) now, so nothing new was taken. Remove this one and add it anew if that is right."
    }
}
