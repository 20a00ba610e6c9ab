/// What a subscription becomes after its feed was asked for. A value: it decides, and the store keeps what it says.
package struct FeedChange: Equatable, Sendable {
    /// How the server answered.
    package enum Answer: Equatable, Sendable {
        case feed(Feed, Validators)
        /// The feed is as it was.
        case unchanged
        /// The server says that the feed is gone for good (410).
        case gone
        /// A sentence, and how long the server asked to be left alone.
        case failed(String, retryAfterMs: Int64?)
    }

    /// By which the server tells whether the feed has changed.
    package struct Validators: Equatable, Sendable {
        package var entityTag: String?
        package var changed: String?

        package init(entityTag: String? = nil, changed: String? = nil) {
            self.entityTag = entityTag
            self.changed = changed
        }
    }

    /// With its new state.
    package var podcast: KeptPodcast
    /// Episodes to keep: new ones, and those that are known as the feed describes them now.
    package var episodes: [Episode] = []

    /// `movedTo` is where the server redirected to for good. `known` are the keys of the episodes that are kept, and `dice` is from 0 to 1.
    package init(
        _ podcast: KeptPodcast, _ answer: Answer, movedTo: String? = nil, known: Set<String>, nowMs: Int64, dice: Double
    ) {
        self.podcast = podcast
        self.podcast.checkedMs = nowMs
        var waitMs = Self.usualMs
        switch answer {
        case .feed(let feed, let validators):
            let isOther = Self.isOther(feed, than: podcast, known)
            self.podcast.failures = 0
            self.podcast.sentence = isOther ? Self.otherSentence(feed) : feed.sentence
            // The other feed is read again each time, so that the right one is seen when it is back.
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
            let doubled = Self.firstRetryMs << Int64(min(self.podcast.failures - 1, 8))
            waitMs = max(min(doubled, Self.longestMs), min(retryAfterMs ?? 0, Self.longestRetryAfterMs))
        }
        self.podcast.dueMs = nowMs + waitMs + Int64(Double(waitMs) * Self.spread * dice)
    }

    private mutating func move(to url: String?) {
        guard let address = url.flatMap({ WebAddress($0)?.text }), address.utf8.count <= PodcastText.urlBytes else { return }
        podcast.url = address
    }

    // MARK: When

    private static let usualMs: Int64 = 2 * 3_600_000
    private static let shortestMs: Int64 = 30 * 60_000
    private static let longestMs: Int64 = 12 * 3_600_000
    private static let firstRetryMs: Int64 = 10 * 60_000
    private static let longestRetryAfterMs: Int64 = 7 * 86_400_000
    /// Of the time, so that a hub's podcasts, and many hubs, do not ask together.
    private static let spread = 0.2
    /// A podcast is looked at so often between two of its episodes.
    private static let looks: Int64 = 12
    private static let latest = 10

    /// By the usual time between its latest episodes; a podcast that has been silent for long is looked at seldom.
    private static func waitMs(between moments: [Int64], nowMs: Int64) -> Int64 {
        let recent = moments.sorted(by: >).prefix(latest)
        guard recent.count > 1, let newest = recent.first else { return usualMs }
        let gaps = zip(recent, recent.dropFirst()).map { $0 - $1 }.sorted()
        let usual = max(gaps[gaps.count / 2], (nowMs - newest) / 4)
        return max(shortestMs, min(usual / looks, longestMs))
    }

    // MARK: Another feed

    /// A feed under another title in which none of the known episodes stands is another podcast.
    private static func isOther(_ feed: Feed, than podcast: KeptPodcast, _ known: Set<String>) -> Bool {
        guard !known.isEmpty, !feed.episodes.isEmpty, !podcast.facts.title.isEmpty else { return false }
        return feed.facts.title != podcast.facts.title && !feed.episodes.contains { known.contains($0.key) }
    }

    private static func otherSentence(_ feed: Feed) -> String {
        let title = feed.facts.title.isEmpty ? "another podcast" : "another podcast, “\(feed.facts.title)”"
        return "Its address leads to \(title) now, so nothing new was taken. Remove this one and add it anew if that is right."
    }
}
