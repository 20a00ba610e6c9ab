import BatonClient
import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import Harness

@testable import BatonHub
@testable import BatonKernel
@testable import BatonLibrary
@testable import Companion

/// A hub, its clients, and everything that can go wrong between them, in virtual time and from one
/// seed. What must never happen is collected in `problems`.
@Loop
final class SimulatedWorld {
    let seed: UInt64
    let sim: SimulatedHub
    /// Marks and playlists, which outlive a hub as the file does that they are stored in; and a source of items.
    let userMarks = MemoryUserMarks()
    let songs = MemorySource(count: 40)
    /// A server that hangs now and then, in one of its steps or in all, and outlives the hub.
    let server = HangingServer(MemorySource("far", count: 8))
    /// Until when a command may wait for it, since it has said that it is there.
    var slowUntilUs: Microseconds = 0
    var isClosing = false
    /// The jobs as the hub that lives has them, and what makes their pieces.
    var jobs = MemoryJobs()
    let maker: SimulatedMaker
    var random: SeededGenerator
    private(set) var clients: [SimulatedClient] = []
    private(set) var problems: [String] = []
    private(set) var presses: [Press] = []
    private(set) var kills = 0
    private(set) var links: [SimulatedLink] = []
    private let trace: FrameTrace?

    // What the journal was given.
    private var pressOfKey: [String: Press] = [:]
    private var keysKept: Set<String> = []
    private(set) var skipsCounted = 0
    private(set) var known: [EntryID] = []
    /// Each room as the journal was told of it.
    private(set) var kept: [RoomID: TracedRoom] = [:]
    private(set) var roomsMade = 0
    private var deleted: Set<RoomID> = []
    /// Deleted rooms that the journal keeps.
    private var restorable: [RoomID: TracedRoom] = [:]

    // What may be lost: how loud it was lately in each room, and where.
    private var traces: [RoomID: Trace] = [:]
    private var faultEndsUs: Microseconds = 0

    struct TracedRoom {
        var name: String
        /// What stood in the queue at each of its revisions. One that only a full disk saw may come twice.
        var queues: [Int: [[EntryID]]] = [:]
        var order: [EntryID] = []
        var present: Set<EntryID> = []
    }

    struct Trace {
        var volumes: [(fromUs: Microseconds, level: Int, muted: Bool)] = []
        var lines: [(fromUs: Microseconds, line: Timeline)] = []
    }

    init(seed: UInt64, clients count: Int, trackMs: Milliseconds = 20_000, trace: FrameTrace? = nil) throws {
        self.seed = seed
        self.trace = trace
        random = SeededGenerator(seed)
        sim = try SimulatedHub(
            sourceDelay: .milliseconds(40), trackMs: trackMs, seed: seed,
            library: LibraryParts(userMarks: userMarks, control: IdleLibraryControl(), connectors: [songs, server]))
        maker = SimulatedMaker(seed: seed)
        // Everything but the first room is heard of.
        kept = [RoomID("main"): TracedRoom(name: "Main room")]
        sim.journal.onKept = { [weak self] in self?.heard($0) }
        sim.lookCostUs = random.chance(30) ? 100 : 0
        watchOver(sim.life)
        if hasMaking { openMaking() }
        let profiles: [StateView] = [.watch, .remote, .full]
        for number in 0..<count {
            let client = SimulatedClient(
                id: "client-\(number)", profile: profiles[number % 3], world: self, baseLatencyUs: random.us(100..<60_000))
            clients.append(client)
            client.comeBack(afterMs: random.ms(0..<300))
        }
    }

    func fail(_ sentence: String) {
        if problems.count < 5 { problems.append("\(Milliseconds(sim.time.nowUs)) ms: \(sentence)") }
    }

    var room: Room { sim.hub.rooms.first.room }
    var rooms: [Room] { sim.hub.rooms.all.map(\.room) }
    func wasDeleted(_ room: RoomID) -> Bool { deleted.contains(room) }

    // MARK: Connections

    func openLink(latencyUs: @escaping () -> Microseconds) -> SimulatedLink? {
        let peer = Peer(channel: .unix(uid: 0, gid: 0), address: "unix")
        guard !sim.life.isOver, let owner = try? sim.admit(from: peer) else { return nil }
        let link = SimulatedLink(owner: owner, peer: peer, time: sim.time, life: sim.life, latencyUs: latencyUs, trace: trace)
        links.append(link)
        return link
    }

    // MARK: Time

    /// Lets time pass, and nothing happens while a job waits, so each seed happens in one way only.
    func pass(ms: Milliseconds) async {
        let endUs = sim.time.nowUs + Microseconds(ms)
        await untilQuiet()
        while sim.time.fireNext(before: endUs) {
            await untilQuiet()
            note()
        }
        sim.time.run(untilUs: endUs)
    }

    private func note() {
        let nowUs = sim.time.nowUs
        guard !sim.life.isOver else { return }
        for room in rooms {
            note(room.id, level: room.volume.level, muted: room.volume.muted)
            if traces[room.id]?.lines.last?.line != room.timeline { traces[room.id, default: Trace()].lines.append((nowUs, room.timeline)) }
        }
    }

    private func note(_ room: RoomID, level: Int, muted: Bool) {
        let last = traces[room]?.volumes.last
        guard last?.level != level || last?.muted != muted else { return }
        traces[room, default: Trace()].volumes.append((sim.time.nowUs, level, muted))
    }

    // MARK: Death and rebirth

    private func watchOver(_ life: Lifetime) {
        life.onEnd.append { [weak self] in self?.hubDied() }
    }

    private func hubDied() {
        kills += 1
        for link in links { link.hubDied() }
        links = []
        server.drop()
        _ = sim.time.after(.milliseconds(random.number(50..<1500))) { [weak self] in self?.revive() }
    }

    private func revive() {
        do { try sim.restart() } catch {
            // A hub that cannot write at all does not start; whoever supervises it tries again.
            if sim.journal.fault == nil { fail("The hub did not start again: \(error)") }
            sim.kill()
            _ = sim.time.after(.milliseconds(500)) { [weak self] in self?.revive() }
            return
        }
        watchOver(sim.life)
        if hasMaking { openMaking() }
        traces = [:]
        note()
        for room in rooms {
            if room.volume.level > room.volume.startMax { fail("\(room.id) came back louder than its start level.") }
            if room.isPlaying { fail("\(room.id) came back playing.") }
        }
    }

    /// From outside, at a moment when nothing is being done.
    func kill() {
        guard !sim.life.isOver else { return }
        note()
        if sim.journal.fault == nil, sim.time.nowUs > faultEndsUs + 6_000_000 { checkWhatIsKept() }
        sim.life.end()
    }

    /// In the middle of one of the next commits.
    func killInsideCommit() {
        sim.life.commitsLeft = random.number(0..<4)
        sim.life.lastCommitCounts = random.chance(50)
    }

    func fillDisk(forMs duration: Milliseconds) {
        sim.journal.fault = JournalFault(.full, "The disk is full.")
        jobs.fail(SourceFault(.quota, "The disk is full, so no music can be made."))
        faultEndsUs = sim.time.nowUs + Microseconds(duration)
        _ = sim.time.after(.milliseconds(duration)) { [weak self] in self?.emptyDisk() }
    }

    private func emptyDisk() {
        sim.journal.fault = nil
        jobs.fail(nil)
    }

    func repair() {
        emptyDisk()
        jobs.liveOn()
        maker.isWell = true
        songs.goDown(nil)
        server.goOn()
        for link in links { link.isReading = true }
        sim.life.commitsLeft = nil
    }

    func press(_ press: Press, by client: SimulatedClient) {
        presses.append(press)
        if let key = press.key { pressOfKey[key] = press }
        client.press(press)
    }

    // MARK: What the journal is given

    /// One transaction, and the press that it answers.
    private func heard(_ changes: [Change]) {
        let answer = changes.compactMap(\.answer).first
        let press = answer.flatMap { pressOfKey[$0.key] }
        if let answer {
            if !keysKept.insert(answer.key).inserted { fail("\(press?.name ?? "?") with \(answer.key) was carried out twice") }
            if press?.kind == .next, case .applied = answer.reply.outcome { skipsCounted += 1 }
        }
        // What is moved was there before.
        let moving = press?.kind == .roomMove ? Set(kept.values.flatMap(\.present)) : []
        for change in changes { heard(change, of: press, moving) }
    }

    private func heard(_ change: Change, of press: Press?, _ moving: Set<EntryID>) {
        let author = press?.name ?? "the player"
        switch change.room {
        case .deleted(let id):
            if press?.kind != .roomDelete { fail("\(author) deleted \(id)") }
            restorable[id] = kept.removeValue(forKey: id)
            traces[id] = nil
            deleted.insert(id)
        case .forgotten(let id):
            if restorable.removeValue(forKey: id) == nil { fail("\(author) forgot \(id)") }
        case .kept(let row):
            if press?.kind == .roomRestore, kept[row.id] == nil, let room = restorable.removeValue(forKey: row.id) {
                kept[row.id] = room
            } else if kept[row.id] == nil {
                if press?.kind != .roomCreate { fail("\(author) made \(row.id)") }
                roomsMade += 1
            } else if kept[row.id]?.name != row.name, press?.kind != .roomRename {
                fail("\(author) renamed \(row.id)")
            }
            kept[row.id, default: TracedRoom(name: row.name)].name = row.name
            // One event can carry several commands, and each of them may have kept its own level.
            note(row.id, level: row.level, muted: row.muted)
            for step in change.queue?.changes ?? [] { heard(step, in: row.id, of: press, moving) }
            if let step = change.queue { kept[row.id]?.order = step.result.entries.map(\.id) }
            let order = kept[row.id]?.order ?? []
            if kept[row.id]?.queues[row.queueRevision]?.last != order { kept[row.id]?.queues[row.queueRevision, default: []].append(order) }
        }
    }

    private func heard(_ step: QueueChange, in room: RoomID, of press: Press?, _ moving: Set<EntryID>) {
        let kind = press?.kind
        let author = press?.name ?? "the player"
        switch step {
        case .inserted(let rows, _):
            if kind != .queueAdd, kind != .jobStart { fail("\(author) added entries") }
            for row in rows { arrive(row.id, in: room) }
        case .removed(let ids):
            // Taking a replace back takes what it brought, and nobody names that.
            // A single item that cannot be played goes by itself, and the queue that it replaced comes back.
            if press != nil, kind != .queueUndo, kind != .queueRemove || !press!.named.isSuperset(of: ids) {
                fail("\(author) removed \(ids) unasked")
            }
            kept[room]?.present.subtract(ids)
        case .restored(let rows, _):
            if press != nil, kind != .queueUndo { fail("\(author) brought entries back") }
            let present = kept.values.reduce(into: Set<EntryID>()) { $0.formUnion($1.present) }
            for row in rows where !known.contains(row.id) || present.contains(row.id) { fail("\(row.id) came back from nowhere") }
            kept[room]?.present.formUnion(rows.map(\.id))
        case .moved(let ids, _):
            if kind == .queueMove, !press!.named.isSuperset(of: ids) { fail("\(author) moved \(ids) unasked") }
        case .replaced(let rows): heardReplaced(rows.map(\.id), in: room, by: press, moving)
        case .described, .current, .forgotten: break
        }
    }

    private func heardReplaced(_ ids: [EntryID], in room: RoomID, by press: Press?, _ moving: Set<EntryID>) {
        let present = kept[room]?.present ?? []
        switch press?.kind {
        case .play, .queueReplace:
            kept[room]?.present = []
            for id in ids { arrive(id, in: room) }
        case .queueClear:
            if !present.isSuperset(of: ids) { fail("Clearing a queue brought entries in.") }
            kept[room]?.present = Set(ids)
        case .roomMove:
            kept[room]?.present = []
            // Either the entries themselves have come, or copies of them.
            if moving.isSuperset(of: ids) { kept[room]?.present = Set(ids) } else { for id in ids { arrive(id, in: room) } }
        default:
            // An item that cannot be played gives its queue back, also while the disk is full; the next change writes that.
            if sim.time.nowUs <= faultEndsUs + 6_000_000, Set(known).isSuperset(of: ids) {
                kept[room]?.present = Set(ids)
            } else if Set(ids) != present {
                fail("\(press?.name ?? "the player") changed what is in the queue of \(room)")
            }
        }
    }

    private func arrive(_ id: EntryID, in room: RoomID) {
        if known.contains(id) { fail("\(id) was given twice") }
        known.append(id)
        kept[room]?.present.insert(id)
    }

    // MARK: Coming to rest

    /// Ends all trouble and waits until everybody is here, answered and up to date.
    func calmDown() async {
        for _ in 0..<300 {
            repair()
            if !sim.life.isOver, clients.allSatisfy(\.isAtRest) { break }
            await pass(ms: 500)
        }
        for client in clients where !client.isAtRest {
            fail("\(client.id) is \(client.isLive ? "here" : "away") and waits for \(client.unanswered.map(\.name))")
        }
        await pass(ms: 6000)
        await finishMaking()
        for _ in 0..<60 {
            let before = sim.hub.ledger.revision
            await pass(ms: 1500)
            if sim.hub.ledger.revision == before { return }
        }
        fail("The rooms never came to rest.")
    }

    // MARK: What a kill may have cost

    /// A second of the level, five of the position, nothing else.
    private func checkWhatIsKept() {
        checkJournal()
        for room in rooms {
            guard let kept = keptRoom(room.id), let trace = traces[room.id] else { continue }
            checkLoudness(kept.room, trace)
            checkPosition(kept.room, trace, durationMs: room.currentEntry?.tags.durationMs)
        }
    }

    private func checkLoudness(_ kept: RoomRow, _ trace: Trace) {
        let volumes = trace.volumes
        let nowUs = sim.time.nowUs
        let lately = volumes.indices.contains { index in
            let endUs = index + 1 < volumes.count ? volumes[index + 1].fromUs : nowUs
            // The level stored before a start and the one that the start made of it are equally right.
            let loudness = [kept.level, min(kept.level, kept.startMax)]
            return endUs >= nowUs - 1_100_000 && loudness.contains(volumes[index].level) && volumes[index].muted == kept.muted
        }
        if !volumes.isEmpty, !lately { fail("Killed, and the level kept (\(kept.level)) is older than a second.") }
    }

    private func checkPosition(_ kept: RoomRow, _ trace: Trace, durationMs duration: Milliseconds?) {
        let lines = trace.lines
        let nowUs = sim.time.nowUs
        let near = lines.indices.contains { index in
            let endUs = index + 1 < lines.count ? lines[index + 1].fromUs : nowUs
            let beginUs = max(lines[index].fromUs, nowUs - 5_200_000)
            guard endUs >= beginUs else { return false }
            let first = lines[index].line.positionMs(atUs: beginUs, durationMs: duration)
            let last = lines[index].line.positionMs(atUs: endUs, durationMs: duration)
            return (first - 60...last + 60).contains(kept.positionMs)
        }
        if !lines.isEmpty, !near { fail("Killed, and the position kept (\(kept.positionMs)) is older than five seconds.") }
    }
}
