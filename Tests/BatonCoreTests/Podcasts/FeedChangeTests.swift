/// What a subscription becomes when its feed was asked for.
import Testing

@testable import BatonCore

@Suite struct FeedChangeTests {
    private static let hour: Milliseconds = 3_600_000
    private static let now: Milliseconds = 1_700_000_000_000

    private static var podcast: StoredPodcast {
        var podcast = StoredPodcast(id: 1, url: "https://a/f", home: "https://a/f", facts: PodcastFacts(title: "Talk"))
        podcast.entityTag = "\"1\""
        return podcast
    }

    private static func feed(_ title: String, _ keys: [String], everyHours: Int = 24) -> Feed {
        let episodes = keys.enumerated().map { at, key in
            var episode = Episode(key: key, title: key, url: "https://a/\(key)")
            episode.publishedMs = now - hour * (at * everyHours)
            return episode
        }
        return Feed(PodcastFacts(title: title), episodes)
    }

    private static func change(_ answer: FeedChange.Answer, of podcast: StoredPodcast = podcast, movedTo: String? = nil) -> FeedChange {
        FeedChange(podcast, answer, movedTo: movedTo, known: ["a", "b"], nowMs: now, random: 0)
    }

    @Test func `a feed brings its episodes, and is asked for again by what its server said of it`() {
        let change = Self.change(.feed(Self.feed("Talk", ["c", "a"]), .init(entityTag: "\"2\"")))
        #expect(change.episodes.map(\.key) == ["c", "a"])
        #expect(change.podcast.entityTag == "\"2\"")
        #expect(change.podcast.sentence == nil)
    }

    @Test func `a daily podcast is looked at every two hours, one of every ten minutes each half an hour`() {
        for (every, wait) in [(24, Self.hour * 2), (0, Self.hour / 2), (24 * 60, Self.hour * 12)] as [(Int, Milliseconds)] {
            let change = Self.change(.feed(Self.feed("Talk", ["a", "b", "c"], everyHours: every), .init()))
            #expect(change.podcast.dueMs == Self.now + wait)
        }
    }

    /// BT-POD-004
    @Test func `another podcast at the address changes nothing but the sentence`() {
        let change = Self.change(.feed(Self.feed("Other", ["x"]), .init(entityTag: "\"2\"")), movedTo: "https://b/f")
        #expect(change.episodes.isEmpty)
        #expect(change.podcast.facts.title == "Talk")
        #expect(change.podcast.url == "https://a/f")
        #expect(change.podcast.entityTag == nil)
        #expect(change.podcast.sentence?.contains("“Other”") == true)
    }

    @Test func `a new title with a known episode is the same podcast`() {
        #expect(Self.change(.feed(Self.feed("Talk 2", ["x", "a"]), .init())).podcast.facts.title == "Talk 2")
    }

    @Test func `failures are asked about less and less often, and never before the server wants it`() {
        var podcast = Self.podcast
        var waits: [Milliseconds] = []
        for _ in 0..<9 {
            podcast = Self.change(.failed("No.", retryAfterMs: nil), of: podcast).podcast
            waits.append((podcast.dueMs ?? 0) - Self.now)
        }
        #expect(waits.first == Self.hour / 6)
        #expect(waits == waits.sorted())
        #expect(waits.last == Self.hour * 12)
        let asked = Self.change(.failed("No.", retryAfterMs: Self.hour * 24)).podcast
        #expect(asked.dueMs == Self.now + Self.hour * 24)
    }

    @Test func `a feed that is gone is not due again, and one that moved for good is kept under its new address`() {
        #expect(Self.change(.gone).podcast.dueMs == nil)
        let moved = Self.change(.unchanged, movedTo: "https://b/f").podcast
        #expect((moved.url, moved.home) == ("https://b/f", "https://a/f"))
    }

    /// BT-POD-002
    @Test func `two episodes with one GUID stay apart, and one that is named twice is one`() {
        let (first, second) = (Episode(key: "g", title: "1", url: "https://a/1"), Episode(key: "g", title: "2", url: "https://a/2"))
        let (episodes, shared) = EpisodeKeys.apart([first, second, first, second])
        #expect(episodes.map(\.title) == ["1", "2"])
        #expect(Set(episodes.map { EpisodeKeys.id(of: $0.key, in: "https://a/f") }).count == 2)
        #expect(shared == 1 || shared == 2)
    }

    @Test func `moments and lengths are read as feeds write them`() {
        let moments = [
            "Tue, 14 Nov 2023 22:13:20 GMT", "14 Nov 2023 17:13:20 EST", "2023-11-14T22:13:20Z", "2023-11-14T23:13:20.5+01:00",
            "Tue, 14 November 2023 23:13:20 +0100",
        ]
        for text in moments { #expect(FeedTime.moment(text) == Self.now, "\(text)") }
        for text in ["", "yesterday", "2023-13-01T00:00:00Z", "1 Jan 1900 00:00 GMT"] { #expect(FeedTime.moment(text) == nil, "\(text)") }
        #expect(["1:02:03", "62:03", "3723", "3723.4"].map(FeedTime.length) == [3_723_000, 3_723_000, 3_723_000, 3_723_000])
        #expect(["", "0", "1:2:3:4", "long", "9999999"].allSatisfy { FeedTime.length($0) == nil })
        #expect(LocalTime.utc.day(ofMs: Self.now) == "2023-11-14")
        #expect(LocalTime.utc.day(ofMs: 951_782_400_000) == "2000-02-29")
        #expect(LocalTime.utc.day(ofMs: -1) == "1969-12-31")
    }

    @Test func `descriptions become plain text`() {
        let markup = "<p>One &amp; two&nbsp;&#8211; &bogus; <b>bold</b></p>\n<ul><li>first</li><li>second</li></ul><script"
        #expect(PlainText.of(markup: markup, bytes: 200) == "One & two – &bogus; bold\n• first\n• second")
        #expect(PlainText.of(markup: "äöü", bytes: 5) == "äö")
    }
}
