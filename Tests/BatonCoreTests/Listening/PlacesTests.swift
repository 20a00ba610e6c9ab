import BatonCore
import Testing

/// Where a person goes on in an item, whatever devices report and in whatever order. BT-PLC-001 BT-PLC-002 BT-PLC-003 BT-PLC-004 BT-PLC-005
struct PlacesTests {
    private var places = Places()

    private mutating func report(
        _ session: String, at seconds: Int, from parent: String? = nil, of durationS: Int? = 36_000, isAtEnd: Bool = false
    ) throws -> Places.Change {
        try places.take(
            PlaceReport(
                ListeningSession(SessionID(session), on: "device of \(session)", from: parent.map { SessionID($0) }),
                positionMs: Milliseconds.seconds(seconds), durationMs: durationS.map { Milliseconds.seconds($0) }, isAtEnd: isAtEnd,
                atMs: 0))
    }

    private func hand(_ name: String) -> ListeningSession { ListeningSession(SessionID(name), on: "phone") }
    private var seconds: Int? { places.current.map { Int($0.positionMs.seconds) } }
    private var sides: [Int] { places.sides.map { Int($0.positionMs.seconds) } }

    // MARK: The rule

    @Test mutating func `a session moves its own place, also back`() throws {
        #expect(try report("kitchen", at: 100) == .moved)
        #expect(try report("kitchen", at: 500) == .moved)
        #expect(try report("kitchen", at: 20) == .moved)
        #expect(try report("kitchen", at: 20) == .same)
        #expect(seconds == 20 && sides == [])
    }

    @Test mutating func `the session that started from the place takes it over`() throws {
        _ = try report("kitchen", at: 100)
        #expect(try report("phone", at: 120, from: "kitchen") == .moved)
        #expect(try report("watch", at: 60, from: "phone") == .moved)
        #expect(seconds == 60 && sides == [])
    }

    @Test mutating func `a device that reports late changes nothing`() throws {
        _ = try report("kitchen", at: 100)
        _ = try report("phone", at: 120, from: "kitchen")

        #expect(try report("kitchen", at: 900) == .aside)
        #expect(try report("tablet", at: 5000) == .aside)

        #expect(seconds == 120 && sides == [900, 5000])
        #expect(try report("phone", at: 140, from: "kitchen") == .moved)
    }

    @Test mutating func `a side place moves on with its session, and survives a late report of one that started from it`() throws {
        _ = try report("kitchen", at: 100)
        _ = try report("tablet", at: 5000)
        _ = try report("tablet", at: 5020)
        _ = try report("tablet later", at: 30, from: "tablet")
        #expect(seconds == 100 && sides == [5020, 30])
        _ = try report("tablet", at: 5040)
        _ = try report("tablet later", at: 60, from: "tablet")
        #expect(seconds == 100 && sides == [5040, 60])
    }

    @Test mutating func `a room that pauses often beside the place does not displace the side place of a device`() throws {
        _ = try report("kitchen", at: 100)
        _ = try report("tablet", at: 5000)
        for pause in 1...40 { _ = try report("room \(pause)", at: 200 + pause, from: pause == 1 ? nil : "room \(pause - 1)") }
        #expect(sides.count == Places.mostSides && sides.first == 5000 && sides.last == 240)
    }

    @Test mutating func `a session whose ancestors are heard of later takes its side place along`() throws {
        _ = try report("kitchen", at: 100)
        #expect(try report("watch", at: 300, from: "phone") == .aside)
        #expect(try report("phone", at: 200, from: "kitchen") == .moved)
        #expect(try report("watch", at: 320, from: "phone") == .moved)
        #expect(seconds == 320 && sides == [])
    }

    @Test mutating func `a final 0:00 resets nothing`() throws {
        #expect(try report("kitchen", at: 0) == .same)
        #expect(places.current == nil)
        _ = try report("kitchen", at: 100)
        #expect(try report("kitchen", at: 0) == .same)
        #expect(try report("phone", at: 0, from: "kitchen") == .same)
        #expect(seconds == 100 && sides == [])
    }

    // MARK: Bad reports

    @Test mutating func `a report beyond the end is refused, and one a little behind it is the end`() throws {
        _ = try report("kitchen", at: 100)
        #expect(throws: Refusal.self) { try report("kitchen", at: 36_061) }
        #expect(throws: Refusal.self) { try report("kitchen", at: -1) }
        #expect(seconds == 100)
        #expect(try report("kitchen", at: 36_059) == .moved)
        #expect(seconds == 36_000 && places.current?.isFinished == true)
    }

    @Test mutating func `ancestors in a circle are refused`() throws {
        _ = try report("a", at: 100, from: "b")
        #expect(throws: Refusal.self) { try report("b", at: 900, from: "a") }
        #expect(throws: Refusal.self) { try report("c", at: 900, from: "c") }
        _ = try report("d", at: 200, from: "a")
        #expect(throws: Refusal.self) { try report("b", at: 900, from: "d") }
        // What a session says of its parent later does not count.
        _ = try report("a", at: 300, from: "d")
        #expect(seconds == 200 && sides == [300])
    }

    // MARK: Finished

    @Test(arguments: [(36_000, 35_970, false), (36_000, 35_971, true), (40, 20, false), (40, 21, true)])
    mutating func `with less than half a minute left an item is finished`(durationS: Int, at: Int, isFinished: Bool) throws {
        _ = try report("kitchen", at: at, of: durationS)
        #expect(places.current?.isFinished == isFinished)
    }

    @Test mutating func `an item of unknown length is finished at its end only, and can be heard again`() throws {
        _ = try report("kitchen", at: 500, of: nil)
        #expect(places.current?.isFinished == false)
        _ = try report("kitchen", at: 510, of: nil, isAtEnd: true)
        #expect(places.current?.isFinished == true && places.current?.isInside == false)
        _ = try report("kitchen", at: 30, of: nil)
        #expect(places.current?.isInside == true)
    }

    // MARK: By hand

    @Test mutating func `a side place is restored, and neither session takes the place back`() throws {
        _ = try report("tablet", at: 50)
        _ = try report("kitchen", at: 100, from: "tablet")
        _ = try report("tablet", at: 5000)

        #expect(try places.restore(SessionID("tablet"), by: hand("press"), atMs: 1) == .moved)

        #expect(seconds == 5000 && sides == [100])
        _ = try report("kitchen", at: 120)
        _ = try report("tablet", at: 5020)
        #expect(seconds == 5000)
        _ = try report("kitchen anew", at: 5010, from: "press")
        #expect(seconds == 5010 && sides.sorted() == [120, 5020])
    }

    @Test mutating func `a press that comes twice restores once`() throws {
        _ = try report("kitchen", at: 100)
        _ = try report("tablet", at: 5000)
        _ = try places.restore(SessionID("tablet"), by: hand("press"), atMs: 1)
        let before = places
        #expect(try places.restore(SessionID("tablet"), by: hand("press"), atMs: 2) == .same)
        #expect(places == before)
        #expect(throws: Refusal.self) { try places.restore(SessionID("tablet"), by: hand("another"), atMs: 2) }
    }

    @Test mutating func `finish and reset hold, and what was the place can be restored`() throws {
        _ = try report("kitchen", at: 100)
        #expect(places.finish(durationMs: 36_000_000, by: hand("1"), atMs: 1) == .moved)
        #expect(places.finish(durationMs: 36_000_000, by: hand("2"), atMs: 1) == .same)
        _ = try report("kitchen", at: 120)
        #expect(places.current?.isFinished == true && sides == [120])

        #expect(places.reset(by: hand("3"), atMs: 1) == .moved)
        #expect(places.reset(by: hand("4"), atMs: 1) == .same)
        _ = try report("kitchen", at: 140)
        #expect(seconds == 0 && sides == [140])

        _ = try places.restore(SessionID("kitchen"), by: hand("5"), atMs: 1)
        #expect(seconds == 140 && places.current?.isInside == true)
        #expect(try report("kitchen", at: 160) == .aside)
    }

    // MARK: At a server

    private mutating func found(_ session: String, at seconds: Int, isAhead: Bool, finished: Bool = false) -> Places.Change {
        let place = ItemPlace(
            positionMs: Milliseconds.seconds(seconds), isFinished: finished, session: SessionID(session), device: "server", atMs: 0)
        return places.found(place, isAhead: isAhead)
    }

    @Test mutating func `a place of a server that counts takes over, and no session takes it back that did not start from it`() throws {
        #expect(found("x1", at: 50, isAhead: false) == .moved, "there is none yet")
        _ = try report("kitchen", at: 100, from: "x1")
        #expect(found("x2", at: 900, isAhead: true) == .moved)
        #expect(seconds == 900 && sides == [100])
        #expect(try report("kitchen", at: 120, from: "x1") == .aside)
        #expect(found("x2", at: 920, isAhead: true) == .moved && sides == [120])
        #expect(try report("bath", at: 930, from: "x2") == .moved)
        #expect(seconds == 930 && sides == [120])
    }

    @Test mutating func `a place of a server that does not count is kept once, and a second of rounding is none`() throws {
        _ = try report("kitchen", at: 100)
        #expect(found("x1", at: 900, isAhead: false) == .aside && found("x2", at: 900, isAhead: false) == .same)
        #expect(found("x3", at: 100, isAhead: true) == .same)
        #expect(seconds == 100 && sides == [900] && places.current?.session == SessionID("kitchen"))
        #expect(found("x4", at: 36_000, isAhead: true, finished: true) == .moved)
        #expect(places.current?.isFinished == true && sides == [900, 100])
    }

    // MARK: Properties

    /// Devices that play one after the other and at once, go out of reach and report late. Each knows the place as it was when it
    /// began. What the hub should think follows from who knew of whom, and from nothing else.
    @Test(arguments: seeds) mutating func `the place is that of the last session that knew of it`(seed: UInt64) throws {
        var random = SeededGenerator(seed)
        var late: [(session: String, parent: String?, at: Int)] = []
        var playing: [String] = []
        var parents: [String: String?] = [:]
        var all: Set<Int> = []
        for step in 1..<80 {
            switch random.number(0..<7) {
            case 0:
                let session = "s\(step)"
                parents[session] = random.number(0..<4) == 0 ? nil : places.current?.session.text
                playing.append(session)
            case 1, 2, 3:
                guard let session = playing.randomElement(using: &random) else { continue }
                let at = step * 100 + 1
                let before = places
                let isOwn = before.current.map { descends(session, from: $0.session.text, parents) } ?? true
                all.insert(at)
                let change = try report(session, at: at, from: parents[session] ?? nil)
                #expect(change == (isOwn ? .moved : .aside), "\(seed)")
                #expect(isOwn ? seconds == at && places.sides == before.sides : places.current == before.current, "\(seed)")
            case 4:
                guard let session = playing.randomElement(using: &random) else { continue }
                late.append((session, parents[session] ?? nil, step * 100 + 1))
            case 5:
                guard !late.isEmpty else { continue }
                let one = late.remove(at: random.number(0..<late.count))
                let before = places
                let isOwn = before.current.map { descends(one.session, from: $0.session.text, parents) } ?? true
                _ = try report(one.session, at: one.at, from: one.parent)
                if !isOwn { #expect(places.current == before.current, "\(seed)") }
            default:
                let before = places
                _ = try? report(random.number(0..<2) == 0 ? "bad" : playing.first ?? "bad", at: random.one(of: [0, 40_000, -5]))
                #expect(places.current == before.current && places.sides == before.sides, "\(seed)")
            }
            #expect(places.sides.count <= Places.mostSides && places.lineage.count <= Places.mostStarts, "\(seed)")
            #expect(places.sides.allSatisfy { $0.session != places.current?.session }, "\(seed)")
        }
        #expect(all.isEmpty || places.current != nil, "\(seed)")
    }

    /// The rule in the fewest words: a session has one place, that of its last report, and one of them is *the* place. BT-PLC-001 BT-PLC-005
    private struct Model {
        var current: (session: String, at: Int, isFinished: Bool)?
        var sides: [String: Int] = [:]
        var parents: [String: String?] = [:]

        mutating func report(_ session: String, at: Int, from parent: String?) {
            if parents[session] == nil { parents[session] = .some(parent) }
            if let now = current?.session, !descends(session, from: now) {
                sides[session] = at
            } else {
                sides[session] = nil
                current = (session, at, false)
            }
        }

        /// By hand: the place of a session, or one that is named.
        mutating func set(_ press: String, at: Int, isFinished: Bool = false) {
            if let current, current.at > 0, !current.isFinished { sides[current.session] = current.at }
            parents[press] = .some(nil)
            current = (press, at, isFinished)
        }

        func descends(_ session: String, from ancestor: String) -> Bool {
            var next: String? = session
            while let here = next {
                if here == ancestor { return true }
                next = parents[here] ?? nil
            }
            return false
        }
    }

    /// Up to 16 sessions, whose reports come late and in any order, and what a person sets by hand between them.
    @Test(arguments: seeds) mutating func `random histories leave what the model says`(seed: UInt64) throws {
        var random = SeededGenerator(seed &+ 55)
        var (model, sessions) = (Model(), [(name: String, parent: String?)]())
        for step in 1...120 {
            let at = random.number(1..<35_000)
            switch random.number(0..<12) {
            case 0 where sessions.count < 10:
                let started = [nil, model.current?.session, sessions.randomElement(using: &random)?.name].randomElement(using: &random)
                sessions.append(("s\(step)", started ?? nil))
            case 1 where model.parents.count < 15:
                guard let side = model.sides.keys.sorted().randomElement(using: &random) else { continue }
                let there = model.sides.removeValue(forKey: side) ?? 0
                _ = try places.restore(SessionID(side), by: hand("p\(step)"), atMs: 0)
                model.set("p\(step)", at: there)
            case 2 where model.parents.count < 15:
                guard let current = model.current, !current.isFinished else { continue }
                _ = places.finish(durationMs: 36_000_000, by: hand("p\(step)"), atMs: 0)
                model.set("p\(step)", at: 36_000, isFinished: true)
            case 3 where model.parents.count < 15:
                guard let current = model.current, current.at > 0 else { continue }
                _ = places.reset(by: hand("p\(step)"), atMs: 0)
                model.set("p\(step)", at: 0)
            default:
                guard let session = sessions.randomElement(using: &random) else { continue }
                _ = try report(session.name, at: at, from: session.parent)
                model.report(session.name, at: at, from: session.parent)
            }
            #expect(places.current?.session.text == model.current?.session && seconds == model.current?.at, "\(seed), step \(step)")
            let kept = Dictionary(places.sides.map { ($0.session.text, Int($0.positionMs.seconds)) }) { $0 &- $1 }
            #expect(kept == model.sides && kept.count == places.sides.count, "\(seed), step \(step)")
        }
    }

    private func descends(_ session: String, from ancestor: String, _ parents: [String: String?]) -> Bool {
        var next: String? = session
        while let here = next {
            if here == ancestor { return true }
            next = parents[here] ?? nil
        }
        return false
    }
}
