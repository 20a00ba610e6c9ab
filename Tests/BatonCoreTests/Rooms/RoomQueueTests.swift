import BatonCore
import Testing

/// What an edited queue does to what plays.
struct RoomQueueTests {
    @Test func `who added an entry, and when, is kept with it`() throws {
        var live = try LiveRoom()
        live.now.wallMs = 1_700_000_000_000

        let outcome = try live.ask(.add(.tracks(2), at: .end), by: "ana")

        #expect(outcome.added == live.ids)
        #expect(live.room.queue.entries.allSatisfy { $0.addedBy == "ana" && $0.addedAtMs == 1_700_000_000_000 })
        #expect(try live.ask(.add([], at: .end)) == .noop(.same))
    }

    @Test func `what is added next is what follows`() throws {
        var live = try LiveRoom.playing(0, of: 2)

        let outcome = try live.ask(.add(.tracks(1, from: 9), at: .next))

        #expect(outcome.orders == [.follow(outcome.added[0], ItemURI("file:track/9"))])
        #expect(live.room.upcoming?.id == outcome.added[0])
        #expect(try live.ask(.add(.tracks(1), at: .end)).orders.isEmpty)
    }

    @Test func `removing what plays plays on with the next one`() throws {
        var live = try LiveRoom.playing(1, of: 3)

        let outcome = try live.ask(.remove([live.ids[1]]))

        #expect(live.state == .buffering && live.currentTitle == "2")
        #expect(outcome.orders.first?.loads == live.current)
    }

    @Test func `removing what is paused or stopped stays silent at the next one`() throws {
        for command in [Command.pause, .stop] {
            var live = try LiveRoom.playing(1, of: 3)
            try live.ask(command)
            live.orders = []

            try live.ask(.remove([live.ids[1]]))

            #expect(live.state == .stopped && live.currentTitle == "2" && live.positionMs == 0)
            #expect(live.orders.allSatisfy { $0.loads == nil })
        }
    }

    @Test func `removing the last entry while it plays stops at the head, or goes round with repeat all`() throws {
        var live = try LiveRoom.playing(2, of: 3)
        var round = live
        try round.ask(.setModes(ModeChange(repeat: true)))

        try live.ask(.remove([live.ids[2]]))
        #expect(live.state == .stopped && live.currentTitle == "0" && live.orders == [.stop])
        try round.ask(.remove([round.ids[2]]))
        #expect(round.state == .buffering && round.currentTitle == "0")
    }

    @Test func `removing all there is leaves nothing behind`() throws {
        var live = try LiveRoom.playing(0, of: 2)
        try live.ask(.setModes(ModeChange(repeat: true)))
        live.orders = []

        try live.ask(.remove(live.ids))

        #expect(live.room.timeline.entry == nil && live.state == .stopped && live.orders == [.stop])
        #expect(try live.ask(.remove([EntryID(1)])) == .noop(.same))
    }

    @Test func `removing what was to follow names another follower`() throws {
        var live = try LiveRoom.playing(0, of: 3)

        #expect(try live.ask(.remove([live.ids[1]])).orders == [.follow(live.ids[1], ItemURI("file:track/2"))])
        #expect(try live.ask(.remove([live.ids[1]])).orders == [.followWithNothing])
    }

    @Test func `moving what plays changes what follows and nothing that is heard`() throws {
        var live = try LiveRoom.playing(0, of: 3)

        let outcome = try live.ask(.move([live.ids[0]], to: .end))

        #expect(live.titles == ["1", "2", "0"] && live.currentTitle == "0")
        #expect(outcome.orders == [.followWithNothing])
        #expect(try live.ask(.move([live.current!], to: .end)) == .noop(.same))
    }

    @Test(.tags(.specification)) func `whole queue commands made for another queue are refused`() throws {
        // Protocol 2.10.
        var live = try LiveRoom.playing(0, of: 3)
        let stale = live.room.queue.revision
        try live.ask(.add(.tracks(1), at: .end))
        let before = live.room
        let commands: [Command] = [
            .clear(base: stale, keep: .none), .replace(base: stale, with: .tracks(1), start: 0, positionMs: 0, play: true),
            .shuffle(base: stale),
        ]

        for command in commands {
            let refusal = #expect(throws: Refusal.self) { try live.ask(command) }
            #expect(refusal?.code == .queueConflict && live.room == before)
        }
        #expect(try live.ask(.clear(base: before.queue.revision, keep: .none)).status == .applied)
    }

    @Test func `clearing stops, and clearing all but the current entry plays on alone`() throws {
        var live = try LiveRoom.playing(1, of: 3)

        #expect(try live.ask(.clear(base: nil, keep: .current)).orders == [.followWithNothing])
        #expect(live.titles == ["1"] && live.state == .playing)
        #expect(try live.ask(.clear(base: nil, keep: .none)).orders == [.stop])
        #expect(live.state == .stopped && live.room.timeline.entry == nil)
        #expect(try live.ask(.clear(base: nil, keep: .none)) == .noop(.same))
    }

    @Test func `replacing plays the entry it names, or waits at it`() throws {
        var live = try LiveRoom.playing(1, of: 3)

        var outcome = try live.ask(.replace(base: nil, with: .tracks(3, from: 10), start: 1, positionMs: 5000, play: true))
        #expect(live.titles == ["10", "11", "12"] && live.currentTitle == "11" && live.state == .buffering)
        #expect(outcome.orders.first == .load(live.ids[1], ItemURI("file:track/11"), fromMs: 5000, paused: false))
        outcome = try live.ask(.replace(base: nil, with: .tracks(1), start: 0, positionMs: -7, play: false))
        #expect(outcome.orders == [.stop] && live.state == .stopped && live.positionMs == 0)
        #expect(live.room.timeline.positionMs == 0)
    }

    @Test func `what cannot be done is refused without a trace, and uses no numbers`() throws {
        var live = try LiveRoom.playing(0, of: 3)
        let (room, numbers) = (live.room, live.numbers)
        let commands: [Command] = [
            .add(.tracks(PlaybackQueue.limit), at: .end), .add(.tracks(1), at: .after(EntryID(99))),
            .replace(base: nil, with: .tracks(2), start: 2, positionMs: 0, play: true),
            .replace(base: nil, with: .tracks(2), start: -1, positionMs: 0, play: true),
            .replace(base: nil, with: .tracks(PlaybackQueue.limit + 1), start: 0, positionMs: 0, play: true),
            .move([EntryID(99)], to: .end), .move([live.ids[0]], to: .after(EntryID(99))), .jump(EntryID(99)),
        ]

        for command in commands {
            #expect(throws: Refusal.self) { try live.ask(command) }
            #expect(live.room == room && live.numbers == numbers)
        }
    }
}
