import BatonCore
import Testing

struct VolumeRailTests {
    @Test(arguments: seeds)
    func `a level never leaves its rails`(seed: UInt64) {
        var random = SeededGenerator(seed)
        let figures = [Int.min, -1, 0, 1, 30, 99, 100, 101, 1 << 53, .max]
        var rail = VolumeRail(
            level: random.one(of: figures), floor: random.number(-20..<120), ceiling: random.number(-20..<120),
            startMax: random.number(-20..<120))

        for _ in 0..<20 {
            _ = rail.set(to: random.chance(50) ? random.one(of: figures) : random.number(-50..<150))
            #expect((0...100).contains(rail.floor) && (rail.floor...100).contains(rail.ceiling))
            #expect((rail.floor...rail.ceiling).contains(rail.level))
            let restarted = rail.afterRestart()
            #expect(restarted.level <= restarted.startMax && restarted.level <= rail.level)
            #expect((rail.floor...rail.ceiling).contains(restarted.level))
        }
    }

    @Test func `a volume that is cut to a limit says to which`() {
        var rail = VolumeRail(floor: 10, ceiling: 60)

        #expect(rail.set(to: 61) == .ceiling)
        #expect(rail.set(to: 60) == nil)
        #expect(rail.set(to: 9) == .floor)
        #expect(rail.set(to: 10) == nil)
    }

    @Test func `gain is the cube of the level, and silence is silence`() {
        for level in 0...100 {
            let part = Double(level) / 100
            #expect(abs(VolumeRail(level: level).gain - part * part * part) < 1e-12)
        }
        var muted = VolumeRail(level: 70)
        muted.muted = true
        #expect(muted.gain == 0)
        #expect(VolumeRail(level: 0).gain == 0)
        #expect(VolumeRail(level: 100).gain == 1)
    }

    @Test func `a new room starts at thirty and restarts at fifty at most`() {
        #expect(VolumeRail().level == 30)
        #expect(VolumeRail(level: 90).afterRestart().level == 50)
        #expect(VolumeRail(level: 20).afterRestart().level == 20)
        #expect(VolumeRail(level: 90, startMax: 70).afterRestart().level == 70)
    }

    @Test func `a floor above the start level wins, so that both hold`() {
        let rail = VolumeRail(level: 80, floor: 60, startMax: 50)

        #expect(rail.startMax == 60)
        #expect(rail.afterRestart().level == 60)
    }

    @Test func `a room says which rail it met, also when it stood there already`() throws {
        var live = try LiveRoom()
        live.room = Room(id: RoomID("r"), name: "R", volume: VolumeRail(level: 58, floor: 5, ceiling: 60))

        let met = try live.ask(.setLevel(100))
        #expect(met.status == .applied && met.reason == .ceiling && live.room.volume.level == 60)
        #expect(met.orders == [.setGain(live.room.volume.gain)] && met.touched == [.volume])
        let again = try live.ask(.stepLevel(by: 5))
        #expect(again.status == .applied && again.reason == .ceiling && again.orders.isEmpty && again.touched.isEmpty)
        let down = try live.ask(.stepLevel(by: .min))
        #expect(down.reason == .floor && live.room.volume.level == 5)
        #expect(try live.ask(.setLevel(5)) == .noop(.same))
    }

    @Test func `turning the knob ends the silence of mute`() throws {
        var live = try LiveRoom()

        #expect(try live.ask(.setMute(true)).orders == [.setGain(0)])
        #expect(try live.ask(.setMute(true)) == .noop(.same))
        try live.ask(.stepLevel(by: 1))
        #expect(!live.room.volume.muted && live.room.volume.level == 31)
    }
}
