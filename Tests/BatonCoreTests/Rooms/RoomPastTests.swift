/// A room that goes back in what is stored of a station: how far behind it is, and what its player is told.
import Testing

@testable import BatonCore

@Suite struct RoomPastTests {
    private static let hour: Milliseconds = 3_600_000
    private static let wallMs: Milliseconds = 1_800_000_000_000

    /// A station that has played for a while, of which an hour is stored.
    private func playing(reachMs: Milliseconds? = hour) throws -> LiveRoom {
        var live = try LiveRoom()
        live.now = Moment(us: 1_000_000, wallMs: Self.wallMs)
        try live.ask(.add(.station, at: .end))
        try live.ask(.play())
        live.hear(.began(live.ids[0]))
        pass(seconds: 60, &live)
        live.hear(.past(live.ids[0], ageMs: 4000, reachMs: reachMs, atUs: live.now.us))
        live.orders = []
        return live
    }

    private func pass(seconds: Int, _ live: inout LiveRoom) {
        live.now.us += Microseconds(seconds * 1_000_000)
        live.now.wallMs += Milliseconds.seconds(seconds)
    }

    private func behind(_ live: LiveRoom) -> Milliseconds? { live.room.timeline.behindMs(atUs: live.now.us) }

    private func loaded(_ live: LiveRoom) -> (past: RewindPoint?, paused: Bool)? {
        for order in live.orders.reversed() { if case .load(_, _, _, _, let paused, let past) = order { return (past, paused) } }
        return nil
    }

    /// BT-RAD-020 BT-RAD-023
    @Test func `going back begins with what was received then, and stays so far behind`() throws {
        var live = try playing()
        #expect(behind(live) == nil)
        try live.ask(.rewind(entry: nil, to: .by(ms: 600_000)))
        #expect(loaded(live)?.past == .received(atMs: live.now.wallMs - 604_000))
        #expect(live.state == .buffering && behind(live) == 604_000)
        live.hear(.began(live.ids[0]))
        pass(seconds: 100, &live)
        #expect(live.state == .playing && behind(live) == 604_000)
        try live.ask(.skip(entry: nil, byMs: 30_000))
        #expect(behind(live) == 574_000)
        try live.ask(.rewind(entry: nil, to: .received(atMs: live.now.wallMs - 120_000)))
        #expect(behind(live) == 120_000)
        try live.ask(.rewind(entry: nil, to: .position(77, atMs: live.now.wallMs - 300_000)))
        #expect(loaded(live)?.past == .position(77) && behind(live) == 300_000)
    }

    /// BT-RAD-021 BT-RAD-022
    @Test func `a pause keeps its place, and the time that it lasts is added`() throws {
        var live = try playing()
        try live.ask(.pause)
        #expect(behind(live) == 4000)
        pass(seconds: 300, &live)
        #expect(behind(live) == 304_000)
        #expect(live.room.storedPositionMs(at: live.now) == live.now.wallMs - 304_000)
        try live.ask(.play())
        #expect(loaded(live) == nil)
        pass(seconds: 50, &live)
        #expect(behind(live) == 304_000)
        #expect(live.room.timeline.reachMs(atUs: live.now.us) == Self.hour + 350_000)
    }

    @Test func `the past has an end, and so has the way forward`() throws {
        var live = try playing()
        let far = try live.ask(.rewind(entry: nil, to: .by(ms: Self.hour * 3)))
        #expect(far.reason == .floor && behind(live) == Self.hour)
        live.hear(.began(live.ids[0]))
        let near = try live.ask(.rewind(entry: nil, to: .by(ms: Self.hour * -3)))
        #expect(near.reason == .ceiling && behind(live) == nil)
        #expect(loaded(live)?.past == nil)
        #expect(try live.ask(.rewind(entry: nil, to: .by(ms: -5000))) == .noop(.same))
        #expect(try live.ask(.rewind(entry: nil, to: .live)) == .noop(.same))
        #expect(try live.ask(.rewind(entry: EntryID(999), to: .live)) == .noop(.moved))
    }

    @Test func `a paused room goes back and stays paused, and live plays`() throws {
        var live = try playing()
        try live.ask(.pause)
        try live.ask(.rewind(entry: nil, to: .by(ms: 60_000)))
        #expect(loaded(live)?.paused == true && live.state == .paused && behind(live) == 64_000)
        try live.ask(.rewind(entry: nil, to: .live))
        #expect(loaded(live)?.paused == false && live.state == .buffering && behind(live) == nil)
    }

    @Test func `without a past nothing goes back, and what is no station has none`() throws {
        var live = try playing(reachMs: nil)
        for command in [Command.rewind(entry: nil, to: .by(ms: 1000)), .rewind(entry: nil, to: .live), .skip(entry: nil, byMs: -1000)] {
            #expect(throws: Refusal.self) { try live.ask(command) }
        }
        var track = try LiveRoom.playing(0, of: 2)
        track.hear(.past(track.ids[0], ageMs: 4000, reachMs: 9000, atUs: track.now.us))
        #expect(track.room.timeline.reachMs == nil)
        #expect(throws: Refusal.self) { try track.ask(.rewind(entry: nil, to: .by(ms: 1000))) }
    }

    /// BT-RAD-022
    @Test func `a room that was behind is there again after a restart, and one that was live is not`() throws {
        var live = try playing()
        try live.ask(.rewind(entry: nil, to: .by(ms: 600_000)))
        for keeps in [true, false] {
            if !keeps { try live.ask(.rewind(entry: nil, to: .live)) }
            let kept = live.room.storedPositionMs(at: live.now)
            var again = live
            pass(seconds: 30, &again)
            again.room = Room(
                id: live.room.id, name: "", queue: live.room.queue, modes: Modes(), positionMs: kept, volume: VolumeRail(), at: again.now)
            #expect(behind(again) == (keeps ? 634_000 : nil) && again.state == (keeps ? .paused : .stopped))
            again.orders = []
            try again.ask(.play())
            #expect(loaded(again)?.past == (keeps ? .received(atMs: live.now.wallMs - 604_000) : nil))
        }
    }

    @Test func `a stop, another entry and another station forget the place`() throws {
        var live = try playing()
        try live.ask(.add(.station, at: .end))
        try live.ask(.rewind(entry: nil, to: .by(ms: 600_000)))
        live.hear(.began(live.ids[0]))
        try live.ask(.next(from: nil))
        #expect(behind(live) == nil && loaded(live)?.past == nil)
        try live.ask(.jump(live.ids[0]))
        #expect(behind(live) == nil && loaded(live)?.past == nil)
        live.hear(.began(live.ids[0]))
        live.hear(.past(live.ids[0], ageMs: 4000, reachMs: Self.hour, atUs: live.now.us))
        try live.ask(.rewind(entry: nil, to: .by(ms: 600_000)))
        try live.ask(.stop)
        #expect(live.room.timeline.behindMs == nil && live.room.timeline.reachMs == nil)
    }

    @Test func `what a player measures corrects the line only where it is far off`() throws {
        var live = try playing()
        try live.ask(.rewind(entry: nil, to: .by(ms: 600_000)))
        live.hear(.began(live.ids[0]))
        pass(seconds: 10, &live)
        #expect(live.hear(.past(live.ids[0], ageMs: 607_000, reachMs: Self.hour + 10_000, atUs: live.now.us)).touched == [])
        #expect(behind(live) == 604_000)
        // It went over a gap of two minutes, and old sound was removed.
        #expect(live.hear(.past(live.ids[0], ageMs: 484_000, reachMs: 3_000_000, atUs: live.now.us)).touched == [.timeline])
        #expect(behind(live) == 484_000 && live.room.timeline.reachMs(atUs: live.now.us) == 3_000_000)
        // Its past is not there, so it is heard as it comes.
        live.hear(.past(live.ids[0], ageMs: nil, reachMs: nil, atUs: live.now.us))
        #expect(behind(live) == nil)
    }

    @Test func `another room goes on where this one was, and another player too`() throws {
        var source = try playing()
        try source.ask(.rewind(entry: nil, to: .by(ms: 600_000)))
        source.hear(.began(source.ids[0]))
        #expect(
            source.room.changePlayer(at: source.now).orders.contains { order in
                if case .load(_, _, _, _, _, past: .received(atMs: source.now.wallMs - 604_000)) = order { true } else { false }
            })
        var target = try LiveRoom()
        target.now = source.now
        let outcome = try target.room.takeOver(source.room, copying: false, by: nil, at: target.now, numbers: &target.numbers)
        target.orders = outcome.orders
        #expect(loaded(target)?.past == .received(atMs: source.now.wallMs - 604_000) && behind(target) == 604_000)
    }

    /// Whatever is pressed and measured, a room is never ahead of what comes, nor further back than what is stored.
    @Test(arguments: seeds) func `a room is never further back than its past`(seed: UInt64) throws {
        var random = SeededGenerator(seed)
        var live = try playing(reachMs: 60_000)
        for _ in 0..<60 {
            let ms = Milliseconds(random.next() % 240_000) - 120_000
            switch random.next() % 7 {
            case 0: try live.ask(.rewind(entry: nil, to: .by(ms: ms)))
            case 1: try live.ask(.rewind(entry: nil, to: .received(atMs: live.now.wallMs + ms)))
            case 2: try live.ask(.rewind(entry: nil, to: .live))
            case 3: try live.ask(.pause)
            case 4: try live.ask(.play())
            case 5: live.hear(.began(live.ids[0]))
            default: pass(seconds: Int(random.next() % 20), &live)
            }
            let reach = try #require(live.room.timeline.reachMs(atUs: live.now.us))
            if let behind = behind(live) { #expect(0...reach ~= behind, "seed \(seed)") }
            let isStanding = live.room.timeline.rate == 0
            #expect(isStanding == (live.state != .playing))
            if live.state == .paused { #expect(behind(live) != nil, "seed \(seed)") }
        }
    }
}
