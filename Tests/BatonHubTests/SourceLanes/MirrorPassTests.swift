import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import Companion
import Foundation
import Harness
import Stores
import Synchronization
import Testing

@testable import BatonHub
@testable import BatonKernel
@testable import BatonServers

/// The rows of a server are noted in the background, and shown while it is away.
@Suite(.serialized) struct MirrorPassTests {
    /// A server with forty songs on one shelf, which are noted ten at a time.
    private final class Server: Connector {
        let source = "home"
        let about = SourceAbout(name: "Home", abilities: [.browse, .search, .mirror, .mirrorSearch, .remote])
        let state = Mutex((isDown: false, isStopped: false, steps: [String?]()))
        /// The songs that its own search finds.
        let found = Mutex(0..<40)

        func goDown(_ isDown: Bool) { state.withLock { $0.isDown = isDown } }
        /// It answers nothing from now on, as a process that is stopped.
        func stop() { state.withLock { $0.isStopped = true } }
        var steps: [String?] { state.withLock { $0.steps } }

        func check() async throws(SourceFault) {
            let (isDown, isStopped) = state.withLock { ($0.isDown, $0.isStopped) }
            if isStopped { await Self.forEver() }
            if isDown { throw SourceFault(.unavailable, "Home is away.") }
        }

        /// Until the caller gives up.
        private static func forEver() async {
            let (nothing, end) = AsyncStream.makeStream(of: Void.self)
            for await _ in nothing {}
            end.finish()
        }

        private static let shelf = ItemURI("home:shelf/songs")

        private func row(_ number: Int) -> ItemRow {
            ItemRow(uri: ItemURI("home:track/\(number)"), tags: Tags(title: "Song \(number)", durationMs: 180_000))
        }

        private func shelfRow() -> ItemRow {
            var tags = Tags(title: "Songs of Home")
            tags.kind = .shelf
            return ItemRow(uri: Self.shelf, tags: tags, count: 40)
        }

        func browse(_ query: BrowseQuery) async throws(SourceFault) -> ItemPage {
            try await check()
            guard query.node != nil else { return ItemPage([shelfRow()]) }
            let from = query.window.cursor.flatMap { Int($0) } ?? query.window.from
            let end = min(40, from + query.window.limit)
            return ItemPage((from..<end).map(row), cursor: end < 40 ? "\(end)" : nil, total: 40)
        }

        func search(_ query: SearchQuery) async throws(SourceFault) -> ItemPage {
            try await check()
            return ItemPage(of: found.withLock { $0 }.map(row).filter { $0.tags.title.contains(query.text) }, in: query.window)
        }

        func details(of uri: ItemURI) async throws(SourceFault) -> ItemDetails {
            try await check()
            return ItemDetails(row: row(Int(uri.text.dropFirst("home:track/".count)) ?? 0))
        }

        func expand(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> [NewEntry] {
            try await check()
            return (0..<40).map { NewEntry(uri: row($0).uri, tags: row($0).tags) }
        }

        func resolve(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> Playable {
            try await check()
            throw SourceFault(.unsupported, "It has no sound.")
        }

        func mirror(after cursor: String?) async throws(SourceFault) -> MirrorPage {
            try await check()
            state.withLock { $0.steps.append(cursor) }
            let from = cursor.flatMap { Int($0) } ?? 0
            var rows = (from..<from + 10).map { MirrorRow(row($0), in: Self.shelf, at: $0) }
            if from == 0 { rows.append(MirrorRow(shelfRow(), in: nil, at: 0)) }
            return MirrorPage(rows, cursor: from < 30 ? "\(from + 10)" : nil, total: 41)
        }
    }

    @Loop
    private final class World {
        let time = VirtualTime()
        let server = Server()
        let store: SourceStore
        var sources: Sources
        var passes: MirrorPasses
        private var observer: EventObserver

        init(folder: String) throws {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            store = try SourceStore(folder: folder)
            (sources, passes, observer) = Self.parts(server, time)
            start()
        }

        private static func parts(_ server: Server, _ time: VirtualTime) -> (Sources, MirrorPasses, EventObserver) {
            let events = HubEvents()
            let sources = Sources([server], reactor: time, events: events, fittingRows: HubCodec.wire.fittingRows)
            let clock = HubClock(time, MemoryJournal { Milliseconds(time.nowUs) }) {
                Loop.assumeIsolated { 1_700_000_000_000 + Milliseconds(time.nowUs) }
            }
            let passes = MirrorPasses(sources: sources, clock: clock, log: .silent)
            let observer = EventObserver { [weak passes] _ in passes?.considerAll() }
            events.observer = observer
            return (sources, passes, observer)
        }

        /// A new hub on the same file.
        func start() {
            time.forget()
            (sources, passes, observer) = Self.parts(server, time)
            passes.open(store)
        }

        func pass(_ duration: Duration) async { await time.passQuietly(duration) }

        private var answeredUs: Microseconds = 0
        private func note() { answeredUs = time.nowUs }

        /// The result, and the milliseconds until then.
        func timed<Found: Sendable>(_ question: @escaping @Loop () async throws -> Found) async throws -> (Found, Milliseconds) {
            let beganUs = time.nowUs
            let answer = Task(executorPreference: Loop.jobs) {
                let found = try await question()
                await self.note()
                return found
            }
            await pass(.milliseconds(900))
            let found = try await answer.value
            return (found, Milliseconds(answeredUs - beganUs))
        }

        func page(limit: Int = 30, cursor: String? = nil) async throws -> ItemList {
            try await sources.browse(ItemURI("home:shelf/songs"), sort: nil, .init(limit: limit, cursor: cursor))
        }
    }

    @Loop
    private func inWorld(_ body: @Loop (World) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "baton-mirror-\(UUID().uuidString.prefix(8))").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let world = try World(folder: folder)
        try await body(world)
        await world.passes.close()
        world.sources.close()
        world.store.close()
    }

    @Test func `a source that is away is browsed and searched, its rows are grey, and it is itself again when it is back`() async throws {
        try await onLoop {
            try await inWorld { world in
                await world.pass(.seconds(10))
                #expect(world.server.steps == [nil, "10", "20", "30"])
                #expect(world.passes.status["home"]?.rows == 41)
                let there = try await world.page()
                #expect(there.rows.count == 30 && there.rows.allSatisfy { !$0.isAway })

                world.server.goDown(true)
                // The first question notices it.
                let first = try await world.page()
                #expect(first.rows.map(\.uri) == there.rows.map(\.uri) && first.rows.allSatisfy(\.isAway))
                await world.pass(.seconds(1))
                #expect(world.sources.problems == ["Home is away."])
                let rest = try await world.page(cursor: first.cursor)
                #expect(rest.rows.count == 10 && rest.rows.allSatisfy(\.isAway) && rest.cursor == nil)
                let shelves = try await world.sources.browse(nil, sort: nil, .init(limit: 10))
                #expect(shelves.rows.map(\.tags.title) == ["Songs of Home"] && shelves.rows[0].isAway)
                let found = try await world.sources.search(.init("song 7", source: "home", page: .init(limit: 10)))
                #expect(found.rows.map(\.tags.title) == ["Song 7"] && found.rows[0].isAway)
                #expect(try await world.sources.details(of: ItemURI("home:track/3"), trust: .itemsOnly).row.tags.title == "Song 3")
                #expect(try await world.sources.expand(ItemURI("home:shelf/songs"), trust: .itemsOnly).count == 40)
                await #expect(throws: SourceFault.self) { try await world.sources.resolve(ItemURI("home:track/3"), trust: .itemsOnly) }

                world.server.goDown(false)
                await world.pass(.seconds(400))
                // A page that began in the mirror goes on there.
                #expect(try await world.page(cursor: first.cursor).rows.count == 10)
                #expect(try await world.page().rows.allSatisfy { !$0.isAway })
            }
        }
    }

    @Test func `what was noted of a server that hangs is shown in the time of a search, and a track of it is queued at once`() async throws
    {
        try await onLoop {
            try await inWorld { world in
                await world.pass(.seconds(10))
                let sources = world.sources
                sources.shownTracks.forget { _ in true }
                world.server.stop()

                let (page, pageMs) = try await world.timed { try await world.page() }
                let (track, trackMs) = try await world.timed {
                    try await sources.entries(of: ItemURI("home:track/3"), titled: nil, trust: .itemsOnly)
                }
                #expect(page.rows.count == 30 && pageMs <= 810)
                #expect(track.map(\.tags.title) == ["Song 3"] && trackMs <= 110)
                #expect(sources.problems.isEmpty)

                await world.pass(.seconds(2))
                #expect(sources.problems.first?.hasPrefix("The source “Home” has been away since ") == true)
                let (album, albumMs) = try await world.timed {
                    try await sources.entries(of: ItemURI("home:shelf/songs"), titled: nil, trust: .itemsOnly)
                }
                let (away, awayMs) = try await world.timed { try await world.page() }
                #expect(album.count == 40 && albumMs == 0 && away.rows.allSatisfy(\.isAway) && awayMs == 0)
            }
        }
    }

    @Test func `an album that was noted is queued from the notes once its server is found to hang`() async throws {
        try await onLoop {
            try await inWorld { world in
                await world.pass(.seconds(10))
                world.server.stop()
                let sources = world.sources
                let asked = Task(executorPreference: Loop.jobs) {
                    try await sources.entries(of: ItemURI("home:shelf/songs"), titled: nil, trust: .itemsOnly)
                }
                await world.pass(.milliseconds(3_100))
                #expect(sources.problems.count == 1)
                let entries = try await asked.value
                #expect(entries.count == 40)
            }
        }
    }

    @Test func `titles that the search of a server does not know are found in what was noted, and what is new there is added`() async throws
    {
        try await onLoop {
            try await inWorld { world in
                world.server.found.withLock { $0 = 39..<42 }
                let source = MirroredSource(connector: world.server, mirror: world.store, absence: nil) {}
                func found(_ text: String) async throws -> [ItemRow] {
                    var (rows, cursor) = ([ItemRow](), String?.none)
                    repeat {
                        let page = try await source.search(SearchQuery(text, window: PageWindow(limit: 15, cursor: cursor)))
                        rows += page.rows.filter { $0.tags.kind == .track }
                        cursor = page.cursor
                    } while cursor != nil
                    #expect(rows.allSatisfy { !$0.isAway })
                    return rows
                }
                #expect(try await found("Song").map(\.tags.title) == ["Song 39", "Song 40", "Song 41"], "nothing is noted yet")
                await world.pass(.seconds(10))

                #expect(Set(try await found("Song 4").map(\.tags.title)) == ["Song 4", "Song 40", "Song 41"])
                let all = try await found("Song").map(\.tags.title)
                #expect(all.count == 42 && Set(all) == Set((0..<42).map { "Song \($0)" }))
                #expect(try await found("ong 41").map(\.tags.title) == ["Song 41"], "the words of the server's own search")
                world.server.goDown(true)
                #expect(try await source.search(SearchQuery("Song 7", window: PageWindow(limit: 5))).rows.allSatisfy(\.isAway))
            }
        }
    }

    @Test func `a pass goes on after an outage and a restart, and begins again after a day or when it is asked for`() async throws {
        try await onLoop {
            try await inWorld { world in
                await world.pass(.milliseconds(30))
                world.server.goDown(true)
                await world.pass(.seconds(20))
                let begun = world.server.steps
                #expect(!begun.isEmpty && begun.count < 4)
                await #expect(throws: SourceFault.self) { try await world.page() }
                world.start()
                await world.pass(.seconds(1))
                world.server.goDown(false)
                world.start()
                await world.pass(.seconds(400))
                #expect(world.server.steps == [nil, "10", "20", "30"])

                world.start()
                await world.pass(.seconds(3600))
                #expect(world.server.steps.count == 4)
                #expect(world.passes.sync("home"))
                #expect(!world.passes.sync("home"))
                await world.pass(.seconds(10))
                #expect(world.server.steps.count == 8)
                await world.pass(.seconds(86_500))
                #expect(world.server.steps.count == 12)
            }
        }
    }
}
