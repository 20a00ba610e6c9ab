/// Feeds as `baton-reader` reads them.
import BatonReading
import MediaFormat
import Testing

@Suite struct FeedParserTests {
    private static func read(_ text: String) throws(ReaderFailure) -> FeedFacts { try FeedParser.facts(of: Array(text.utf8)) }

    private static func texts(_ texts: FeedFacts.Texts) -> [FeedFacts.Field: String] {
        texts.mapValues { String(decoding: $0, as: UTF8.self) }
    }

    private static let rss = """
        <rss xmlns:i="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:c="http://purl.org/rss/1.0/modules/content/"><channel>
        <image><title>Not this</title><url>https://a/p.png</url></image><title> Talk </title><i:author>Anna</i:author>
        <item><title>One</title><guid>g1</guid><description>short</description><c:encoded><![CDATA[<p>long</p>]]></c:encoded>
        <enclosure url="https://a/1.mp3" type="audio/mpeg" length="9"/></item>
        <item><title>No sound</title></item></channel></rss>
        """

    @Test func `texts of RSS come by the meaning of their namespaces, the best source of each`() throws {
        let facts = try Self.read(Self.rss)
        #expect(Self.texts(facts.podcast) == [.title: "Talk", .author: "Anna", .picture: "https://a/p.png"])
        let one: [FeedFacts.Field: String] = [
            .title: "One", .guid: "g1", .about: "<p>long</p>", .url: "https://a/1.mp3", .type: "audio/mpeg", .bytes: "9",
        ]
        #expect(facts.episodes.map(Self.texts) == [one])
    }

    @Test func `Atom names its sound in links`() throws {
        let facts = try Self.read(
            """
            <feed xmlns="http://www.w3.org/2005/Atom"><title>Talk</title><author><name>Anna</name></author>
            <entry><id>a:1</id><title>One</title><published>2024-01-02T03:04:05Z</published><link rel="alternate" href="https://a/"/>
            <link rel="enclosure" href="https://a/1.mp3" type="audio/mpeg"/></entry></feed>
            """)
        #expect(Self.texts(facts.podcast) == [.title: "Talk", .author: "Anna"])
        let one: [FeedFacts.Field: String] = [
            .title: "One", .guid: "a:1", .published: "2024-01-02T03:04:05Z", .url: "https://a/1.mp3", .type: "audio/mpeg",
        ]
        #expect(facts.episodes.map(Self.texts) == [one])
    }

    @Test func `what is no feed has a word for it`() {
        let deep = "<rss>" + String(repeating: "<a>", count: 100)
        let bomb = "<!DOCTYPE rss [<!ENTITY a \"ha\">]><rss>&a;</rss>"
        let wanted: [(String, ReaderFailure.Code)] = [
            ("", .empty), ("<!doctype html><p>", .isPage), ("<html/>", .isPage), ("<playlist/>", .notFeed), ("text", .brokenFeed),
            ("<rss><channel>", .brokenFeed), (deep, .tooDeep), (bomb, .declaresEntities),
        ]
        for (text, code) in wanted {
            #expect(throws: ReaderFailure(code)) { try Self.read(text) }
        }
    }

    @Test func `the encoding of old Windows programs is read`() throws {
        let text = "<?xml version='1.0' encoding='windows-1252'?><rss><channel><title>"
        let facts = try FeedParser.facts(of: Array(text.utf8) + [0x93, 0xE4, 0x94] + Array("</title></channel></rss>".utf8))
        #expect(Self.texts(facts.podcast) == [.title: "“ä”"])
    }

    @Test func `a feed with more episodes than are read is read up to there, and says so`() throws {
        let item = "<item><enclosure url='https://a/1'/></item>"
        let facts = try Self.read("<rss><channel>" + String(repeating: item, count: FeedFacts.mostEpisodes + 1) + "</channel></rss>")
        #expect(facts.episodes.count == FeedFacts.mostEpisodes)
        #expect(facts.isCut)
    }

    @Test func `facts are understood again when they are said again`() throws {
        let answer = ReaderAnswer.feed(try Self.read(Self.rss))
        #expect(try ReaderAnswer(Array(answer.frame.dropFirst(FrameHead.length))) == answer)
    }
}
