import BatonCore
import Testing

/// Laws of a room, tried with people who press everything and a player that is heard late.
struct RoomPropertyTests {
    @Test(arguments: seeds) func `what a room shows is what its player does, once both have heard all`(seed: UInt64) {
        var scene = Scene(seed: seed)

        for _ in 0..<12 {
            for _ in 0..<scene.random.number(1..<25) { scene.somethingHappens() }
            scene.settle()
            scene.expectAgreement()
        }
    }

    @Test(arguments: seeds) func `news that come twice or long after break no law, and a jump puts all right`(seed: UInt64) throws {
        var scene = Scene(seed: seed)
        scene.isNoisy = true

        for _ in 0..<200 { scene.somethingHappens() }

        scene.isNoisy = false
        scene.settle()
        scene.ask(.clear(base: nil, keep: .none))
        scene.ask(.add(.tracks(3), at: .end))
        scene.ask(.jump(scene.room.queue.entries[1].id))
        scene.settle()
        scene.expectAgreement()
        #expect(scene.room.timeline.state == .playing)
    }

    @Test(arguments: seeds) func `as many songs are skipped as people who meant the current one asked for`(seed: UInt64) throws {
        var random = SeededGenerator(seed)
        var live = try LiveRoom(tracks: 200)
        try live.ask(.play())
        var seen = [EntryID?](repeating: live.current, count: 5)
        var asked: [EntryID: Int] = [:]

        for _ in 0..<300 {
            let person = random.number(0..<5)
            if random.chance(50) {
                seen[person] = live.current
            } else if let entry = seen[person] {
                let outcome = try live.ask(.next(from: entry))
                if outcome.status == .applied { asked[entry, default: 0] += 1 }
            }
        }

        // No entry was skipped twice, and the room has advanced by exactly the number of skipped entries.
        #expect(asked.values.allSatisfy { $0 == 1 })
        #expect(live.room.queue.currentIndex == asked.count)
    }

    @Test(arguments: seeds) func `no figure from outside ends the process or breaks a law`(seed: UInt64) {
        let figures: [Int] = [.min, .min + 1, -1 << 53, -1 << 31, -1, 0, 1, 1 << 31, 1 << 53, .max - 1, .max]
        var scene = Scene(seed: seed)

        for _ in 0..<200 {
            let (one, two) = (scene.random.one(of: figures), scene.random.one(of: figures))
            let (ms, us) = (Milliseconds(one), Microseconds(two))
            let entry = scene.random.chance(30) ? nil : scene.room.queue.current
            if scene.random.chance(20) { scene.now.us = us }
            switch scene.random.number(0..<12) {
            case 0: scene.ask(.play(entry: entry, positionMs: ms))
            case 1: scene.ask(.next(from: entry, count: one))
            case 2: scene.ask(.previous(from: entry, restartMs: ms))
            case 3: scene.ask(.seek(entry: entry, toMs: ms))
            case 4: scene.ask(.skip(entry: entry, byMs: ms))
            case 5: scene.ask(.setLevel(one))
            case 6: scene.ask(.stepLevel(by: one))
            case 7: scene.ask(.setModes(scene.modeChange(speed: one)))
            case 8:
                scene.ask(
                    .replace(base: nil, with: .tracks(4, minutes: scene.random.chance(50) ? 3 : nil), start: 0, positionMs: ms, play: true)
                )
            case 9: scene.ask(.clear(base: one, keep: .none))
            case 10:
                scene.hear(.line(entry ?? EntryID(1), positionMs: ms, atUs: us, rate: scene.random.one(of: [0, 1000, one])))
            default:
                scene.hear(
                    scene.random.chance(50) ? .began(entry ?? EntryID(1)) : .described(entry ?? EntryID(1), Tags(durationMs: ms), nil))
            }
        }
    }
}

/// A room, its player, and the news and orders on their way between the two.
private struct Scene {
    let seed: UInt64
    var random: SeededGenerator
    var room = Room(id: RoomID("living"), name: "Living room")
    var numbers = EntryNumbers()
    var now = Moment(us: 0)
    var player = SimulatedPlayer()
    /// Whether old news is heard again.
    var isNoisy = false
    private var mirror = MirroredQueue()
    private var orders: [PlayerOrder] = []
    private var reports: [PlayerReport] = []
    private var heard: [PlayerReport] = []
    private var made = 0

    init(seed: UInt64) {
        self.seed = seed
        random = SeededGenerator(seed)
    }

    // MARK: What happens

    mutating func somethingHappens() {
        now.random = random.next()
        switch random.number(0..<100) {
        case 0..<35: ask(command())
        case 35..<55: deliverOrder()
        case 55..<75: deliverReport()
        case 75..<90: pass(ms: Milliseconds(random.number(0..<1500)))
        case 90..<94: reports += player.stall(random.chance(50))
        case 94..<97 where isNoisy && !heard.isEmpty: hear(random.one(of: heard))
        default: reports += player.line(atUs: now.us)
        }
    }

    /// Until nothing is on its way any more.
    mutating func settle() {
        reports += player.stall(false)
        for _ in 0..<10_000 where !orders.isEmpty || !reports.isEmpty || player.deck?.hasBegun == false {
            if !orders.isEmpty {
                deliverOrder()
            } else if !reports.isEmpty {
                deliverReport()
            } else {
                reports += player.open()
            }
        }
        now.us += 1
        for report in player.line(atUs: now.us) { hear(report) }
    }

    private mutating func pass(ms: Milliseconds) {
        now.us += Microseconds(ms)
        reports += player.play(forMs: ms)
    }

    private mutating func deliverOrder() {
        if !orders.isEmpty { player.obey(orders.removeFirst()) }
        if random.chance(50) { reports += player.open() }
    }

    private mutating func deliverReport() {
        guard !reports.isEmpty else { return }
        heard.append(reports[0])
        hear(reports.removeFirst())
    }

    // MARK: What people ask

    private mutating func entry() -> EntryID {
        guard !room.queue.isEmpty, !random.chance(5) else { return EntryID(UInt64(random.number(1..<1000))) }
        return random.one(of: room.queue.entries).id
    }

    private mutating func guardEntry() -> EntryID? { random.chance(30) ? nil : random.chance(70) ? room.queue.current : entry() }

    private mutating func place() -> InsertionPoint {
        switch random.number(0..<4) {
        case 0: .next
        case 1: .end
        case 2: .after(nil)
        default: .after(entry(), orEnd: random.chance(50))
        }
    }

    private mutating func items() -> [NewEntry] {
        let count = random.number(0..<4)
        made += count
        return .tracks(count, from: made, minutes: nil).map {
            NewEntry(uri: $0.uri, tags: Tags(title: $0.tags.title, durationMs: SimulatedPlayer.lengthMs($0.uri)))
        }
    }

    private mutating func ids() -> [EntryID] {
        random.some(of: room.queue.entries.map(\.id), atMost: 3) + (random.chance(10) ? [entry()] : [])
    }

    mutating func modeChange(speed: Int? = nil) -> ModeChange {
        var change = ModeChange(speed: speed ?? random.one(of: [500, 1000, 2000]))
        if random.chance(50) { change.single = random.one(of: ModeSwitch.allCases) }
        if random.chance(50) { change.consume = random.one(of: ModeSwitch.allCases) }
        for (_, flag) in Modes.flags where random.chance(50) { change[keyPath: flag] = random.chance(50) }
        return change
    }

    private mutating func command() -> Command {
        switch random.number(0..<26) {
        case 0...2: .play()
        case 3: .play(entry: entry(), positionMs: random.chance(50) ? nil : Milliseconds(random.number(-10..<9000)))
        case 4...5: .pause
        case 6: .stop
        case 7...9: .next(from: guardEntry(), count: random.number(0..<4))
        case 10...11: .previous(from: guardEntry())
        case 12: .jump(entry())
        case 13: .seek(entry: guardEntry(), toMs: Milliseconds(random.number(-100..<9000)))
        case 14: .skip(entry: guardEntry(), byMs: Milliseconds(random.number(-3000..<3000)))
        case 15: .setLevel(random.number(-5..<110))
        case 16: .stepLevel(by: random.number(-20..<20))
        case 17: .setMute(random.chance(50))
        case 18: .setModes(random.one(of: NamedMode.allCases).change)
        case 19: .setModes(modeChange())
        case 20...21: .add(items(), at: place())
        case 22: .remove(ids())
        case 23: .move(ids(), to: place())
        case 24: .shuffle(base: random.chance(50) ? nil : room.queue.revision)
        default:
            random.chance(30)
                ? .clear(base: nil, keep: random.chance(70) ? .current : .none)
                : .replace(base: random.chance(10) ? 0 : nil, with: items(), start: 0, positionMs: 0, play: random.chance(50))
        }
    }

    mutating func ask(_ command: Command) {
        let (before, numbersBefore) = (room, numbers)
        do throws(Refusal) {
            let outcome = try room.apply(command, by: "someone", at: now, numbers: &numbers)
            take(outcome, from: before)
            expectOnlyNamed(command, before, outcome)
        } catch {
            #expect(room == before && numbers == numbersBefore, "\(seed): refused \(command)")
        }
    }

    mutating func hear(_ report: PlayerReport) {
        let before = room
        take(room.hear(report, at: now), from: before)
    }

    private mutating func take(_ outcome: Outcome, from before: Room) {
        orders += outcome.orders
        for change in outcome.changes { mirror.follow(change) }
        expectLaws(outcome, before)
    }

    // MARK: What must be so

    private func expectLaws(_ outcome: Outcome, _ before: Room) {
        let (queue, line) = (room.queue, room.timeline)
        #expect(mirror == MirroredQueue(queue), "\(seed): changes do not add up")
        #expect(Set(mirror.ids).count == mirror.ids.count, "\(seed)")
        #expect(queue.isEmpty ? queue.current == nil : queue.currentEntry != nil, "\(seed)")
        #expect(line.entry == queue.current, "\(seed)")
        #expect((line.rate > 0) == (line.state == .playing), "\(seed): \(line)")
        #expect(line.rate == 0 || line.rate == room.modes.speed, "\(seed)")
        #expect(line.positionMs >= 0, "\(seed)")
        #expect(line.entry != nil || line.state == .stopped, "\(seed)")
        #expect((room.volume.floor...room.volume.ceiling).contains(room.volume.level), "\(seed)")
        let differs = MirroredQueue(queue) != MirroredQueue(before.queue)
        #expect(differs ? queue.revision > before.queue.revision : queue.revision >= before.queue.revision, "\(seed)")
        if outcome.status == .noop { #expect(queue == before.queue && outcome.orders.isEmpty, "\(seed)") }
        // What looks different is said to look different.
        if line != before.timeline, outcome.status == .applied { #expect(outcome.touched.contains(.timeline), "\(seed)") }
        if queue.current != before.queue.current { #expect(outcome.touched.isSuperset(of: [.now, .queue]), "\(seed)") }
        if room.problem != before.problem { #expect(outcome.touched.contains(.room), "\(seed)") }
        if room.modes != before.modes { #expect(outcome.touched.contains(.modes), "\(seed)") }
        if room.volume != before.volume { #expect(outcome.touched.contains(.volume), "\(seed)") }
        expectFacets(outcome.touched, before)
    }

    /// Parts of the hub that add up what is heard are not told of a change whose facets are known and none of theirs.
    private func expectFacets(_ touched: Facets, _ before: Room) {
        guard !touched.isEmpty else { return }
        if touched.isDisjoint(with: [.now, .timeline]) {
            #expect(room.timeline == before.timeline && room.currentEntry == before.currentEntry, "\(seed): \(touched)")
        }
        if touched.isSubset(of: [.volume, .presence, .room]) {
            #expect(room.queue == before.queue && room.endings == before.endings && room.isSpoken == before.isSpoken, "\(seed): \(touched)")
            #expect(room.speeds == before.speeds && room.starts == before.starts, "\(seed): \(touched)")
        }
    }

    /// Entries that an edit did not name stay, in the order in which they were.
    private func expectOnlyNamed(_ command: Command, _ before: Room, _ outcome: Outcome) {
        let named: [EntryID]
        switch command {
        case .add: named = outcome.added
        case .remove(let ids), .move(let ids, _): named = ids
        default: return
        }
        let (old, new) = (before.queue.entries, room.queue.entries)
        #expect(old.filter { !named.contains($0.id) } == new.filter { !named.contains($0.id) }, "\(seed): \(command)")
        if case .remove(let ids) = command { #expect(ids.allSatisfy { !room.queue.contains($0) }, "\(seed)") }
    }

    func expectAgreement() {
        let line = room.timeline
        #expect(line.state != .buffering, "\(seed): waits for nothing")
        switch line.state {
        case .paused where !room.isUnderWay: #expect(player.deck == nil, "\(seed): \(line)")
        case .playing, .paused:
            #expect(
                player.deck?.entry == line.entry && player.deck?.hasBegun == true, "\(seed): \(line) and \(String(describing: player.deck))"
            )
            #expect(player.isPaused == (line.state == .paused), "\(seed)")
            #expect(player.speed == room.modes.speed, "\(seed)")
            #expect(player.filters == room.modes.filters(isSpoken: room.isSpoken), "\(seed)")
            #expect(player.follower?.entry == (room.pausesAfterCurrent ? nil : room.upcoming?.id), "\(seed): follower")
            if let next = room.upcoming, next.id != room.queue.current, !room.pausesAfterCurrent {
                let wanted = room.modes.filters(isSpoken: next.tags.kind.isSpoken)
                #expect(player.nextRendering.filters == wanted, "\(seed): follower")
            }
            #expect(((player.deck?.positionMs ?? 0) - room.positionMs(at: now)).magnitude <= Room.lineToleranceMs, "\(seed): position")
        case .stopped, .buffering:
            #expect(player.deck == nil, "\(seed): \(line) and \(String(describing: player.deck))")
        }
        if let gain = player.gain { #expect(gain == room.volume.gain, "\(seed)") }
    }
}

extension Tags {
    fileprivate init(durationMs: Milliseconds) { self.init(title: "", durationMs: durationMs) }
}
