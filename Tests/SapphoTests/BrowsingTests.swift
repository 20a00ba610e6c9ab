/// What is found on the shelves of a Sappho server, and what is known of a book.
import BatonCore
import BatonSeams
import ServerConnectors
import Testing

@Suite struct BrowsingTests {
    private let host: SapphoHost

    init() throws { host = try SapphoHost() }

    private func report(_ book: Int, _ seconds: Int, _ more: String = "") async throws {
        try await host.ask(.post, "/api/audiobooks/\(book)/progress", "{\"position\":\(seconds)\(more)}")
    }

    @Test func `home lists follow what was heard, here and elsewhere`() async throws {
        let sappho = try host.account()
        try await report(1, 100)
        try await report(8, 30)
        try await report(4, 0, ",\"completed\":1")

        #expect(Set(try await sappho.titles("shelf:shelf/continue")) == ["Low Water", "Unmeasured", "Moss"])
        #expect(try await sappho.titles("shelf:shelf/next") == ["Slack Water"])
        #expect(try await sappho.titles("shelf:shelf/again") == ["Stone"])
        #expect(try await sappho.titles("shelf:shelf/recent").first == "Unmeasured")
        #expect(try await sappho.titles(nil).count == 12)
    }

    @Test func `books are browsed by series in order, by author, by genre and page by page`() async throws {
        let sappho = try host.account()
        #expect(try await sappho.titles("shelf:shelf/series") == ["Hills/Valleys", "The Tide"])
        #expect(try await sappho.titles("shelf:series/The%20Tide") == ["Low Water", "Slack Water", "High Water"])
        #expect(try await sappho.titles("shelf:series/Hills%2FValleys") == ["Stone", "Moss"])
        #expect(try await sappho.titles("shelf:shelf/authors") == ["Kestrel", "Weir", "Ästrid & Co"])
        #expect(try await sappho.titles("shelf:author/%C3%84strid%20%26%20Co") == ["Moss", "Stone"])
        #expect(try await sappho.titles("shelf:genre/History") == ["Moss", "Stone"])

        let first = try await sappho.page("shelf:shelf/books", limit: 3)
        #expect(first.total == 8 && first.rows.count == 3)
        let second = try await sappho.browse(
            BrowseQuery(node: "shelf:shelf/books", window: PageWindow(limit: 100, cursor: first.cursor)))
        #expect(second.rows.count == 5 && second.cursor == nil)
        #expect((first.rows + second.rows).filter(\.isAway).map(\.tags.title) == ["Lost"])
    }

    @Test func `a row of a book says who reads it and where it stands, and a favourite and stars are marked`() async throws {
        let sappho = try host.account()
        try await host.ask(.post, "/api/audiobooks/3/favorite")
        try await host.ask(.post, "/api/ratings/audiobook/3", "{\"rating\":4}")

        let row = try #require(try await sappho.page("shelf:series/The%20Tide").rows.last)
        #expect(row.uri == "shelf:book/3" && row.tags.kind == .book && row.tags.artists == ["Weir"])
        #expect(row.tags.durationMs == 3_600_000 && row.tags.year == 2001 && row.tags.art?.id == "shelf:3")
        #expect(row.book == BookTags(series: "The Tide", number: "2.5", narrators: ["Ida Holm"]))
        #expect(row.mark == ItemMark(isFavourite: true, stars: 4))
        #expect(try await sappho.titles("shelf:shelf/favourites") == ["High Water"])
    }

    @Test func `a server whose database cannot list series has them all the same`() async throws {
        try await host.set(["series": "0"])
        let rows = try await (try host.account()).page("shelf:shelf/series").rows
        #expect(rows.map(\.tags.title) == ["Hills/Valleys", "The Tide"] && rows.map(\.count) == [2, 3])
    }

    @Test func `numbers as text and flags as true and false are read as well`() async throws {
        try await host.set(["mixed": "1"])
        let sappho = try host.account()
        let row = try #require(try await sappho.page("shelf:series/The%20Tide").rows.last)
        #expect(row.book?.number == "2.5")
        #expect(try await sappho.details(of: "shelf:book/6").about?.contains("Only part one plays") == true)
    }

    @Test(arguments: [
        ("water weir", ["High Water", "Low Water", "Slack Water"]), ("author:weir", ["High Water", "Low Water", "Slack Water"]),
        ("series:\"the tide\" low", ["Low Water"]), ("genre:fiction author:kestrel", ["Two Halves"]), ("author:nobody", []),
        ("tide", ["The Tide", "High Water", "Low Water", "Slack Water"]), ("kestrel", ["Kestrel", "Lost", "Two Halves", "Unmeasured"]),
        ("", []),
    ])
    func `a search finds books and what holds them, and names of an author, a series or a genre narrow it`(
        text: String, titles: [String]
    ) async throws {
        let page = try await (try host.account()).search(SearchQuery(text))
        #expect(page.rows.map(\.tags.title) == titles)
    }

    @Test func `a search for one kind brings that kind alone`() async throws {
        let sappho = try host.account()
        #expect(try await sappho.search(SearchQuery("tide", kinds: [.series])).rows.map(\.tags.kind) == [.series])
        #expect(try await sappho.search(SearchQuery("tide", kinds: [.book])).rows.allSatisfy { $0.tags.kind == .book })
        #expect(try await sappho.search(SearchQuery("tide", kinds: [.track])).rows.isEmpty)
    }

    @Test func `a book has its chapters, what it is about and others that are like it`() async throws {
        let sappho = try host.account()
        let details = try await sappho.details(of: "shelf:book/1")
        #expect(details.chapters.map(\.title) == ["One", "Two", "Chapter 3"])
        #expect(details.chapters.map(\.startMs) == [0, 600_500, 1_800_000] && details.chapters.last?.endMs == 3_600_000)
        #expect(details.about == "Of the harbour." && details.genres == ["Fiction"] && details.addedAtMs != nil)
        let similar = try await sappho.titles(try #require(details.similar).text)
        #expect(similar == ["Slack Water", "High Water", "Two Halves"])
    }

    @Test func `of a book of several files it is said that part one plays alone`() async throws {
        let sappho = try host.account()
        let details = try await sappho.details(of: "shelf:book/6")
        #expect(details.about?.hasPrefix("Only part one plays: ") == true && details.row.tags.durationMs == nil)
    }

    @Test func `a series is queued in its order, and a shelf as its books`() async throws {
        let sappho = try host.account()
        #expect(
            try await sappho.expand("shelf:series/The%20Tide", trust: .musicFolders).map(\.tags.title) == [
                "Low Water", "Slack Water", "High Water",
            ])
        #expect(try await sappho.expand("shelf:book/4", trust: .musicFolders).map(\.uri) == ["shelf:book/4"])
        try await report(8, 30)
        #expect(try await sappho.expand("shelf:shelf/continue", trust: .musicFolders).map(\.uri) == ["shelf:book/8"])
        #expect(await sappho.fault { _ = try await $0.expand("shelf:account/profile", trust: .musicFolders) }?.code == .notFound)
        #expect(await sappho.fault { _ = try await $0.expand("shelf:book/99", trust: .musicFolders) }?.code == .notFound)
    }

    @Test func `recaps, the profile and statistics are read, and administration is a link`() async throws {
        let sappho = try host.account()
        try await report(4, 1_000)
        let rows = try await sappho.page("shelf:shelf/recaps").rows
        #expect(rows.map(\.uri) == ["shelf:recap/4", "shelf:story/Hills%2FValleys"])
        #expect(try await sappho.details(of: "shelf:recap/4").about == "What happened in Stone.")
        #expect(try await sappho.details(of: "shelf:story/Hills%2FValleys").about == "What happened in Hills/Valleys.")
        #expect(try await sappho.titles("shelf:shelf/account") == ["Profile", "Statistics", "Administration"])
        #expect(try await sappho.details(of: "shelf:account/profile").about == "Anna\nUser anna\nanna@example.org")
        let statistics = try #require(try await sappho.details(of: "shelf:account/statistics").about)
        #expect(statistics.contains("Listened for 16 min.") && statistics.contains("Most heard authors: Ästrid & Co."))
        #expect(try await sappho.details(of: "shelf:account/administration").about?.hasSuffix(host.url) == true)
        try await host.set(["recaps": "0"])
        #expect(try await sappho.page("shelf:shelf/recaps").rows.isEmpty)
    }

    @Test func `a pass for the mirror notes each book where it is browsed`() async throws {
        let sappho = try host.account()
        let lists = try await sappho.mirror(after: nil)
        #expect(lists.rows.filter { $0.container == nil }.count == 12)
        #expect(lists.rows.first { $0.row.uri == "shelf:shelf/again" }?.row.count == 0)
        let books = try await sappho.mirror(after: lists.cursor)
        #expect(books.cursor == nil && books.total == 8)
        let series = books.rows.filter { $0.container == "shelf:series/The%20Tide" }.sorted { $0.position < $1.position }
        #expect(series.map(\.row.tags.title) == ["Low Water", "Slack Water", "High Water"])
    }

    @Test(arguments: [
        "shelf:book/0", "shelf:book/01", "shelf:book/x", "shelf:book/", "shelf:shelf/none", "shelf:track/1", "shelf:book/1/2",
        "shelf:series/%zz",
        "other:book/1",
    ])
    func `a name that is none is refused with a sentence`(uri: String) async throws {
        let found = try #require(await (try host.account()).fault { _ = try await $0.details(of: ItemURI(uri)) })
        #expect(found.code == .notFound && found.sentence.contains(uri))
    }
}
