import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import Harness
import Testing

@testable import BatonHub
@testable import BatonKernel
@testable import BatonLibrary
@testable import Companion

/// Rooms keep the place of what is spoken, whatever happens to the hub.
@Suite struct `Places in what is spoken` {
    /// BT-PLC-006 BT-PLC-008
    @Test func `are kept while it plays and when it is paused, and outlive a kill`() async throws {
        try await onLoop {
            let world = try PlaceWorld()
            try await world.play()
            world.sim.time.pass(.seconds(21))
            try await world.reaches(20)
            world.sim.time.pass(.seconds(30))
            _ = try await world.send(Commands.Pause())
            try await world.reaches(51)
            #expect(world.places.current(PlaceWorld.first)?.room == RoomID("main") && world.places.sides(PlaceWorld.first).isEmpty)
            try world.restart()
            _ = try await world.send(Commands.Play())
            try await world.speaks()
            world.sim.time.pass(.seconds(21))
            try await world.reaches(71)
            #expect(world.places.sides(PlaceWorld.first).isEmpty, "the same room goes on")
        }
    }

    /// BT-PLC-007
    @Test func `are where an item begins that is played again, and not where an entry begins anew that plays`() async throws {
        try await onLoop {
            let world = try PlaceWorld()
            try await world.play()
            world.sim.time.pass(.seconds(100))
            _ = try await world.send(Commands.Next())
            try await world.reaches(100)

            try await world.play()
            #expect((96_000..<160_000).contains(world.sim.player.heardMs))
            let entry = try #require(world.sim.player.playing)
            _ = try await world.send(Commands.Jump(entry))
            try await until(world.sim) { world.sim.player.heardMs < 3000 }
        }
    }

    /// BT-PLC-004
    @Test func `are finished at the end, and the item begins at its beginning then`() async throws {
        try await onLoop {
            let world = try PlaceWorld()
            let hub = world.sim.hub!
            var finished: [ItemURI] = []
            let observer = EventObserver { event in
                if case .itemFinished(let uri, _) = event { finished.append(uri) }
                hub.hear(event)
            }
            defer { withExtendedLifetime(observer) {} }
            hub.events.observer = observer
            try await world.play()
            world.sim.time.pass(.seconds(605))
            try await until(world.sim) { world.places.current(PlaceWorld.first)?.isFinished == true }
            try await until(world.sim) { !finished.isEmpty }
            #expect(finished == [ItemURI(PlaceWorld.first)])
            try await world.play()
            #expect(world.sim.player.heardMs < 60_000)
        }
    }

    /// BT-PLC-001 BT-PLC-005
    @Test func `of a device that comes late stay beside, and a restored one is gone on with in the room`() async throws {
        try await onLoop {
            let world = try PlaceWorld()
            try await world.play()
            world.sim.time.pass(.seconds(41))
            try await world.reaches(40)
            let late = Commands.ProgressTold(ItemURI(PlaceWorld.first), positionMs: 300_000, session: SessionID("phone"))
            #expect(try await world.send(late).reply.outcome == .applied())
            try await world.reaches(40)

            let press = Commands.ProgressRestore(ItemURI(PlaceWorld.first), session: SessionID("phone"))
            #expect(try await world.send(press).reply.outcome == .applied())

            try await until(world.sim) { world.sim.player.heardMs >= 300_000 }
            world.sim.time.pass(.seconds(21))
            try await world.reaches(320)
            #expect(world.places.sides(PlaceWorld.first).allSatisfy { $0.positionMs < 60_000 })
        }
    }

    /// BT-PLC-013
    @Test func `are none in music that a device has heard to its end, which counts as one play however often it is told`() async throws {
        try await onLoop {
            let world = try PlaceWorld()
            let song = ItemURI("file:track//song:3/1")
            let late = Commands.ProgressTold(song, positionMs: 700_000, session: SessionID("late"), isAtEnd: true)
            #expect(try await world.send(late).refusal == .badRequest)
            let heard = Commands.ProgressTold(song, positionMs: 599_000, session: SessionID("watch"), isAtEnd: true)
            for _ in 1...2 { _ = try await world.send(heard, key: "the-report") }
            try await until(world.sim) { (try? world.marks.marks(of: [song]))?[song]?.plays == 1 }
            #expect(world.places.current(song.description) == nil)
        }
    }

    /// A server whose next book of a series is known once it is let go.
    private final class SeriesServer: Connector {
        let source = "saga"
        /// Ends when it is let go.
        let held: AsyncStream<Void>
        let release: AsyncStream<Void>.Continuation

        init() { (held, release) = AsyncStream.makeStream() }

        static func book(_ number: Int) -> NewEntry { NewEntry(uri: ItemURI("saga:track/\(number)"), tags: Tags(title: "Book \(number)")) }

        func expand(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> [NewEntry] { [] }
        func resolve(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> Playable { throw SourceFault(.notFound, "None.") }
        func following(_ uri: ItemURI) async throws(SourceFault) -> ItemRow? {
            for await _ in held {}
            let next = Self.book((Int(uri.text.suffix(1)) ?? 0) + 1)
            return ItemRow(uri: next.uri, tags: next.tags)
        }
    }

    /// BT-NXT-001
    @Test func `keep a book off the shelf of next ones that was begun while its server was asked`() async throws {
        try await onLoop {
            let (places, server) = (MemoryPlaces(), SeriesServer())
            let sim = try SimulatedHub(library: LibraryParts(userMarks: MemoryUserMarks(), places: places, connectors: [server]))
            for number in [1, 5] { sim.hub.events.send(.itemFinished(SeriesServer.book(number).uri, .home)) }
            await untilQuiet()
            let begun = PlaceReport(
                ListeningSession(SessionID("phone"), on: "phone"), positionMs: 60_000, durationMs: nil, isAtEnd: false,
                atMs: sim.hub.clock.wallMs())
            _ = try places.change(SeriesServer.book(2), of: .home) { places, _ throws(Refusal) in try places.take(begun) }
            server.release.finish()
            try await until(sim) { (try? places.upNext(for: .home, PageWindow(limit: 9)))?.isEmpty == false }
            #expect(try places.upNext(for: .home, PageWindow(limit: 9)).map(\.uri) == [SeriesServer.book(6).uri])
        }
    }
}
