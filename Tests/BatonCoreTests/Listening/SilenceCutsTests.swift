import BatonCore
import Testing

/// What is left of an item without its silences. BT-BOK-007
struct SilenceCutsTests {
    @Test func `a part of each long silence stays at both sides, short ones stay whole, and pieces of one are one`() {
        let cuts = SilenceCuts(silences: [1000..<1600, 5000..<7000, 7010..<8000, 20_000..<21_000])
        #expect(cuts.cuts == [5250..<7750, 20_250..<20_750] && cuts.removedMs == 3000)
        #expect(SilenceCuts(silences: [3..<3, 10..<20]).isEmpty)
    }

    @Test(arguments: seeds) func `positions of the item and of what is left belong together`(seed: UInt64) {
        var random = SeededGenerator(seed)
        var silences: [Range<Milliseconds>] = []
        var at = Milliseconds(random.number(0..<3000))
        for _ in 0..<random.number(0..<60) {
            let end = at + Milliseconds(random.number(1..<4000))
            silences.append(at..<end)
            at = end + Milliseconds(random.number(1..<5000))
        }
        let cuts = SilenceCuts(silences: silences)
        #expect(cuts.removedMs == cuts.cuts.reduce(0) { $0 + $1.upperBound - $1.lowerBound })
        var before: Microseconds = -1
        for us in stride(from: 0, through: Microseconds(at).count, by: 333_000).map({ Microseconds($0) }) {
            let left = cuts.leftUs(ofItemUs: us)
            #expect(left >= before, "\(seed)")
            before = left
            let inside = cuts.cuts.contains { Microseconds($0.lowerBound) <= us && us < Microseconds($0.upperBound) }
            if !inside { #expect(cuts.itemUs(ofLeftUs: left) == us, "\(seed): \(us)") }
            #expect(cuts.leftUs(ofItemUs: cuts.itemUs(ofLeftUs: us)) == us, "\(seed): what is left has a place in the item")
        }
        #expect(cuts.leftUs(ofItemUs: Microseconds(at)) == Microseconds(at - cuts.removedMs), "\(seed)")
    }

    @Test func `a sleep timer at the end of a chapter counts what is heard until then`() throws {
        var live = try LiveRoom.playing(0, of: 2)
        live.hear(.chapters(live.ids[0], [0, 60_000].map { ChapterList.Mark(title: "", startMs: $0) }))
        live.room.setCuts(SilenceCuts(silences: [10_000..<30_500]), of: live.ids[0])
        try live.ask(.setSleep(SleepWish(.chapter)))
        #expect(live.room.sleep?.line.leftMs == 40_000)
        try live.ask(.seek(entry: nil, toMs: 40_000))
        #expect(live.room.sleep?.line.leftMs == 20_000)
    }

    @Test func `what is loaded in another form goes on where it is, playing or paused`() throws {
        var live = try LiveRoom.playing(0, of: 2)
        live.pass(ms: 30_000)
        let playing = live.room.reopen(at: live.now)
        #expect(playing.orders.first == .load(live.ids[0], live.room.queue.entries[0].uri, fromMs: 30_000, paused: false))
        live.hear(.began(live.ids[0]))
        try live.ask(.pause)
        let paused = live.room.reopen(at: live.now)
        #expect(paused.orders.first == .load(live.ids[0], live.room.queue.entries[0].uri, fromMs: 30_000, paused: true))
        live.hear(.began(live.ids[0]))
        #expect(live.state == .paused && live.positionMs == 30_000)
        try live.ask(.stop)
        #expect(live.room.reopen(at: live.now).orders.isEmpty)
    }
}
