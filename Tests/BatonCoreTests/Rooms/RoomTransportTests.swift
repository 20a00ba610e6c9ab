import BatonCore
import Testing

/// Play, pause, stop, next, previous, jump and seek, as people ask for them.
struct RoomTransportTests {
    // MARK: Playing

    @Test func `play loads the current entry, waits for its sound, and names what follows`() throws {
        var live = try LiveRoom(tracks: 2)

        let outcome = try live.ask(.play())

        #expect(live.state == .buffering && live.room.timeline.rate == 0)
        #expect(
            outcome.orders == [
                .load(live.ids[0], ItemURI("file:track/0"), fromMs: 0, paused: false), .follow(live.ids[1], ItemURI("file:track/1")),
            ])
        live.hear(.began(live.ids[0]))
        live.pass(ms: 5000)
        #expect(live.state == .playing && live.positionMs == 5000)
        #expect(try live.ask(.play()) == .noop(.same))
    }

    @Test func `an empty room refuses to play and to seek, and skips nothing`() throws {
        var live = try LiveRoom()

        #expect(throws: Refusal.self) { try live.ask(.play()) }
        #expect(throws: Refusal.self) { try live.ask(.seek(entry: nil, toMs: 5)) }
        #expect(try live.ask(.next(from: nil)) == .noop(.same))
        #expect(try live.ask(.previous(from: nil)) == .noop(.same))
        #expect(try live.ask(.pause) == .noop(.same))
        #expect(try live.ask(.stop) == .noop(.same))
    }

    @Test func `pause keeps the position, and play goes on from it`() throws {
        var live = try LiveRoom.playing(0, of: 2)
        live.pass(ms: 7000)

        #expect(try live.ask(.pause).orders == [.setPaused(true)])
        live.pass(ms: 60_000)
        #expect(live.state == .paused && live.positionMs == 7000)
        #expect(try live.ask(.play()).orders == [.setPaused(false)])
        live.pass(ms: 1000)
        #expect(live.state == .playing && live.positionMs == 8000)
    }

    @Test func `a pause while an entry is loading holds when its sound is there`() throws {
        var live = try LiveRoom(tracks: 1)
        try live.ask(.play())
        try live.ask(.pause)

        live.hear(.began(live.ids[0]))
        #expect(live.state == .paused)
        try live.ask(.play())
        #expect(live.state == .playing)
    }

    @Test func `resuming into a gap in the data shows that it waits`() throws {
        var live = try LiveRoom.playing(0, of: 1)
        live.hear(.buffering(live.ids[0], true))
        try live.ask(.pause)

        try live.ask(.play())

        #expect(live.state == .buffering && live.room.timeline.rate == 0)
        live.hear(.buffering(live.ids[0], false))
        #expect(live.state == .playing)
    }

    @Test func `stop forgets the position, and play starts over`() throws {
        var live = try LiveRoom.playing(1, of: 2)
        live.pass(ms: 7000)

        #expect(try live.ask(.stop).orders == [.stop])
        #expect(live.state == .stopped && live.positionMs == 0 && live.current == live.ids[1])
        #expect(try live.ask(.play()).orders.first == .load(live.ids[1], ItemURI("file:track/1"), fromMs: 0, paused: false))
    }

    @Test func `a position to start from is kept inside the entry`() throws {
        var live = try LiveRoom(tracks: 2)

        #expect(try live.ask(.play(entry: live.ids[1], positionMs: -5)).orders.first?.fromMs == 0)
        #expect(try live.ask(.stop).orders == [.stop])
        #expect(try live.ask(.play(entry: live.ids[1], positionMs: Milliseconds(1 << 53))).orders.first?.fromMs == 180_000)
        live.hear(.began(live.ids[1]))
        try live.ask(.pause)
        #expect(try live.ask(.play(positionMs: -1)).orders == [.seek(toMs: 0), .setPaused(false)])
        #expect(live.room.timeline.positionMs == 0)
    }

    @Test func `an entry that is gone cannot be played`() throws {
        var live = try LiveRoom.playing(0, of: 2)
        let before = live.room

        for command in [Command.jump(EntryID(99)), .play(entry: EntryID(99))] {
            let refusal = #expect(throws: Refusal.self) { try live.ask(command) }
            #expect(refusal?.code == .gone && live.room == before)
        }
    }

    @Test func `a room that comes back is paused where it was`() throws {
        let queue = PlaybackQueue(entries: .sample(2), current: EntryID(2), revision: 5)
        var live = try LiveRoom()
        live.room = Room(
            id: RoomID("r"), name: "R", queue: queue, modes: Modes(), positionMs: 42_000, volume: VolumeRail(level: 90))

        #expect(live.state == .paused && live.positionMs == 42_000 && live.room.volume.level == 50)
        #expect(try live.ask(.play()).orders.first == .load(EntryID(2), ItemURI("file:track/1"), fromMs: 42_000, paused: false))
    }

    @Test func `a room that comes back with an empty queue is stopped`() {
        let room = Room(
            id: RoomID("r"), name: "R", queue: PlaybackQueue(), modes: Modes(), positionMs: 42_000, volume: VolumeRail())

        #expect(room.timeline == .stopped)
    }

    // MARK: Next and previous

    @Test(.tags(.specification)) func `two people who press next on the same song skip one song`() throws {
        // Protocol 2.6.
        var live = try LiveRoom.playing(0, of: 4)
        let seen = live.current

        #expect(try live.ask(.next(from: seen)).status == .applied)
        let before = live.room
        #expect(try live.ask(.next(from: seen)) == .noop(.moved))
        #expect(live.room == before && live.currentTitle == "1")
    }

    @Test func `a seek or a step back on a song that is over does nothing`() throws {
        var live = try LiveRoom.playing(1, of: 3)
        let before = live.room
        let other = live.ids[0]

        for command in [Command.previous(from: other), .seek(entry: other, toMs: 5), .skip(entry: other, byMs: 5)] {
            #expect(try live.ask(command) == .noop(.moved))
        }
        #expect(live.room == before)
    }

    @Test func `next goes so many entries on, and plays on`() throws {
        var live = try LiveRoom.playing(0, of: 5)

        let outcome = try live.ask(.next(from: live.current, count: 3))

        #expect(live.currentTitle == "3" && live.state == .buffering)
        #expect(outcome.orders.first?.loads == live.ids[3])
        #expect(outcome.changes == [.current(live.ids[3])])
    }

    @Test func `next by nothing is nothing`() throws {
        var live = try LiveRoom.playing(1, of: 3)
        let before = live.room

        #expect(try live.ask(.next(from: nil, count: 0)) == .noop(.same))
        #expect(try live.ask(.next(from: nil, count: -1)) == .noop(.same))
        #expect(live.room == before)
    }

    @Test func `next goes on as before: paused stays paused, stopped stays stopped`() throws {
        var live = try LiveRoom.playing(0, of: 4)
        try live.ask(.pause)

        let outcome = try live.ask(.next(from: nil))
        #expect(live.state == .paused)
        #expect(outcome.orders.first == .load(live.ids[1], ItemURI("file:track/1"), fromMs: 0, paused: true))
        try live.ask(.stop)
        #expect(try live.ask(.next(from: nil)).orders.isEmpty)
        #expect(live.state == .stopped && live.currentTitle == "2")
    }

    @Test func `next behind the last entry stops at the head, ready to play again`() throws {
        for single in ModeSwitch.allCases {
            var live = try LiveRoom.playing(2, of: 3)
            try live.ask(.setModes(ModeChange(single: single)))

            let outcome = try live.ask(.next(from: nil))
            #expect(outcome.orders == [.stop] && live.state == .stopped && live.currentTitle == "0")
        }
    }

    @Test func `next behind the last entry begins again with repeat`() throws {
        var live = try LiveRoom.playing(2, of: 3)
        try live.ask(.setModes(ModeChange(repeat: true)))

        try live.ask(.next(from: nil, count: 2))
        #expect(live.state == .buffering && live.currentTitle == "1")
    }

    @Test func `a person's next leaves a song that repeats`() throws {
        var live = try LiveRoom.playing(0, of: 3)
        try live.ask(.setModes(ModeChange(repeat: true, single: .on)))
        #expect(live.room.upcoming?.id == live.current && live.room.following?.id == live.ids[1])

        try live.ask(.next(from: nil))
        #expect(live.currentTitle == "1")
    }

    @Test func `previous starts the song again after three seconds, and goes back before`() throws {
        var live = try LiveRoom.playing(1, of: 3)
        live.pass(ms: 3001)

        #expect(try live.ask(.previous(from: live.current)).orders == [.seek(toMs: 0)])
        #expect(live.currentTitle == "1" && live.positionMs == 0)
        live.pass(ms: 3000)
        try live.ask(.previous(from: live.current))
        #expect(live.currentTitle == "0")
        live.hear(.began(live.ids[0]))
        live.pass(ms: 1000)
        #expect(try live.ask(.previous(from: live.current)).orders == [.seek(toMs: 0)])
        try live.ask(.setModes(ModeChange(repeat: true)))
        try live.ask(.previous(from: live.current))
        #expect(live.currentTitle == "2")
    }

    @Test func `previous leaves a live station, which has no beginning`() throws {
        var live = try LiveRoom.playing(0, of: 1)
        try live.ask(.add(.station, at: .end))
        try live.ask(.jump(live.ids[1]))
        live.hear(.began(live.ids[1]))
        live.pass(ms: 60_000)

        try live.ask(.previous(from: live.current))
        #expect(live.currentTitle == "0")
    }

    // MARK: Seeking

    @Test func `a seek stays inside the entry and says which end it met`() throws {
        var live = try LiveRoom.playing(0, of: 1)
        let cases: [(Command, Milliseconds, Outcome.Reason?)] = [
            (.seek(entry: live.current, toMs: 60_000), 60_000, nil), (.seek(entry: nil, toMs: 180_000), 180_000, nil),
            (.seek(entry: nil, toMs: 180_001), 180_000, .ceiling), (.skip(entry: nil, byMs: -10_000), 170_000, nil),
            (.skip(entry: nil, byMs: Milliseconds(1 << 53)), 180_000, .ceiling), (.skip(entry: nil, byMs: .max), 180_000, .ceiling),
            (.skip(entry: nil, byMs: .min), 0, .floor), (.seek(entry: nil, toMs: -1), 0, .floor),
        ]
        for (command, position, reason) in cases {
            let outcome = try live.ask(command)
            #expect(outcome.status == .applied && outcome.reason == reason)
            #expect(outcome.orders == [.seek(toMs: position)] && live.positionMs == position)
        }
    }

    @Test func `a station refuses a seek`() throws {
        var live = try LiveRoom()
        try live.ask(.add(.station, at: .end))
        try live.ask(.play(entry: live.ids[0], positionMs: 5000))

        let refusal = #expect(throws: Refusal.self) { try live.ask(.seek(entry: nil, toMs: 1000)) }
        #expect(refusal?.code == .invalidState)
        #expect(live.orders.first?.fromMs == 0)
    }

    @Test func `a stopped room is paused where it was asked to start, and stop brings it back to the beginning`() throws {
        var live = try LiveRoom(tracks: 1)

        #expect(try live.ask(.seek(entry: nil, toMs: 0)).touched == [.timeline] && live.state == .stopped)
        #expect(try live.ask(.seek(entry: nil, toMs: 30_000)).orders.isEmpty)
        #expect(live.state == .paused && live.positionMs == 30_000)
        var stopped = live
        try stopped.ask(.stop)
        #expect(stopped.state == .stopped && stopped.positionMs == 0)
        #expect(try stopped.ask(.stop) == .noop(.same))
        #expect(try live.ask(.play()).orders.first?.fromMs == 30_000)
    }

    @Test func `a queue that does not play begins paused at the position it was given, and stopped at the beginning`() throws {
        var live = try LiveRoom(tracks: 1)
        for (position, state) in [(Milliseconds(4000), Timeline.State.paused), (0, .stopped)] {
            try live.ask(.replace(base: nil, with: .tracks(2), start: 0, positionMs: position, play: false))
            #expect(live.state == state && live.positionMs == position)
        }
    }

    @Test func `previous at the beginning of the first entry does nothing`() throws {
        var live = try LiveRoom(tracks: 2)
        #expect(try live.ask(.previous(from: nil)) == .noop(.same))
    }
}

extension PlayerOrder {
    var fromMs: Milliseconds? { if case .load(_, _, _, let position, _, _) = self { position } else { nil } }
}
