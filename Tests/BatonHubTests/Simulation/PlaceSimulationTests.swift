/// Several devices and a room that listen to one item, while reports come late, twice and in any order, the disk fails and the hub is
/// killed. Each change is checked as it is stored.
import BatonClient
import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import Glibc
import Harness
import Synchronization
import Testing

@testable import BatonHub
@testable import BatonKernel
@testable import BatonLibrary
@testable import Companion

/// Places that look at each change: the place moves only to a session that knew of it.
private final class CheckedPlaces: PlaceStorage {
    let kept = MemoryPlaces()
    private let wrong = Mutex<[String]>([])
    /// How long each change takes, as on a slow disk.
    let changeMs = Mutex(UInt32(0))

    var problems: [String] { wrong.withLock { $0 } }

    func change(
        _ item: NewEntry, of person: Person, _ body: @Sendable (inout Places, _ durationMs: Milliseconds?) throws(Refusal) -> Places.Change
    ) throws(SourceFault) -> (change: Places.Change, places: Places) {
        usleep(changeMs.withLock(\.self) * 1000)
        let before = try kept.places(of: person, in: item.uri)
        let result = try kept.change(item, of: person, body)
        let after = result.places
        if let old = before.current, let new = after.current, old != new, !after.descends(new.session, from: old.session) {
            note("\(new.session.text) took the place of \(old.session.text), which it did not know")
        }
        if before.current != nil, after.current == nil { note("the place was lost") }
        if let old = before.current, old.positionMs > 1000, after.current?.positionMs == 0 { note("a report of 0:00 was taken") }
        for side in before.sides where before.sides.count < Places.mostSides {
            let isThere = ([after.current].compactMap { $0 } + after.sides).contains { $0.session == side.session }
            if !isThere { note("the side place of \(side.session.text) was lost") }
        }
        return result
    }

    private func note(_ problem: String) { wrong.withLock { $0.append(problem) } }

    func places(of person: Person, in uri: ItemURI) throws(SourceFault) -> Places { try kept.places(of: person, in: uri) }
    func placed(by person: Person, in uri: ItemURI) throws(SourceFault) -> ItemWithPlaces? { try kept.placed(by: person, in: uri) }
    func begun(atMost count: Int) throws(SourceFault) -> [BegunItem] { try kept.begun(atMost: count) }
    func placed(by person: Person, isFinished: Bool, _ window: PageWindow) throws(SourceFault) -> [ItemWithPlaces] {
        try kept.placed(by: person, isFinished: isFinished, window)
    }
    func finished(among uris: [ItemURI]) throws(SourceFault) -> Set<ItemURI> { try kept.finished(among: uris) }
    func spokenSpeeds() throws(SourceFault) -> [Person: SpokenSpeeds] { try kept.spokenSpeeds() }
    func store(_ speeds: SpokenSpeeds, of person: Person) throws(SourceFault) { try kept.store(speeds, of: person) }
    func putUpNext(_ item: NewEntry, for person: Person) throws(SourceFault) { try kept.putUpNext(item, for: person) }
    func upNext(for person: Person, _ window: PageWindow) throws(SourceFault) -> [ItemRow] { try kept.upNext(for: person, window) }
}

@Suite struct `Whatever breaks, no place is lost` {
    /// A device that plays by itself: it knows the place as it was when it began, and sends what it has not sent yet in its own order.
    private struct Device {
        var session: SessionID
        var parent: SessionID?
        var unsent: [Milliseconds] = []
        var acknowledged: Set<Milliseconds> = []
    }

    @Loop
    private final class World {
        let places = CheckedPlaces()
        let sim: SimulatedHub
        var remote: TestRemote
        let uri = ItemURI("file:track//book:3/1")
        private var presses = 0

        init() throws {
            sim = try SimulatedHub(trackMs: 3_600_000, library: LibraryParts(userMarks: MemoryUserMarks(), places: places))
            remote = try sim.remote(id: "owner-1")
        }

        func restart() throws {
            try sim.restart()
            remote = try sim.remote(id: "owner-1")
        }

        /// `nil` when no answer came: the hub was killed before.
        func send(_ command: some WireCommand) async -> ReceivedReply? {
            presses += 1
            return await remote.awaitReply(remote.send(command, key: "press-\(presses)"))
        }

        func pass(seconds: Int) async {
            for _ in 0..<max(1, seconds) {
                await sim.time.passQuietly(.seconds(1))
                speak()
            }
            await untilQuiet()
        }

        /// What plays names chapters, as books do.
        private func speak() {
            guard let entry = sim.player.playing, sim.hub.rooms.first.room.chapters.count == 0 else { return }
            sim.player.tell(.chapters(entry, [0, 50_000].map { ChapterList.Mark(title: "", startMs: $0) }))
        }
    }

    /// BT-PLC-006
    @Test func `the place of a pause is in the next answer, however slow the disk is`() async throws {
        try await onLoop {
            let world = try World()
            _ = await world.send(Commands.Play(ItemURI("/book:3")))
            await world.pass(seconds: 10)
            world.places.changeMs.withLock { $0 = 200 }
            _ = await world.send(Commands.Pause())
            let answer = try #require(await world.send(Commands.ProgressListing(uri: world.uri)))
            let rows = try ProgressList(from: #require(answer.data)).rows
            let place = try #require(rows.first?.place)
            #expect((8_000..<12_000).contains(place.positionMs))
        }
    }

    /// BT-PLC-001 BT-PLC-002 BT-PLC-008
    @Test(arguments: placeSeeds) func `a late device changes nothing, and what was answered is kept`(seed: UInt64) async throws {
        try await onLoop {
            let world = try World()
            var random = SeededGenerator(seed &+ 3)
            var devices: [Device] = []
            var isFailing = false
            _ = await world.send(Commands.Play(ItemURI("/book:3")))
            for step in 1...40 {
                switch Int.random(in: 0..<11, using: &random) {
                case 0 where devices.count < 8:
                    let current = world.places.kept.current(world.uri.text)?.session
                    devices.append(Device(session: SessionID("d\(step)"), parent: Bool.random(using: &random) ? current : nil))
                case 1, 2:
                    // A device plays out of reach; at its end many report 0:00.
                    guard let index = devices.indices.randomElement(using: &random) else { continue }
                    let heardMs = Milliseconds(step) * 30_000
                    devices[index].unsent += [heardMs + Milliseconds(index), Bool.random(using: &random) ? 0 : heardMs + 500]
                case 3, 4, 5:
                    guard let index = devices.indices.randomElement(using: &random) else { continue }
                    try await report(&devices[index], in: world, isFailing: isFailing, &random)
                case 6:
                    isFailing.toggle()
                    let fault = SourceFault(.unavailable, "The hub's disk does not answer.")
                    world.places.kept.fail(with: isFailing ? fault : nil)
                case 7: try world.restart()
                case 8: _ = await world.send(Commands.Seek(positionMs: random.ms(60_000..<3_000_000)))
                case 9: _ = await world.send(Commands.Pause())
                default: _ = await world.send(Commands.Play())
                }
                await world.pass(seconds: Int.random(in: 1..<12, using: &random))
            }
            world.places.kept.fail(with: nil)
            _ = await world.send(Commands.Play())
            await world.pass(seconds: 8)
            _ = await world.send(Commands.Seek(positionMs: 1_234_000))
            _ = await world.send(Commands.Pause())
            // Reports of the room that could not be written are tried again.
            await world.pass(seconds: 45)
            for index in devices.indices { for _ in 0..<9 { try await report(&devices[index], in: world, isFailing: false, &random) } }

            #expect(world.places.problems.isEmpty, "\(seed): \(world.places.problems)")
            let kept = try world.places.places(of: .home, in: world.uri)
            let all = [kept.current].compactMap { $0 } + kept.sides
            for device in devices where device.acknowledged.contains(where: { $0 >= 1000 }) {
                #expect(all.contains { kept.descends($0.session, from: device.session) }, "\(seed): \(device.session.text) is lost")
            }
            #expect(
                all.contains { $0.room == RoomID("main") && (1_234_000..<1_237_000).contains($0.positionMs) },
                "\(seed): where the room is is lost")
        }
    }

    /// The next of what it has not sent, or something that it has sent before.
    @Loop
    private func report(_ device: inout Device, in world: World, isFailing: Bool, _ random: inout SeededGenerator) async throws {
        let isAgain = Int.random(in: 0..<4, using: &random) == 0 && !device.acknowledged.isEmpty
        let again = isAgain ? device.acknowledged.sorted().randomElement(using: &random) : nil
        guard let positionMs = again ?? device.unsent.randomElement(using: &random) else { return }
        let told = Commands.ProgressTold(world.uri, positionMs: positionMs, session: device.session, parent: device.parent)
        guard let reply = await world.send(told) else { return }
        if isFailing {
            #expect(reply.refusal == .unavailable, "a disk that fails is said")
        } else {
            #expect(reply.reply.isSuccess)
            device.unsent.removeAll { $0 == positionMs }
            device.acknowledged.insert(positionMs)
        }
    }
}
