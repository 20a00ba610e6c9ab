import BatonCore
import Testing

@testable import BatonJoining

/// When the player of a joined room starts a prepared track, and when a measured difference counts.
@Suite struct JoinedTimingTests {
    /// A room that plays from its beginning at time 0.
    private let line = ServerRoomClock(positionMs: 0, isPaused: false, atUs: 0)

    @Test func `a track is prepared where the room will be, and started when the room is there`() {
        var timing = JoinedTiming()
        let target = timing.target(on: line, isLoaded: false, atUs: 1_000_000)
        let dueUs = timing.prepare(at: target, on: line, atUs: 1_000_000)

        #expect(target > 1_000 && dueUs == Microseconds(Milliseconds(target)))
        #expect(timing.target(on: line, isLoaded: true, atUs: 1_000_000) == 1_250)
    }

    @Test(arguments: [(0, JoinedTiming.Start.late), (60_000, .late), (60_001, .tooLate)] as [(Microseconds, JoinedTiming.Start)])
    func `a track that loads late is started while the speed can correct it`(lateUs: Microseconds, start: JoinedTiming.Start) {
        var timing = JoinedTiming()
        let dueUs = timing.prepare(at: 500, on: line, atUs: 0)
        timing.waitForLoad()
        let starts = [timing.loaded(atUs: dueUs + lateUs), timing.loaded(atUs: dueUs + lateUs)]

        #expect(starts == [start, .inTime])
    }

    @Test func `a track that was given up does not start when it is loaded`() {
        var timing = JoinedTiming()
        _ = timing.prepare(at: 500, on: line, atUs: 0)
        timing.waitForLoad()
        timing.halt()
        let start = timing.loaded(atUs: 600_000)

        #expect(start == .inTime)
    }

    @Test func `a failed track is tried again after five seconds, another one at once`() {
        var timing = JoinedTiming()
        timing.failed(atUs: 1_000_000)
        #expect(!timing.mayLoad(atUs: 5_999_999) && timing.mayLoad(atUs: 6_000_000))
        timing.trackChanged()
        #expect(timing.mayLoad(atUs: 1_000_000))
    }

    @Test func `a difference counts a while after the start and after each change of speed`() {
        var timing = JoinedTiming()
        let dueUs = timing.prepare(at: 500, on: line, atUs: 0)
        let steps = [
            timing.correct(driftMs: 50, atUs: dueUs + 1_499_999), timing.correct(driftMs: 50, atUs: dueUs + 1_500_000),
            timing.correct(driftMs: 1, atUs: dueUs + 2_999_999), timing.correct(driftMs: 1, atUs: dueUs + 3_000_000),
        ]

        #expect(steps == [.none, .speed(995), .none, .speed(1000)] && timing.speed == 1000)
    }

    @Test func `the first difference after a start is learned for the next one`() {
        var timing = JoinedTiming()
        let before = timing.target(on: line, isLoaded: true, atUs: 0)
        let dueUs = timing.prepare(at: 500, on: line, atUs: 0)
        _ = timing.correct(driftMs: -10, atUs: dueUs + 1_500_000)
        _ = timing.correct(driftMs: -10, atUs: dueUs + 1_600_000)

        #expect(timing.target(on: line, isLoaded: true, atUs: 0) == before + 5)
    }
}
