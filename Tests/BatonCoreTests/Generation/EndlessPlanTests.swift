/// The plan of a room whose music goes on without end: how many pieces are asked for, by whom, and when it ends.
import Testing

@testable import BatonCore

@Suite struct EndlessPlanTests {
    private static func plan(ahead: Int = 2, worker: String? = nil, atMs: Milliseconds = 0) -> EndlessPlan {
        EndlessPlan(
            run: "run1", EndlessPlan.Wish(prompt: "slow rain", durationS: 60, ahead: ahead, worker: worker), author: "Anna", atMs: atMs)
    }

    private static func piece(
        _ number: Int, _ state: GenerationJob.State, isBuiltIn: Bool = true, isAhead: Bool = true, _ sentence: String? = nil
    ) -> EndlessPlan.Piece {
        EndlessPlan.Piece(number: number, state: state, isBuiltIn: isBuiltIn, isAhead: isAhead, sentence: sentence)
    }

    /// A room, its queue and its workers, of which any may do anything at any time. It may be killed between two steps.
    private struct World {
        var plan: EndlessPlan
        var stored: String
        /// In the order of the queue. The first `played` have begun.
        var pieces: [EndlessPlan.Piece] = []
        var played = 0
        var nowMs: Milliseconds = 0
        var asked: [Int] = []

        mutating func act(_ random: inout SeededGenerator) {
            nowMs += Milliseconds(random.next() % 60_000)
            switch random.next() % 8 {
            case 0, 1: if let at = pieces.indices.first(where: { pieces[$0].state == .running }) { pieces[at].state = .ready }
            case 2: if let at = pieces.indices.first(where: { pieces[$0].state == .running }) { pieces[at].state = .failed }
            case 3:
                if let at = pieces.indices.first(where: { pieces[$0].state == .running && !pieces[$0].isBuiltIn }) {
                    pieces[at].state = .offline
                }
            case 4, 5: if played < pieces.count, pieces[played].state == .ready { played += 1 }
            case 6: plan.pressedMs = nowMs
            default:
                // A kill: what was not written is gone, and the jobs are found by their numbers.
                guard let recalled = EndlessPlan(text: stored) else { return }
                plan = recalled
                for piece in pieces where piece.number > plan.made { plan.ask(for: piece.number, recipe: nil) }
            }
            for at in pieces.indices { pieces[at].isAhead = at >= played }
        }

        mutating func look(_ random: inout SeededGenerator) {
            for step in plan.steps(pieces, nowMs: nowMs) {
                switch step {
                case .make(let number, let isBuiltIn):
                    asked.append(number)
                    pieces.append(EndlessPlan.Piece(number: number, state: .running, isBuiltIn: isBuiltIn, isAhead: true))
                    plan.ask(for: number, recipe: "r\(number)")
                case .drop(let number):
                    pieces.removeAll { $0.number == number }
                case .end: break
                }
            }
            if random.next() % 2 == 0 { stored = plan.text }
        }
    }

    /// BT-GEN-017
    @Test(arguments: 0..<100) func `no piece is asked for twice, and never more than wished are ahead`(seed: UInt64) {
        var random = SeededGenerator(seed)
        let plan = Self.plan(ahead: Int(random.next() % 5) + 1, worker: seed % 2 == 0 ? nil : "tones")
        var world = World(plan: plan, stored: plan.text)
        for _ in 0..<300 {
            world.act(&random)
            world.look(&random)
            let ahead = world.pieces.count { $0.isAhead && $0.state != .failed }
            #expect(ahead <= world.plan.wish.ahead)
        }
        #expect(Set(world.asked).count == world.asked.count && world.asked == world.asked.sorted())
        #expect(!world.plan.isOn || world.asked.count >= world.played)
    }

    /// BT-GEN-017
    @Test(arguments: EndlessPlan.aheadRange) func `so many pieces as wished are ahead before it rests`(ahead: Int) {
        var plan = Self.plan(ahead: ahead)
        var pieces: [EndlessPlan.Piece] = []
        while case .make(let number, true)? = plan.steps(pieces, nowMs: 1).first {
            plan.ask(for: number, recipe: nil)
            pieces.append(Self.piece(number, .queued))
        }
        #expect(pieces.map(\.number) == Array(1...ahead))
        pieces[0].isAhead = false
        #expect(plan.steps(pieces, nowMs: 2) == [.make(number: ahead + 1, isBuiltIn: true)])
    }

    /// BT-GEN-017
    @Test func `it ends three hours after the last press, and a press before that keeps it going`() {
        var plan = Self.plan()
        #expect(plan.steps([], nowMs: EndlessPlan.patienceMs - 1) == [.make(number: 1, isBuiltIn: true)])
        plan.pressedMs = EndlessPlan.patienceMs - 1
        #expect(plan.steps([], nowMs: EndlessPlan.patienceMs) == [.make(number: 1, isBuiltIn: true)])
        guard case .end(let sentence)? = plan.steps([], nowMs: EndlessPlan.patienceMs * 2).first else { return #expect(Bool(false)) }
        #expect(sentence.contains("3 hours") && !plan.isOn && plan.steps([], nowMs: EndlessPlan.patienceMs * 2).isEmpty)
    }

    /// BT-GEN-017
    @Test func `the composer takes the place of a worker that is away or fails, and the worker is tried again later`() {
        var plan = Self.plan(ahead: 1, worker: "tones")
        #expect(plan.steps([], nowMs: 0) == [.make(number: 1, isBuiltIn: false)])
        plan.ask(for: 1, recipe: nil)
        let away = [Self.piece(1, .offline, isBuiltIn: false)]
        #expect(plan.steps(away, nowMs: 5) == [.drop(number: 1), .make(number: 2, isBuiltIn: true)])
        plan.ask(for: 2, recipe: nil)
        let later = EndlessPlan.distrustMs + 5
        #expect(plan.steps([Self.piece(2, .ready, isAhead: false)], nowMs: later) == [.make(number: 3, isBuiltIn: false)])
        #expect(
            plan.steps([Self.piece(2, .ready, isAhead: false), Self.piece(3, .failed, isBuiltIn: false)], nowMs: later)
                == [.make(number: 4, isBuiltIn: true)])
    }

    @Test func `three failures in a row end it with the reason`() {
        var plan = Self.plan()
        let pieces = (1...3).map { Self.piece($0, .failed, "There is no sound font.") }
        guard case .end(let sentence)? = plan.steps(pieces, nowMs: 0).first else { return #expect(Bool(false)) }
        #expect(sentence.contains("no sound font"))
    }

    /// BT-GEN-015
    @Test func `a press shapes the piece that was not asked for yet, and counts once`() {
        var plan = Self.plan()
        plan.ask(for: 2, recipe: nil)
        #expect(plan.press(.calmer, once: "a 1") == 3 && plan.press(.calmer, once: "a 1") == 3 && plan.press(.darker, once: "a 2") == 3)
        #expect(plan.steering(of: 3) == [.calmer, .darker] && plan.steering(of: 2).isEmpty)
        plan.ask(for: 3, recipe: nil)
        #expect(plan.press(.brighter, once: "a 3") == 4)
        #expect(plan.press(.calmer, once: "a 1") == 3 && plan.steering(of: 4) == [.brighter])
    }

    /// BT-GEN-017
    @Test(arguments: [("rain  on tin", "Anna Lena", "device key"), ("\u{301}rain", "\u{301}Anna", "\u{301}key")])
    func `a plan is read back from its text`(prompt: String, author: String, key: String) {
        var plan = EndlessPlan(
            run: "run1",
            EndlessPlan.Wish(
                prompt: prompt, durationS: 90, ahead: 3, follow: .prompt, worker: "tones", model: "small", cfg: "6.5"),
            author: author, atMs: 7)
        _ = plan.press(.livelier, once: key)
        _ = plan.steps([Self.piece(1, .offline, isBuiltIn: false)], nowMs: 9)
        plan.ask(for: 4, recipe: "baton1 seed=3")
        #expect(EndlessPlan(text: plan.text) == plan)
        plan.stop("It ended.")
        #expect(EndlessPlan(text: plan.text) == plan)
        #expect(EndlessPlan(text: "") == nil && EndlessPlan(text: "run x\nahead 9") == nil)
    }

    @Test func `a job's id says which piece it is`() {
        let plan = Self.plan()
        #expect(plan.id(12) == "run1-12" && plan.number(of: "run1-12") == 12)
        #expect(plan.number(of: "run12-1") == nil && plan.number(of: "run1-0") == nil && plan.number(of: "run1-x") == nil)
    }
}
