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
        var silences: [Range<Int>] = []
        var at = random.number(0..<3000)
        for _ in 0..<random.number(0..<60) {
            let end = at + random.number(1..<4000)
            silences.append(at..<end)
            at = end + random.number(1..<5000)
        }
        let cuts = SilenceCuts(silences: silences)
        #expect(cuts.removedMs == cuts.cuts.map(\.count).reduce(0, +))
        var before = -1
        for us in stride(from: 0, through: at * 1000, by: 333_000) {
            let left = cuts.leftUs(ofItemUs: us)
            #expect(left >= before, "\(seed)")
            before = left
            let inside = cuts.cuts.contains { $0.lowerBound * 1000 <= us && us < $0.upperBound * 1000 }
            if !inside { #expect(cuts.itemUs(ofLeftUs: left) == us, "\(seed): \(us)") }
            #expect(cuts.leftUs(ofItemUs: cuts.itemUs(ofLeftUs: us)) == us, "\(seed): what is left has a place in the item")
        }
        #expect(cuts.leftUs(ofItemUs: at * 1000) == (at - cuts.removedMs) * 1000, "\(seed)")
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
