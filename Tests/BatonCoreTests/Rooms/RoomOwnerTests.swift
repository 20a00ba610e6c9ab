import BatonCore
import Testing

/// What an owner decides about a room, and what becomes of it when it goes on elsewhere.
struct RoomOwnerTests {
    @Test(arguments: [
        ("Kitchen", "kitchen"), ("Küche & Bad", "kueche-bad"), ("Anna’s room", "annas-room"), ("  2. Stock  ", "2-stock"), ("居間", "room"),
        ("Großes Wohnzimmer mit dem Erker und Balkon", "grosses-wohnzimmer-mit-dem-erker"),
    ]) func `an id is made of the name`(name: String, id: String) {
        #expect(RoomID(named: name) { _ in false } == RoomID(id))
    }

    @Test func `a taken id gets a number`() {
        let taken: Set<RoomID> = [RoomID("kitchen"), RoomID("kitchen-2")]

        #expect(RoomID(named: "Kitchen", taken: taken.contains) == RoomID("kitchen-3"))
    }

    @Test func `a room that is called so already need not be renamed`() throws {
        var room = try LiveRoom().room

        #expect(room.rename(to: "Den").mustBeStored)
        #expect(room.name == "Den")
        #expect(room.rename(to: "Den") == .noop(.same))
    }

    @Test func `a lower ceiling takes the level with it, at once`() throws {
        var room = try LiveRoom().room

        let outcome = try room.set(RailChange(ceiling: 20))

        #expect(room.volume.level == 20)
        #expect(outcome.orders == [.setGain(room.volume.gain)])
        #expect(outcome.mustBeStored)
        #expect(try room.set(RailChange(ceiling: 20)) == .noop(.same))
    }

    @Test(arguments: [RailChange(floor: 60, ceiling: 40), RailChange(floor: 60, startMax: 50)])
    func `rails that contradict each other change nothing`(change: RailChange) throws {
        var room = try LiveRoom().room
        let before = room

        #expect(throws: Refusal.self) { try room.set(change) }
        #expect(room == before)
    }

    @Test func `a mute survives other rails`() throws {
        var live = try LiveRoom()
        try live.ask(.setMute(true))

        _ = try live.room.set(RailChange(ceiling: 50))

        #expect(live.room.volume.muted)
    }

    // MARK: Levels of another room

    @Test(arguments: [
        (VolumeRail(level: 50), VolumeRail(level: 10, startMax: 100), 50),
        (VolumeRail(level: 30, ceiling: 80), VolumeRail(level: 10, ceiling: 40), 30),
        (VolumeRail(level: 60, ceiling: 80), VolumeRail(level: 10, ceiling: 40), 40),
        (VolumeRail(level: 10), VolumeRail(level: 30, floor: 20), 20),
        // Music from a loud room must not be too loud here …
        (VolumeRail(level: 100), VolumeRail(level: 10, startMax: 50), 50),
        // … unless they have it as loud already.
        (VolumeRail(level: 100), VolumeRail(level: 70, startMax: 50), 70),
    ]) func `a level goes along as far as the other room's limits allow`(source: VolumeRail, target: VolumeRail, level: Int) {
        var target = target
        target.take(levelOf: source)
        #expect(target.level == level)
    }

    @Test func `a level that a quieter room has limited comes back in the next room, unless a person changes it`() {
        let living = VolumeRail(level: 80)
        var (bath, kitchen) = (VolumeRail(level: 10, ceiling: 40), VolumeRail(level: 10, startMax: 100))
        bath.take(levelOf: living)
        kitchen.take(levelOf: bath)
        #expect(bath.level == 40 && kitchen.level == 80)

        _ = bath.set(to: 25)
        kitchen.take(levelOf: bath)
        #expect(kitchen.level == 25)
    }

    @Test func `a moved level never leaves the range it comes into`() {
        for seed in UInt64(0)..<300 {
            var random = SeededGenerator(seed)
            func rail() -> VolumeRail {
                let floor = Int.random(in: 0...100, using: &random)
                return VolumeRail(
                    level: Int.random(in: 0...100, using: &random), floor: floor, ceiling: Int.random(in: floor...100, using: &random),
                    startMax: Int.random(in: 0...100, using: &random))
            }
            let (source, before) = (rail(), rail())
            var target = before
            target.take(levelOf: source)
            #expect(target.floor...target.ceiling ~= target.level, "seed \(seed)")
            #expect(target.level <= max(before.startMax, before.level), "seed \(seed)")
        }
    }

    // MARK: Handing over

    private func hand(_ source: inout LiveRoom, to target: inout LiveRoom, keep: Bool = false) throws -> (taken: Outcome, left: Outcome) {
        source.now = target.now
        let taken = try target.room.takeOver(source.room, copying: keep, by: "ana", at: target.now, numbers: &target.numbers)
        return (taken, source.room.handOver(keeping: keep, at: target.now))
    }

    private func target() throws -> LiveRoom {
        var target = try LiveRoom()
        target.room = Room(id: RoomID("bath"), name: "Bath", volume: VolumeRail(level: 10))
        target.numbers = EntryNumbers(next: 1000)
        try target.ask(.add(.tracks(2, from: 50), at: .end))
        return target
    }

    @Test func `what plays goes on where it was, in the same order and way`() throws {
        var source = try LiveRoom.playing(1, of: 4)
        try source.ask(.setModes(ModeChange(repeat: true, speed: 1500)))
        var target = try target()
        target.now.us += 20_000_000

        let (taken, left) = try hand(&source, to: &target)

        #expect(target.titles == ["0", "1", "2", "3"])
        #expect(target.currentTitle == "1" && target.state == .buffering)
        #expect(target.positionMs == 30_000)
        #expect(target.room.modes == ModeChange(repeat: true, speed: 1500).applied)
        #expect(taken.orders.first == .setGain(target.room.volume.gain))
        #expect(taken.orders.contains(.setSpeed(permille: 1500)))
        #expect(taken.orders.contains { $0.loads == target.current })
        #expect(source.room.queue.isEmpty && source.state == .stopped)
        #expect(left.orders == [.stop])
        #expect(left.changes == [.replaced([]), .current(nil)])
    }

    @Test func `the entries stay who they are, unless they are kept in both rooms`() throws {
        for keep in [false, true] {
            var source = try LiveRoom.playing(0, of: 3)
            let before = source.ids
            var target = try target()

            _ = try hand(&source, to: &target, keep: keep)

            #expect(source.ids == (keep ? before : []))
            #expect((target.ids == before) == !keep)
            #expect(Set(target.ids).isDisjoint(with: source.ids))
        }
    }

    @Test func `who keeps the queue is silent where it was`() throws {
        var source = try LiveRoom.playing(0, of: 3)
        var target = try target()
        target.now.us += 5_000_000

        let (_, left) = try hand(&source, to: &target, keep: true)

        #expect(source.state == .paused && source.positionMs == 5000)
        #expect(left.orders == [.setPaused(true)])
    }

    @Test func `paused music stays paused in the other room until play is pressed`() throws {
        var source = try LiveRoom.playing(2, of: 3)
        source.pass(ms: 7000)
        try source.ask(.pause)
        var target = try target()
        target.now = source.now

        let (taken, _) = try hand(&source, to: &target)

        #expect(target.state == .paused && target.positionMs == 7000)
        #expect(taken.orders.allSatisfy { $0.loads == nil })
        try target.ask(.play())
        #expect(target.orders.contains { if case .load(_, _, _, fromMs: 7000, paused: false, past: _) = $0 { true } else { false } })
    }

    @Test func `a shuffled order comes along as it is, and can be unshuffled there`() throws {
        var source = try LiveRoom.playing(0, of: 8)
        try source.ask(.setModes(ModeChange(shuffle: true)))
        let (order, original) = (source.titles, (0..<8).map(String.init))
        for keep in [true, false] {
            var (source, target) = (source, try target())

            _ = try hand(&source, to: &target, keep: keep)

            #expect(target.titles == order)
            try target.ask(.setModes(ModeChange(shuffle: false)))
            #expect(target.titles == original)
        }
    }

    @Test func `an empty room has nothing to move`() throws {
        var source = try LiveRoom()
        var target = try target()
        let before = target.room

        #expect(throws: Refusal.self) { _ = try hand(&source, to: &target) }
        #expect(target.room == before)
    }

    // MARK: Another player

    @Test func `another player is told what is to be heard now, and nothing else`() throws {
        var live = try LiveRoom.playing(0, of: 2)
        live.pass(ms: 4000)

        let playing = live.room.changePlayer(at: live.now)

        #expect(playing.orders.first == .load(live.ids[0], ItemURI("file:track/0"), fromMs: 4000, paused: false))
        live.hear(.began(live.ids[0]))
        try live.ask(.pause)
        #expect(live.room.changePlayer(at: live.now).orders.isEmpty)
        #expect(live.state == .paused && live.positionMs == 4000)
    }
}

extension ModeChange {
    /// The modes of a room that was asked for this and nothing else.
    fileprivate var applied: Modes {
        var modes = Modes()
        modes.repeat = self.repeat ?? modes.repeat
        modes.shuffle = shuffle ?? modes.shuffle
        modes.speed = speed ?? modes.speed
        return modes
    }
}
