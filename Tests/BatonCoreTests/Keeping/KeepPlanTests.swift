/// What is kept and what comes next: wishes that share tracks, failures that wait, and marks that add up.
import BatonCore
import Testing

@Suite struct KeepPlanTests {
    private static func uri(_ number: Int) -> ItemURI { ItemURI("far:track/\(number)") }
    private static func album(_ numbers: ClosedRange<Int>, _ name: String = "a") -> KeepPlan.Entry {
        KeepPlan.Entry(.item(ItemURI("far:album/\(name)")), title: name, kind: .album, members: numbers.map(uri))
    }

    private func next(_ plan: KeepPlan, _ busy: Set<ItemURI> = [], at us: Microseconds = 0, able: Bool = true) -> ItemURI? {
        plan.next(except: busy, nowUs: us) { _ in able }
    }

    @Test func `tracks come in the order of the wishes, and what is under way is passed over`() {
        var plan = KeepPlan()
        plan.put(Self.album(1...2), [:])
        plan.put(Self.album(3...4, "b"), [:])

        #expect(next(plan) == Self.uri(1))
        #expect(next(plan, [Self.uri(1)]) == Self.uri(2))
        plan.finished(Self.uri(1), bytes: 10)
        plan.finished(Self.uri(2), bytes: 20)
        #expect(next(plan) == Self.uri(3) && next(plan, able: false) == nil)
        #expect(plan.bytes == 30 && plan.wholeCount == 2)
    }

    @Test func `a track that several wishes hold is dropped with the last of them`() {
        var plan = KeepPlan()
        plan.put(Self.album(1...3), [:])
        plan.put(Self.album(3...4, "b"), [:])
        plan.finished(Self.uri(3), bytes: 7)

        #expect(plan.remove(Self.album(1...3).wish) == [Self.uri(1), Self.uri(2)])
        #expect(plan.bytes == 7 && plan.mark(of: Self.uri(3))?.isWhole == true)
        #expect(plan.put(Self.album(4...4, "b"), [:]) == [Self.uri(3)])
        #expect(plan.bytes == 0 && plan.wholeCount == 0 && plan.mark(of: Self.uri(3)) == nil)
    }

    @Test func `a track that failed waits, each time twice as long, and comes at once when its server is back`() {
        var plan = KeepPlan()
        plan.put(Self.album(1...1), [:])
        plan.failed(Self.uri(1), "It broke off.", nowUs: 0)
        #expect(next(plan, at: 59_000_000) == nil && next(plan, at: 60_000_000) == Self.uri(1) && plan.nextTryUs() == 60_000_000)
        plan.failed(Self.uri(1), "It broke off.", nowUs: 60_000_000)
        #expect(next(plan, at: 179_000_000) == nil && next(plan, at: 180_000_000) == Self.uri(1))
        for _ in 0..<20 { plan.failed(Self.uri(1), "It broke off.", nowUs: 0) }
        #expect(next(plan, at: 3_600_000_000) == Self.uri(1))
        plan.forgetTroubles { _ in true }
        #expect(next(plan) == Self.uri(1))
    }

    @Test func `what its server does not have any more is not asked for again`() {
        var plan = KeepPlan()
        plan.put(Self.album(1...2), [:])
        plan.failed(Self.uri(1), "There is no such track.", nowUs: 0, isGone: true)
        #expect(next(plan, at: .max) == Self.uri(2))
        #expect(plan.mark(of: Self.uri(1)) == KeepMark(percent: 0, hasLeft: true))
    }

    @Test func `marks say how much is there, and all of it is only what is whole`() {
        var plan = KeepPlan()
        let album = Self.album(1...3)
        plan.put(album, [:])
        plan.note(KeepPlan.Progress(done: 999, total: 1000), of: Self.uri(1))
        #expect(plan.mark(of: Self.uri(1)) == KeepMark(percent: 99))
        plan.note(KeepPlan.Progress(done: 1000, total: 1000), of: Self.uri(1))
        #expect(plan.mark(of: Self.uri(1)) == KeepMark(percent: 99))
        plan.finished(Self.uri(1), bytes: 1000)
        #expect(plan.mark(of: Self.uri(1))?.isWhole == true && plan.mark(of: ItemURI("far:album/a")) == KeepMark(percent: 33))
        plan.lose(Self.uri(1))
        #expect(plan.mark(of: ItemURI("far:album/a")) == KeepMark(percent: 0) && plan.bytes == 0 && next(plan) == Self.uri(1))
    }

    @Test(arguments: 0..<100) func `sums are those of the tracks after any changes`(seed: UInt64) {
        var random = SeededGenerator(seed)
        var plan = KeepPlan()
        for _ in 0..<200 {
            let track = Self.uri(Int.random(in: 0..<30, using: &random))
            switch Int.random(in: 0..<6, using: &random) {
            case 0, 1:
                let from = Int.random(in: 0..<25, using: &random)
                plan.put(Self.album(from...(from + Int.random(in: 0..<5, using: &random)), "\(Int.random(in: 0..<4, using: &random))"), [:])
            case 2: _ = plan.remove(Self.album(0...0, "\(Int.random(in: 0..<4, using: &random))").wish)
            case 3: plan.lose(track)
            default: plan.finished(track, bytes: Int64.random(in: 1...1000, using: &random))
            }
            let wanted = Set(plan.entries.flatMap(\.members))
            #expect(Set(plan.tracks.keys) == wanted, "seed \(seed)")
            #expect(plan.bytes == plan.tracks.values.reduce(0) { $0 + ($1.bytes ?? 0) }, "seed \(seed)")
            #expect(plan.wholeCount == plan.tracks.values.count { $0.bytes != nil }, "seed \(seed)")
            for entry in plan.entries {
                #expect(entry.whole == entry.members.count { plan.tracks[$0]?.bytes != nil }, "seed \(seed)")
            }
        }
    }
}
