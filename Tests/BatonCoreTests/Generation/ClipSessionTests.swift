import Testing

/// Which clips of a session sound together, over sessions that are changed at random.
@testable import BatonCore

@Suite struct ClipSessionTests {
    private func session() -> ClipSession {
        ClipSession(
            id: "Zk3f9Q2bXy", name: "Rain", prompt: "slow\npiano", recipe: "baton1 seed=7", author: "Anna", startedMs: 5, once: "phone k1")
    }

    /// A session after random presses and reports of jobs, and the clips that are made.
    private func changed(_ seed: UInt64, _ check: (ClipSession) -> Void) {
        var dice = SeededGenerator(seed)
        var session = session()
        var coming: [Int] = []
        for _ in 0..<60 {
            let layer = PromptLine.Layer.allCases.randomElement(using: &dice)!
            let scene = Int.random(in: 0..<ClipSession.sceneCount, using: &dice)
            switch Int.random(in: 0..<7, using: &dice) {
            case 0, 1: coming.append(session.add(layer, scene: scene, bars: Int.random(in: 1...8, using: &dice)).clip.number)
            case 2: if let number = coming.randomElement(using: &dice) { _ = session.finish(number) }
            case 3: _ = session.remove(layer, scene: scene)
            case 4: _ = session.choose(scene)
            case 5: _ = session.turn(layer, scene: scene, on: Bool.random(using: &dice))
            default: if let scene = session.unmixed { session.mixed(scene, of: session.active(scene), durationMs: 8_000) }
            }
            check(session)
        }
    }

    /// BT-CLP-001
    @Test(arguments: 0..<60 as Range<UInt64>) func `a session is the same after it was kept`(seed: UInt64) {
        var last = ClipSession(text: session().text)
        changed(seed) { last = ClipSession(text: $0.text) }
        var now: ClipSession?
        changed(seed) { now = $0 }
        #expect(last?.text == now?.text && last?.clips == now?.clips && last?.scenes == now?.scenes && last?.current == now?.current)
    }

    /// BT-CLP-003
    @Test(arguments: 0..<60 as Range<UInt64>) func `a cell has one clip that sounds and one that comes at most`(seed: UInt64) {
        changed(seed) { session in
            let cells = Dictionary(grouping: session.clips) { "\($0.layer) \($0.scene)" }.values
            #expect(cells.allSatisfy { cell in cell.count { $0.isMade } <= 1 && cell.count { !$0.isMade } <= 1 })
            #expect(Set(session.clips.map(\.number)).count == session.clips.count)
        }
    }

    @Test(arguments: 0..<60 as Range<UInt64>) func `mixing ends with loops of the clips that sound`(seed: UInt64) {
        var session = session()
        changed(seed) { session = $0 }
        for _ in 0..<ClipSession.sceneCount {
            if let scene = session.unmixed { session.mixed(scene, of: session.active(scene), durationMs: 8_000) }
        }
        #expect(session.unmixed == nil)
        for scene in 0..<ClipSession.sceneCount where !session.active(scene).isEmpty {
            #expect(session.scenes[scene].mixed == session.active(scene))
        }
    }

    /// BT-CLP-007
    @Test func `a clip that is off is not in the loop, and the last one of a scene stays on`() {
        var session = session()
        for layer in [PromptLine.Layer.bass, .lead] { _ = session.finish(session.add(layer, scene: 0, bars: 4).clip.number) }
        #expect(session.turn(.bass, scene: 0, on: false) == .changed && session.active(0) == [2])
        #expect(session.turn(.bass, scene: 0, on: false) == .same && session.turn(.rhythm, scene: 0, on: false) == .empty)
        #expect(session.turn(.lead, scene: 0, on: false) == .last && session.active(0) == [2])
        #expect(ClipSession(text: session.text)?.clips == session.clips)
        #expect(session.turn(.bass, scene: 0, on: true) == .changed && session.active(0) == [1, 2])
        // One that is made anew is heard.
        _ = session.turn(.bass, scene: 0, on: false)
        _ = session.finish(session.add(.bass, scene: 0, bars: 4).clip.number)
        #expect(session.active(0) == [3, 2])
    }

    @Test func `a session from before clips could be turned off has all of them on`() {
        var session = session()
        _ = session.finish(session.add(.bass, scene: 0, bars: 4).clip.number)
        let earlier = session.text.split(separator: "\n").map { $0.hasPrefix("clip ") ? $0.dropLast(2) : $0 }.joined(separator: "\n")
        #expect(ClipSession(text: earlier)?.active(0) == [1])
    }

    @Test func `the clip before sounds until the later one is made`() {
        var session = session()
        let first = session.add(.bass, scene: 0, bars: 4).clip.number
        _ = session.finish(first)
        let second = session.add(.bass, scene: 0, bars: 4).clip.number
        #expect(session.active(0) == [first])
        #expect(session.finish(second) == [first] && session.active(0) == [second])
        #expect(session.add(.bass, scene: 0, bars: 2).dropped.isEmpty && session.add(.bass, scene: 0, bars: 1).dropped == [3])
    }

    @Test func `a clip that is taken out leaves the others as they were`() {
        var session = session()
        _ = session.enter(.bass, scene: 0, bars: 4)
        let before = session.clips
        let second = session.enter(.bass, scene: 0, bars: 2).number
        session.takeOut(second)
        #expect(session.clips == before && session.made == 2)
        session.takeOut(second)
        #expect(session.clips == before && session.add(.bass, scene: 0, bars: 1).dropped == [1])
    }

    @Test func `a job is known by its session and its number`() {
        let session = session()
        #expect(session.number(of: session.job(12)) == 12)
        #expect(session.number(of: "other-c12") == nil && session.number(of: "Zk3f9Q2bXy-cx") == nil)
    }
}
