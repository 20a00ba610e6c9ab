/// What counts as having played something (BT-LIB-010).
import BatonCore
import Testing

extension Listening {
    fileprivate mutating func look(at room: Room, now: Moment) -> QueueEntry? { look(at: room.currentEntry, on: room.timeline, now: now) }
}

@Suite struct ListeningTests {
    private static func room(_ durations: [Milliseconds?] = [180_000, 180_000]) -> (Room, EntryNumbers) {
        var numbers = EntryNumbers(next: 1)
        var room = Room(id: RoomID("main"), name: "Main")
        let items = durations.map { NewEntry(uri: ItemURI("lib:track/1"), tags: Tags(title: "a", durationMs: $0)) }
        _ = try? room.apply(.replace(base: nil, with: items, start: 0, positionMs: 0, play: true), at: Self.at(0), numbers: &numbers)
        _ = room.hear(.began(EntryID(1)), at: at(0))
        return (room, numbers)
    }

    private static func at(_ seconds: Double) -> Moment { Moment(us: Microseconds(seconds * 1_000_000), wallMs: 0) }

    @Test(arguments: [(180_000, 90), (600_000, 240), (480_000, 240), (30_000, 15), (nil, 240)] as [(Milliseconds?, Int)])
    func `half of it, or four minutes`(durationMs: Milliseconds?, seconds: Int) {
        let (room, _) = Self.room([durationMs])
        var listening = Listening()
        #expect(listening.look(at: room, now: Self.at(0)) == nil)
        #expect(listening.dueUs == Microseconds(seconds * 1_000_000))
        #expect(listening.look(at: room, now: Self.at(Double(seconds) - 0.001)) == nil)
        #expect(listening.look(at: room, now: Self.at(Double(seconds)))?.id == EntryID(1))
        #expect(listening.look(at: room, now: Self.at(Double(seconds) + 1)) == nil)
        #expect(listening.dueUs == nil)
    }

    @Test func `what is skipped over or waited for in a pause was not heard`() throws {
        var (room, numbers) = Self.room()
        var listening = Listening()
        _ = listening.look(at: room, now: Self.at(0))
        _ = try room.apply(.seek(entry: nil, toMs: 100_000), at: Self.at(10), numbers: &numbers)
        #expect(listening.look(at: room, now: Self.at(10)) == nil)
        _ = try room.apply(.pause, at: Self.at(20), numbers: &numbers)
        #expect(listening.look(at: room, now: Self.at(20)) == nil)
        #expect(listening.dueUs == nil)
        #expect(listening.look(at: room, now: Self.at(2000)) == nil)
        _ = try room.apply(.play(), at: Self.at(2000), numbers: &numbers)
        #expect(listening.look(at: room, now: Self.at(2000)) == nil)
        #expect(listening.dueUs == 2_070_000_000)
    }

    @Test func `another entry begins from nothing, and one that ends is counted late rather than never`() throws {
        var (room, numbers) = Self.room()
        var listening = Listening()
        _ = listening.look(at: room, now: Self.at(0))
        _ = try room.apply(.next(from: nil), at: Self.at(80), numbers: &numbers)
        #expect(listening.look(at: room, now: Self.at(80)) == nil)
        _ = room.hear(.began(EntryID(2)), at: Self.at(80))
        #expect(listening.look(at: room, now: Self.at(80)) == nil)
        _ = try room.apply(.stop, at: Self.at(175), numbers: &numbers)
        #expect(listening.look(at: room, now: Self.at(175))?.id == EntryID(2))
    }

    @Test func `at double speed half of it is heard in half the time`() throws {
        var (room, numbers) = Self.room()
        _ = try room.apply(.setModes(ModeChange(speed: 2000)), at: Self.at(0), numbers: &numbers)
        var listening = Listening()
        _ = listening.look(at: room, now: Self.at(0))
        #expect(listening.dueUs == 45_000_000)
    }

    @Test(arguments: [500, 1000, 1250, 1333, 3000]) func `it counts at the same moment however often it is looked at`(speed: Int) throws {
        var (room, numbers) = Self.room()
        _ = try room.apply(.setModes(ModeChange(speed: speed)), at: Self.at(0), numbers: &numbers)
        var (seldom, often) = (Listening(), Listening())
        _ = seldom.look(at: room, now: Self.at(0))
        _ = often.look(at: room, now: Self.at(0))
        let dueUs = try #require(seldom.dueUs)

        // At moments that are no whole milliseconds.
        var nowUs: Microseconds = 0
        while nowUs + 77_773 < dueUs {
            nowUs += 77_773
            #expect(often.look(at: room, now: Moment(us: nowUs)) == nil)
        }

        #expect(often.dueUs == dueUs)
        #expect(seldom.look(at: room, now: Moment(us: dueUs)) != nil && often.look(at: room, now: Moment(us: dueUs)) != nil)
    }

    @Test func `what is begun again may count again`() throws {
        var (room, numbers) = Self.room()
        var listening = Listening()
        _ = listening.look(at: room, now: Self.at(0))
        #expect(listening.look(at: room, now: Self.at(90)) != nil)
        _ = try room.apply(.seek(entry: nil, toMs: 0), at: Self.at(120), numbers: &numbers)
        #expect(listening.look(at: room, now: Self.at(120)) == nil)
        #expect(listening.dueUs == 210_000_000)
        #expect(listening.look(at: room, now: Self.at(210)) != nil)
    }
}
