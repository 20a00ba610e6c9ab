/// What is changed at a Sappho server from here, and how its sound is read.
import BatonCore
import BatonSeams
import ServerConnectors
import Testing

@Suite struct ChangingTests {
    private let host: SapphoHost

    init() throws { host = try SapphoHost() }

    @Test func `favourites and stars reach the server, and it shows that they did`() async throws {
        let sappho = try host.account()
        let notes: [WriteBack] = [
            .favourite("shelf:book/2", true), .stars("shelf:book/2", 3), .stars("shelf:book/2", 0), .favourite("shelf:book/2", false),
        ]
        for note in notes {
            #expect(try await sappho.hasReached(note, atMs: 0) == false)
            try await sappho.writeBack(note, atMs: 0)
            #expect(try await sappho.hasReached(note, atMs: 0) == true)
        }
        try await sappho.writeBack(.stars("shelf:book/3", 5), atMs: 0)
        #expect(try await sappho.page("shelf:series/The%20Tide").rows.last?.mark.stars == 5)
    }

    @Test func `a collection is made, changed in every way and deleted`() async throws {
        let sappho = try host.account()
        let list = try await sappho.edit(
            SourceListEdit(
                list: nil, [.create(name: "Sea"), .insert(["shelf:book/1", "shelf:book/2"], at: 0), .setPublic(true), .describe("Salt")]))
        #expect(try await sappho.titles(list.text) == ["Low Water", "Slack Water"])
        _ = try await sappho.edit(SourceListEdit(list: list, [.insert(["shelf:book/4", "shelf:book/1"], at: 1)]))
        #expect(try await sappho.titles(list.text) == ["Low Water", "Stone", "Slack Water"])
        _ = try await sappho.edit(SourceListEdit(list: list, [.move(from: 2, to: 0), .remove([1]), .rename("Coast")]))
        #expect(try await sappho.titles(list.text) == ["Slack Water", "Stone"])
        let details = try await sappho.details(of: list)
        #expect(details.row.tags.title == "Coast" && details.about == "Salt" && details.row.count == 2)
        #expect(try await sappho.page("shelf:shelf/collections").rows.map(\.tags.title) == ["Coast"])
        _ = try await sappho.edit(SourceListEdit(list: list, [.delete]))
        #expect(try await sappho.titles("shelf:shelf/collections") == [])
    }

    @Test func `a collection that was changed elsewhere, that is another's, or that cannot hold the item stays as it is`() async throws {
        let sappho = try host.account()
        let list = try await sappho.edit(SourceListEdit(list: nil, [.create(name: "Sea"), .setPublic(true)]))
        let seen = try await sappho.page(list.text).version
        _ = try await sappho.edit(SourceListEdit(list: list, base: seen, [.insert(["shelf:book/1"], at: 9)]))
        let late = await sappho.fault { _ = try await $0.edit(SourceListEdit(list: list, base: seen, [.delete])) }
        #expect(late?.code == .conflict)
        let bert = try host.account(SourceSecrets(user: "bert", password: "Under-The-Bridge-8"))
        #expect(await bert.fault { _ = try await $0.edit(SourceListEdit(list: list, [.delete])) }?.code == .forbidden)
        #expect(
            await sappho.fault { _ = try await $0.edit(SourceListEdit(list: list, [.insert(["attic:track/1"], at: 0)])) }?.code == .notFound
        )
        #expect(await sappho.fault { _ = try await $0.edit(SourceListEdit(list: list, [.remove([7])])) }?.code == .badRequest)
        #expect(try await sappho.titles(list.text) == ["Low Water"])
    }

    @Test func `any part of a book is read, also its end, from a server that refuses ranges beyond the end`() async throws {
        let sappho = try host.account(SourceSecrets(user: "anna", password: "Sesame-Street-7"))
        guard case .bytes(let book) = try await sappho.resolve("shelf:book/1", trust: .musicFolders).location else {
            return #expect(Bool(false))
        }
        #expect(book.name == "book.m4b" && book.content.length == 60_000 && book.content.hasRanges && book.content.version != nil)
        func byte(_ at: Int64) -> UInt8 { UInt8((at * 7 + 1) % 251) }
        for start: Int64 in [0, 59_990, 30_000, 59_999, 100] {
            let bytes = try await book.content.read(at: start, count: 100_000)
            #expect(!bytes.isEmpty && bytes.first == byte(start))
        }
        #expect(try await book.content.read(at: 60_000, count: 10).isEmpty)
        // The token ends while a book is read.
        try await host.set(["ahead": "604801"])
        #expect(await sappho.fault { _ = try await $0.resolve("shelf:book/1", trust: .musicFolders) } == nil)
        #expect(await sappho.fault { _ = try await $0.resolve("shelf:book/99", trust: .musicFolders) }?.code == .notFound)
    }

    @Test func `a picture is the server's own, and a book without one says so`() async throws {
        let sappho = try host.account()
        guard case .bytes(let picture) = try await sappho.picture("1") else { return #expect(Bool(false)) }
        #expect(picture.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        #expect(await sappho.fault { _ = try await $0.picture("4") }?.code == .notFound)
        #expect(await sappho.fault { _ = try await $0.picture("../4") }?.code == .notFound)
    }
}
