import BatonCore
import Testing

struct ModesTests {
    @Test func `each named mode is what it is called`() throws {
        for name in NamedMode.allCases {
            var live = try LiveRoom(tracks: 3)
            try live.ask(.setModes(name.change))
            #expect(live.room.modes.named == name)
        }
        #expect(NamedMode.allCases.map(\.rawValue) == ["once", "repeat-all", "repeat-one", "shuffle"])
        var modes = Modes()
        modes.shuffle = true
        #expect(modes.named == nil)
        (modes.repeat, modes.consume) = (true, .once)
        #expect(modes.named == nil)
    }

    @Test func `a mode that is already so is no change`() throws {
        var live = try LiveRoom(tracks: 2)

        #expect(try live.ask(.setModes(ModeChange())) == .noop(.same))
        #expect(try live.ask(.setModes(NamedMode.once.change)) == .noop(.same))
        #expect(try live.ask(.setModes(ModeChange(repeat: true))).mustBeStored)
    }

    @Test func `another speed bends the line where it is`() throws {
        var live = try LiveRoom.playing(0, of: 1)
        live.pass(ms: 10_000)

        #expect(try live.ask(.setModes(ModeChange(speed: 1500))).orders == [.setSpeed(permille: 1500)])
        live.pass(ms: 2000)
        #expect(live.positionMs == 13_000 && live.room.timeline.rate == 1500)
    }

    @Test(arguments: [(0, 500, Outcome.Reason.floor), (.min, 500, .floor), (3001, 3000, .ceiling), (.max, 3000, .ceiling)])
    func `a speed stays in its range and says so`(wanted: Int, speed: Int, reason: Outcome.Reason) throws {
        var live = try LiveRoom.playing(0, of: 1)

        let outcome = try live.ask(.setModes(ModeChange(speed: wanted)))

        #expect(outcome.reason == reason && live.room.modes.speed == speed && live.room.timeline.rate == speed)
    }

    // MARK: Loudness

    private func room(_ albums: [String], gain: GainMode = .auto) throws -> Room {
        var room = Room(id: RoomID("main"), name: "Main")
        _ = room.ordersForNewPlayer()
        var numbers = EntryNumbers(next: 1)
        let items = albums.map { album in
            var tags = Tags(title: "A song", durationMs: 60_000)
            tags.album = album
            return NewEntry(uri: ItemURI("file:track/a"), tags: tags)
        }
        _ = try room.apply(.setModes(ModeChange(gain: gain)), at: Moment(us: 0), numbers: &numbers)
        _ = try room.apply(.replace(base: nil, with: items, start: 0, positionMs: 0, play: true), at: Moment(us: 1), numbers: &numbers)
        return room
    }

    @Test func `auto levels an album as one where it is played in order, and songs by themselves`() throws {
        #expect(try room(["Kid A", "Kid A", "Amnesiac"]).levelling == Levelling(by: .album))
        #expect(try room(["Kid A", "Amnesiac", "Kid A"]).levelling == Levelling(by: .track))
        #expect(try room(["", ""]).levelling == Levelling(by: .track))
        #expect(try room(["Kid A", "Kid A"], gain: .off).levelling == Levelling())
        #expect(try room(["Kid A", "Amnesiac"], gain: .album).levelling == Levelling(by: .album))
    }

    @Test func `the player is told before a sound is heard, and once`() throws {
        var room = try room(["Kid A", "Kid A", "Amnesiac", "Bleach"])
        var numbers = EntryNumbers(next: 100)
        let third = room.queue.entries[2].id

        let jump = try room.apply(.jump(third), at: Moment(us: 2), numbers: &numbers)
        #expect(jump.orders.first == .setLevelling(Levelling(by: .track)))

        let again = try room.apply(.jump(room.queue.entries[3].id), at: Moment(us: 3), numbers: &numbers)
        #expect(!again.orders.contains { if case .setLevelling = $0 { true } else { false } })
    }

    @Test func `a shuffled album is songs`() throws {
        var room = try room(["Kid A", "Kid A", "Kid A"])
        var numbers = EntryNumbers(next: 100)

        let shuffled = try room.apply(.setModes(ModeChange(shuffle: true)), at: Moment(us: 2), numbers: &numbers)

        #expect(shuffled.orders.first == .setLevelling(Levelling(by: .track)))
    }

    @Test func `a preamp is kept, and another one is told`() throws {
        var room = try room(["Kid A"])
        var numbers = EntryNumbers(next: 100)

        let louder = try room.apply(.setModes(ModeChange(preampDb: 6)), at: Moment(us: 2), numbers: &numbers)

        #expect(louder.orders == [.setLevelling(Levelling(by: .track, preampDb: 6))] && louder.mustBeStored)
        #expect(room.modes.preampDb == 6)
    }
}
