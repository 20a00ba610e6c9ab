/// One search over this machine and over servers that answer later.
import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import EventLoop
import Harness
import Testing

@testable import BatonHub
@testable import BatonKernel
@testable import BatonLibrary

@Suite struct `One search asks all sources` {
    private static func rows(_ source: String, _ numbers: some Sequence<Int>, quality: SoundQuality? = nil) -> [ItemRow] {
        numbers.map { number in
            var row = MemorySource(source).row(number)
            row.quality = quality
            return row
        }
    }

    private func uris(_ rows: [ItemRow]) -> [String] { rows.map(\.uri.text) }

    @Loop
    private func hub(
        _ servers: [ServerSource], local: Int = 5, userMarks: MemoryUserMarks = MemoryUserMarks(), splits: MemorySplits? = nil
    ) throws -> SimulatedHub {
        try SimulatedHub(
            library: LibraryParts(
                userMarks: userMarks, splits: splits, connectors: [MemorySource(count: local)] + servers))
    }

    @Loop
    private func list(_ remote: TestRemote, _ id: Int) async throws -> ItemList {
        let reply = await remote.awaitReply(id)
        return try ItemList(from: try #require(reply?.data, "\(String(describing: reply))"))
    }

    @Loop
    private func found(_ remote: TestRemote, _ search: Commands.Search) async throws -> ItemList {
        try await list(remote, remote.send(search))
    }

    /// The first page, and what its cursor brings.
    @Loop
    private func both(_ remote: TestRemote, unfolded: Bool = false) async throws -> (first: ItemList, later: ItemList) {
        var search = Commands.Search("Song", isUnfolded: unfolded)
        let first = try await found(remote, search)
        search.page.cursor = first.cursor
        return (first, try await found(remote, search))
    }

    /// BT-FND-001 BT-FND-002 BT-FND-005
    @Test func `what is here is shown at once, and the cursor waits for the servers`() async throws {
        try await onLoop {
            let server = ServerSource("home", Self.rows("home", 3..<8), isHeld: true)
            let remote = try hub([server]).remote()

            let first = try await found(remote, Commands.Search("Song"))
            #expect(uris(first.rows) == (0..<5).map { "lib:track/\($0)" })
            #expect(first.asked == ["home"] && first.missed.isEmpty && first.joined.isEmpty && first.total == nil)

            let waiting = remote.send(Commands.Search("Song", page: .init(limit: 80, cursor: first.cursor)))
            #expect(remote.reply(waiting) == nil)
            server.answer()
            let later = try await list(remote, waiting)
            #expect(uris(later.rows) == (5..<8).map { "home:track/\($0)" })
            #expect(
                later.joined.map(\.places) == (3..<5).map { [ItemURI("lib:track/\($0)"), ItemURI("home:track/\($0)")] })
            #expect(later.joined.map(\.uri.text) == ["lib:track/3", "lib:track/4"])
            #expect(later.cursor == nil && later.asked.isEmpty && later.missed.isEmpty)
            #expect(server.searches == 1)
        }
    }

    @Test func `servers are asked when this machine has answered, and do not wait long for it`() async throws {
        try await onLoop {
            let disk = ServerSource("disk", Self.rows("disk", 5..<6), isHeld: true, isRemote: false)
            let server = ServerSource("home", Self.rows("home", 6..<7))
            let sim = try hub([disk, server])
            let remote = try sim.remote()

            let waiting = remote.send(Commands.Search("Song"))
            await untilQuiet()
            #expect(disk.searches == 1)
            sim.time.pass(.milliseconds(2))
            #expect(server.searches == 0)
            sim.time.pass(.milliseconds(2))
            try await until(sim) { server.searches == 1 }
            #expect(remote.reply(waiting) == nil)

            disk.answer()
            let first = try await list(remote, waiting)
            #expect(first.rows.count == 6 && first.asked == ["home"])
            #expect(server.searches == 1)
        }
    }

    /// BT-FND-002
    @Test func `a server that gives no answer in its time is named, and the others are shown`() async throws {
        try await onLoop {
            let (home, away) = (ServerSource("home", Self.rows("home", 7..<8)), ServerSource("away", [], isHeld: true))
            let sim = try hub([home, away])
            let remote = try sim.remote()
            let first = try await found(remote, Commands.Search("Song"))
            #expect(first.asked == ["home", "away"])

            let waiting = remote.send(Commands.Search("Song", page: .init(limit: 80, cursor: first.cursor)))
            let sentUs = sim.time.nowUs
            try await until(sim) { remote.reply(waiting) != nil }
            #expect((700_000...900_000).contains(sim.time.nowUs - sentUs))
            let later = try await list(remote, waiting)

            #expect(uris(later.rows) == ["home:track/7"])
            #expect(later.missed == ["away"])
            #expect(away.cancelled == 1)
        }
    }

    /// BT-FND-003
    @Test func `rows of servers are ranked among each other, and no row changes its place`() async throws {
        try await onLoop {
            func row(_ uri: String, _ title: String, _ artist: String) -> ItemRow {
                ItemRow(uri: ItemURI(uri), tags: Tags(title: title, artists: [artist], durationMs: 1000))
            }
            let home = ServerSource("home", [row("home:1", "Other", "Song"), row("home:2", "Song z", "A"), row("home:3", "Song b", "A")])
            let away = ServerSource("away", [row("away:1", "Song c", "B"), row("away:2", "Song a", "B")])
            let (first, later) = try await both(try hub([home, away]).remote())

            #expect(first.rows.count == 5)
            #expect(uris(later.rows) == ["away:2", "home:3", "away:1", "home:2", "home:1"])
        }
    }

    /// BT-FND-004
    @Test func `places are ordered: this machine, then without loss, then by bitrate`() async throws {
        try await onLoop {
            let servers = [
                ServerSource("a", Self.rows("a", [1], quality: SoundQuality(isLossless: false, bitrate: 128))),
                ServerSource("b", Self.rows("b", [1, 9], quality: SoundQuality(suffix: "mp3", bitrate: 320))),
                ServerSource("c", Self.rows("c", [1, 9], quality: SoundQuality(suffix: "flac", bitrate: 900))),
                ServerSource("d", Self.rows("d", [9])),
            ]
            let (_, later) = try await both(try hub(servers).remote())

            #expect(later.joined.map { $0.places.map(\.text) } == [["lib:track/1", "c:track/1", "b:track/1", "a:track/1"]])
            #expect(later.rows.map { $0.variants.map(\.text) } == [["c:track/9", "b:track/9", "d:track/9"]])
        }
    }

    /// BT-FND-006
    @Test func `unfolded each place is a row of its own`() async throws {
        try await onLoop {
            let server = ServerSource("home", Self.rows("home", 3..<8))
            let (_, later) = try await both(try hub([server]).remote(), unfolded: true)

            #expect(uris(later.rows) == (3..<8).map { "home:track/\($0)" })
            #expect(later.joined.isEmpty && later.rows.allSatisfy(\.variants.isEmpty))
        }
    }

    /// BT-LIB-005
    @Test func `all pages together are all rows, each once, as rows or as places`() async throws {
        try await onLoop {
            let servers = [ServerSource("home", Self.rows("home", 20..<160)), ServerSource("away", Self.rows("away", 100..<180))]
            let sim = try hub(servers, local: 60)
            let remote = try sim.remote()
            var (shown, places): ([String], [String: [String]]) = ([], [:])
            var search = Commands.Search("Song", page: .init(limit: 30))
            repeat {
                let page = try await found(remote, search)
                shown += uris(page.rows)
                for row in page.rows where !row.variants.isEmpty { places[row.uri.text] = row.variants.map(\.text) }
                for row in page.joined { places[row.uri.text] = row.places.map(\.text) }
                search.page.cursor = page.cursor
                #expect(page.rows.count <= 30)
            } while search.page.cursor != nil

            #expect(shown.count == Set(shown).count && shown.prefix(30) == (0..<30).map { "lib:track/\($0)" }[...])
            let all = Set(shown).union(places.values.joined())
            let there = Set(
                (0..<60).map { "lib:track/\($0)" } + (20..<160).map { "home:track/\($0)" } + (100..<180).map { "away:track/\($0)" })
            #expect(all == there)
            // What is known of the pages before is enough to show no track twice.
            #expect(shown.count == 180)
        }
    }

    @Test func `a page that is asked for twice is the same page`() async throws {
        try await onLoop {
            let remote = try hub([ServerSource("home", Self.rows("home", 3..<8))]).remote()
            let first = try await found(remote, Commands.Search("Song"))
            let search = Commands.Search("Song", page: .init(limit: 80, cursor: first.cursor))

            #expect(try await found(remote, search) == found(remote, search))
        }
    }

    @Test func `a cursor brings the next rows also where its search was forgotten`() async throws {
        try await onLoop {
            let server = ServerSource("home", Self.rows("home", 3..<8))
            let sim = try hub([server])
            let first = try await found(try sim.remote(), Commands.Search("Song"))

            let other = try await found(
                try sim.remote(), Commands.Search("Song", page: .init(limit: 80, cursor: first.cursor)))

            #expect(uris(other.rows) == (3..<8).map { "home:track/\($0)" })
            #expect(other.joined.isEmpty && server.searches == 2)
        }
    }

    @Test func `a connection that ends takes its searches with it`() async throws {
        try await onLoop {
            let server = ServerSource("home", [], isHeld: true)
            let sim = try hub([server])
            let remote = try sim.remote()
            _ = try await found(remote, Commands.Search("Song"))
            try await until(sim) { server.searches == 1 }

            remote.drop()

            try await until(sim) { server.cancelled == 1 && sim.hub.sources.searches.count == 0 }
        }
    }

    @Test func `searches that are typed letter by letter are bounded, for one connection and in all`() async throws {
        try await onLoop {
            let sim = try hub([ServerSource("home", Self.rows("home", 0..<3))])
            let remote = try sim.remote()
            for _ in 0..<20 {
                _ = try await found(remote, Commands.Search("Song"))
                sim.time.pass(.seconds(1))
            }
            #expect(sim.hub.sources.searches.count == OpenSearches.mostOfOne)

            let all = OpenSearches(sim.time)
            for caller in 0..<200 { _ = all.open(Commands.Search("Song"), by: caller, FoldSplits()) }
            #expect(all.count == OpenSearches.most)
            all.leave(199)
            #expect(all.count == OpenSearches.most - 1)
        }
    }

    @Test func `a hub without servers asks no one twice and remembers nothing`() async throws {
        try await onLoop {
            let sim = try hub([], local: 5)
            let page = try await found(try sim.remote(), Commands.Search("Song"))
            #expect(page.rows.count == 5 && page.cursor == nil && page.total == 5 && page.asked.isEmpty)
            #expect(sim.hub.sources.searches.count == 0 && sim.hub.sources.knownVariants.count == 0)
        }
    }

    // MARK: Places

    /// BT-FND-007 BT-CMD-lib.split
    @Test func `items that were split stay apart, also after a restart, until they are put together again`() async throws {
        try await onLoop {
            let sim = try hub([ServerSource("home", Self.rows("home", [1]))], splits: MemorySplits())
            var remote = try sim.remote()
            #expect(try await both(remote).later.joined.count == 1)
            let (uri, other) = (ItemURI("lib:track/1"), ItemURI("home:track/1"))

            #expect(await remote.awaitReply(remote.send(Commands.Split(other, from: uri)))?.reply.outcome == .applied())
            #expect(await remote.awaitReply(remote.send(Commands.Split(uri, from: other)))?.reply.outcome == .noop(why: .same))
            #expect(try await both(remote).later.rows.map(\.uri) == [other])

            try sim.restart()
            remote = try sim.remote()
            try await until(sim) { sim.hub.sources.splits.count == 1 }
            #expect(try await both(remote).later.rows.map(\.uri) == [other])

            #expect(await remote.awaitReply(remote.send(Commands.Split(uri, from: other, isOn: false)))?.reply.outcome == .applied())
            #expect(try await both(remote).later.joined.count == 1)
        }
    }

    /// BT-FND-008
    @Test func `a mark reaches all places of a track, shown before or not, and is told to each source`() async throws {
        try await onLoop {
            let server = ServerSource("home", Self.rows("home", 1..<3))
            let userMarks = MemoryUserMarks()
            let sim = try hub([server], userMarks: userMarks)
            let remote = try sim.remote()
            _ = try await both(remote)
            let (lib, home) = (ItemURI("lib:track/1"), ItemURI("home:track/1"))

            _ = await remote.awaitReply(remote.send(Commands.FavouriteSet(lib, isOn: true)))
            #expect(try userMarks.marks(of: [lib, home]).values.map(\.isFavourite) == [true, true])
            try await until(sim) { server.notes == [.favourite(home, true)] }

            sim.hub.sources.knownVariants.forget([ItemURI("lib:track/2"), ItemURI("home:track/2")])
            _ = await remote.awaitReply(remote.send(Commands.RatingSet(ItemURI("lib:track/2"), stars: 4)))
            try await until(sim) { server.notes.last == .stars(ItemURI("home:track/2"), 4) }
        }
    }

    /// BT-FND-009
    @Test func `an entry of a queue keeps the other places of its track`() async throws {
        try await onLoop {
            let sim = try hub([ServerSource("home", Self.rows("home", [1]))])
            let remote = try sim.remote()
            _ = try await both(remote)

            _ = await remote.awaitReply(remote.send(Commands.QueueAdd([ItemURI("home:track/1"), ItemURI("lib:track/2")]), key: "key-1"))

            #expect(sim.hub.rooms.first.room.queue.entries.map(\.alternatives) == [[ItemURI("lib:track/1")], []])
            let page = try QueuePage(from: try #require(await remote.awaitReply(remote.send(Commands.QueueWindow()))?.data))
            #expect(page.rows.map(\.alternatives) == [[ItemURI("lib:track/1")], []])
        }
    }

    @Test func `other places of a track are found by a search where none were shown`() async throws {
        try await onLoop {
            let sim = try hub([ServerSource("home", Self.rows("home", 0..<9))])
            let row = MemorySource().row(3)

            #expect(await sim.hub.sources.findVariants(of: row.uri, row.tags) == [ItemURI("home:track/3")])
            #expect(await sim.hub.sources.findVariants(of: ItemURI("home:track/3"), row.tags) == [row.uri])
        }
    }

    @Test func `a list that mixes sources is folded, and a playlist is not`() async throws {
        try await onLoop {
            let sim = try hub([ServerSource("home", Self.rows("home", [1]))])
            var list = ItemList(Self.rows("lib", [1, 2]) + Self.rows("home", [1]))
            sim.hub.sources.fold(&list, of: ItemURI("pl:list/p1"))
            #expect(list.rows.count == 3)

            sim.hub.sources.fold(&list, of: ItemURI("lib:shelf/favourites"))
            #expect(uris(list.rows) == ["lib:track/1", "lib:track/2"])
            #expect(list.rows[0].variants.map(\.text) == ["lib:track/1", "home:track/1"])
        }
    }
}
