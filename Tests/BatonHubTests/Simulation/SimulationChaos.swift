import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import Harness

/// What people press and what breaks, drawn from the world's seed.
extension SimulatedWorld {
    func live(steps: Int) async {
        await pass(ms: 600)
        for _ in 0..<steps {
            if random.chance(72) { pressSomething() } else { await breakSomething() }
            if random.chance(4) { setWallClock() }
            if seed % 2 == 1, random.chance(4) { stopServer() }
            await pass(ms: random.chance(30) ? 0 : random.ms(0..<900))
            checkMemory()
            if !problems.isEmpty { return }
        }
    }

    /// By up to two years in either direction.
    private func setWallClock() { sim.wallShiftMs = random.ms(-730..<731) * 86_400_000 }

    private func anyone() -> SimulatedClient { random.one(of: clients) }

    private func pressSomething() {
        let client = anyone()
        if random.chance(6) {
            let press = draw(for: client)
            client.pressFromTheFuture(press.command, room: press.room)
        }
        for _ in 0..<(random.chance(8) ? random.number(2..<25) : 1) { press(draw(for: client), by: client) }
        // Two people at once.
        if clients.count > 1, random.chance(15) {
            let other = anyone()
            press(draw(for: other), by: other)
        }
    }

    private func draw(for client: SimulatedClient) -> Press {
        let key = "key-\(presses.count)"
        if random.chance(9) { return drawForRooms(key) }
        if random.chance(14) { return drawForLibrary(key) }
        if hasMaking, random.chance(15) { return drawForMaking(key) }
        let room = random.chance(25) ? anyRoom() : nil
        let from = random.chance(75) ? client.current : nil
        let ids = some(of: Array(known.suffix(14)), atMost: 3)
        switch random.number(0..<100) {
        case 0..<20: return Press(Commands.Next(from: from), key: key, room: room)
        case 20..<26: return Press(Commands.Previous(from: from), key: key, room: room)
        case 26..<34: return Press(Commands.Pause(), key: random.chance(50) ? key : nil, room: room)
        case 34..<44: return Press(Commands.Play(), key: random.chance(50) ? key : nil, room: room)
        case 44..<55:
            return Press(Commands.VolumeSet(random.number(0..<101)), key: random.chance(40) ? key : nil, room: room)
        case 55..<59: return Press(Commands.VolumeStep(random.number(-9..<10)), key: key, room: room)
        case 59..<61: return Press(Commands.VolumeMute(random.chance(50)), key: key, room: room)
        case 61..<66: return Press(Commands.Seek(positionMs: random.ms(0..<20_000)), key: key, room: room)
        case 66..<78: return Press(Commands.QueueAdd([ItemURI(item())], place: place()), key: key, room: room)
        case 78..<83 where !ids.isEmpty: return Press(Commands.QueueRemove(ids), key: key, room: room, named: Set(ids))
        case 83..<86 where !ids.isEmpty:
            return Press(Commands.QueueMove(ids, anchor: .after(anchor(), orEnd: true)), key: key, room: room, named: Set(ids))
        case 86..<88: return Press(Commands.QueueUndo(), key: key, room: room)
        case 88: return Press(Commands.QueueShuffle(client.queueRevision), key: key, room: room)
        case 89: return Press(Commands.QueueClear(client.queueRevision, keep: .current), key: key, room: room)
        case 90..<92: return Press(Commands.ModeSet(shuffle: random.chance(50)), key: key, room: room)
        case 92..<95:
            let (repeats, single) = random.one(of: [(false, ModeSwitch.off), (true, .on), (true, .off), (false, .once)])
            return Press(Commands.ModeSet(repeat: repeats, single: single), key: key, room: room)
        case 95..<98: return Press(Commands.Play(ItemURI(item())), key: key, room: room)
        default: return Press(Commands.QueueWindow(), key: nil)
        }
    }

    private func anyRoom() -> RoomID { random.one(of: kept.keys.sorted { $0.text < $1.text }) }

    private static let names = ["Bath", "Hall", "Küche", "Attic", "Cellar"]

    /// What becomes of the rooms themselves.
    private func drawForRooms(_ key: String) -> Press {
        let name = random.one(of: Self.names)
        let room = anyRoom()
        switch random.number(0..<100) {
        case 0..<35: return Press(Commands.RoomCreate(name), key: key)
        case 35..<45: return Press(Commands.RoomRename(room, name: name), key: key)
        case 45..<57: return Press(Commands.RoomDelete(room), key: key)
        case 57..<60: return Press(Commands.RoomRestore(RoomID(named: name) { _ in false }), key: key)
        case 60..<70: return Press(Commands.RoomSet(room: room, ceiling: random.number(30..<101)), key: key)
        default: return Press(Commands.RoomMove(room, keep: random.chance(25)), key: key, room: anyRoom())
        }
    }

    private func item() -> String {
        let number = presses.count
        return switch random.number(0..<13) {
        case 0: "/music/broken-\(number)"
        case 1: "/music/lost-\(number)"
        case 2: "/music/missing-\(number)"
        case 10, 11: "far:track/\(random.number(0..<8))"
        case 12: "far:shelf/tracks"
        case 3...5: "/music/album-\(number):\(random.number(1..<6))"
        default: "/music/song-\(number)"
        }
    }

    private func anchor() -> EntryID? {
        guard random.chance(80) else { return nil }
        return known.suffix(10).randomElement(using: &random)
    }

    private func place() -> InsertionPoint {
        switch random.number(0..<3) {
        case 0: .next
        case 1: .end
        default: .after(anchor())
        }
    }

    private func some(of ids: [EntryID], atMost limit: Int) -> [EntryID] {
        Array(ids.shuffled(using: &random).prefix(random.number(0..<limit + 1)))
    }

    func restartCleanly() async {
        guard !sim.life.isOver else { return }
        let life = sim.life
        isClosing = true
        let closing = Task(executorPreference: Loop.jobs) { await self.closeHub() }
        // What waits for a server that hangs ends in time, so time must pass.
        for _ in 0..<100 where isClosing {
            await untilQuiet()
            if isClosing { await pass(ms: 100) }
        }
        guard !isClosing else { return fail("The hub did not end within 10 s.") }
        await closing.value
        // It may have died meanwhile.
        guard !life.isOver else { return }
        if sim.journal.fault == nil { checkJournal() }
        life.end()
    }

    private func closeHub() async {
        await sim.hub.close()
        isClosing = false
    }

    private func breakSomething() async {
        let client = anyone()
        let link = client.link
        switch random.number(0..<100) {
        case 0..<38:
            // The press may arrive although its connection is gone when the answer comes.
            if random.chance(60) { press(draw(for: client), by: client) }
            if random.chance(50) { await pass(ms: random.ms(0..<60)) }
            client.link?.cut(arriving: random.chance(50), noticedAfterUs: random.us(0..<400_000))
        case 38..<58:
            link?.becomeHalfOpen(arriving: random.chance(50))
            let time = sim.time
            _ = time.after(.seconds(40)) { [weak link] in link?.timeOut() }
            client.comeBack(afterMs: random.ms(50..<4000))
        case 58..<72:
            link?.isReading = false
            _ = sim.time.after(.milliseconds(random.number(300..<14_000))) { [weak link] in link?.isReading = true }
        case 72..<82: kill()
        case 82..<87: killInsideCommit()
        case 87..<90: killInsideJob()
        case 90..<93: await restartCleanly()
        case 93..<96: fillDisk(forMs: random.ms(100..<6000))
        case 96: random.chance(50) ? closeSource(forMs: random.ms(100..<5000)) : sendMakerAway(forMs: random.ms(100..<9000))
        case 97: client.follow(Array(Set([anyRoom(), anyRoom()])).sorted { $0.text < $1.text })
        default: for client in clients where random.chance(60) { client.link?.cut(arriving: true, noticedAfterUs: 0) }
        }
    }
}

extension SeededGenerator {
    mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &self) }
    mutating func ms(_ range: Range<Int>) -> Milliseconds { Milliseconds(number(range)) }
    mutating func us(_ range: Range<Int>) -> Microseconds { Microseconds(number(range)) }
    mutating func chance(_ percent: Int) -> Bool { number(0..<100) < percent }
    mutating func one<Element>(of choices: [Element]) -> Element { choices[number(0..<choices.count)] }
}
