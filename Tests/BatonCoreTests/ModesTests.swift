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
    }

    @Test func `a mode that is already so is no change`() throws {
        var live = try LiveRoom(tracks: 2)

        #expect(try live.ask(.setModes(ModeChange())) == .noop(.same))
        #expect(try live.ask(.setModes(NamedMode.once.change)) == .noop(.same))
        #expect(try live.ask(.setModes(ModeChange(repeat: .all))).mustBeKept)
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
}
