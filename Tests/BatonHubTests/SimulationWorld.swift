import BatonClient
import BatonCore
import BatonProtocol
import BatonSeams
import Harness

@testable import BatonHub

/// A hub, its clients, and everything that can go wrong between them, in virtual time and from one
/// seed. What must never happen is collected in `problems`.
@Loop
final class SimulatedWorld {
    let seed: UInt64
    let sim: SimulatedHub
    var random: SeededGenerator
    private(set) var clients: [SimulatedClient] = []
    private(set) var problems: [String] = []
    private(set) var presses: [Press] = []
    private(set) var kills = 0
    private var links: [SimulatedLink] = []

    // What the journal was given.
    private var pressOfKey: [String: Press] = [:]
    private var keysKept: Set<String> = []
    private(set) var skipsCounted = 0
    private var present: Set<EntryID> = []
    private(set) var known: [EntryID] = []

    // What may be lost: how loud it was lately, and where.
    private var volumes: [(fromUs: Int64, level: Int, muted: Bool)] = []
    private var lines: [(fromUs: Int64, line: Timeline)] = []
    private var faultEndsUs: Int64 = 0

    init(seed: UInt64, clients count: Int, trackMs: Int = 20_000) throws {
        self.seed = seed
        random = SeededGenerator(seed)
        sim = try SimulatedHub(sourceDelay: .milliseconds(40), trackMs: trackMs, seed: seed)
        sim.journal.onKept = { [weak self] in self?.heard($0) }
        sim.lookCostUs = random.chance(30) ? 100 : 0
        watchOver(sim.life)
        let profiles: [Profile] = [.watch, .remote, .full]
        for number in 0..<count {
            let client = SimulatedClient(
                id: "client-\(number)", profile: profiles[number % 3], world: self, baseLatencyUs: random.number(100..<60_000))
            clients.append(client)
            client.comeBack(afterMs: random.number(0..<300))
        }
    }

    func fail(_ sentence: String) {
        if problems.count < 5 { problems.append("\(sim.time.nowUs / 1000) ms: \(sentence)") }
    }

    var room: Room { sim.hub.defaultRoom.room }

    // MARK: Connections

    func openLink(latencyUs: @escaping () -> Int) -> SimulatedLink? {
        let peer = Peer(channel: .unix(uid: 0, gid: 0), address: "unix")
        guard !sim.life.isOver, let owner = try? sim.admit(from: peer) else { return nil }
        let link = SimulatedLink(owner: owner, peer: peer, time: sim.time, life: sim.life, latencyUs: latencyUs)
        links.append(link)
        return link
    }

    // MARK: Time

    /// Lets time pass. Nothing happens while a question that a source has answered is still on its
    /// way back, so each seed happens in one way only.
    func pass(ms: Int) async {
        let endUs = sim.time.nowUs + Int64(ms) * 1000
        await settle()
        while sim.time.fireNext(before: endUs) {
            await settle()
            note()
        }
        sim.time.run(untilUs: endUs)
    }

    func settle() async {
        var rounds = 0
        while isThinking {
            await Task.yield()
            rounds += 1
            if rounds > 2_000_000 { return fail("Sources were asked and never answered.") }
        }
    }

    private var isThinking: Bool {
        guard !sim.life.isOver, let gate = sim.gate else { return false }
        var asked = sim.hub.rooms.count { $0.stage.asking != nil }
        for session in sim.hub.crowd.sessions where session.working != nil { asked += 1 }
        return asked > gate.waitingCount
    }

    private func note() {
        let nowUs = sim.time.nowUs
        guard !sim.life.isOver else { return }
        let room = room
        note(level: room.volume.level, muted: room.volume.muted)
        if lines.last?.line != room.timeline { lines.append((nowUs, room.timeline)) }
    }

    private func note(level: Int, muted: Bool) {
        guard volumes.last?.level != level || volumes.last?.muted != muted else { return }
        volumes.append((sim.time.nowUs, level, muted))
    }

    // MARK: Death and rebirth

    private func watchOver(_ life: Lifetime) {
        life.onEnd.append { [weak self] in self?.hubDied() }
    }

    private func hubDied() {
        kills += 1
        for link in links { link.hubDied() }
        links = []
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
        volumes = []
        lines = []
        note()
        if room.volume.level > room.volume.startMax { fail("The room came back louder than its start level.") }
        if room.isPlaying { fail("The room came back playing.") }
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

    func restartCleanly() async {
        guard !sim.life.isOver else { return }
        await sim.hub.close()
        if sim.journal.fault == nil { checkJournal() }
        sim.life.end()
    }

    func fillDisk(forMs duration: Int) {
        sim.journal.fault = JournalFault(.full, "The disk is full.")
        faultEndsUs = sim.time.nowUs + Int64(duration) * 1000
        _ = sim.time.after(.milliseconds(duration)) { [weak self] in self?.sim.journal.fault = nil }
    }

    func repair() {
        sim.journal.fault = nil
        for link in links { link.isReading = true }
        sim.life.commitsLeft = nil
    }

    // MARK: What is kept

    func press(_ press: Press, by client: SimulatedClient) {
        presses.append(press)
        if let key = press.key { pressOfKey[key] = press }
        client.press(press)
    }

    private func heard(_ change: Change) {
        // One event can carry several commands, and each of them may have kept its own level.
        if case .kept(let row) = change.room { note(level: row.level, muted: row.muted) }
        var press: Press?
        if let answer = change.answer {
            press = pressOfKey[answer.key]
            if !keysKept.insert(answer.key).inserted { fail("\(press?.method ?? "?") with \(answer.key) was carried out twice") }
            if press?.method == "next", case .reply(let reply)? = try? HubMessage.decode(answer.answer),
                case .applied = reply.reply.outcome
            {
                skipsCounted += 1
            }
        }
        for delta in change.queue { heard(delta, of: press) }
    }

    private func heard(_ delta: QueueDelta, of press: Press?) {
        let method = press?.method ?? "the player"
        switch delta {
        case .inserted(_, let rows):
            if method != "queue.add" { fail("\(method) added entries") }
            for row in rows { arrive(row.id) }
        case .removed(let ids):
            if method != "queue.remove" || !press!.named.isSuperset(of: ids) { fail("\(method) removed \(ids) unasked") }
            present.subtract(ids)
        case .moved(let ids, _):
            if method == "queue.move", !press!.named.isSuperset(of: ids) { fail("\(method) moved \(ids) unasked") }
        case .replaced(let rows): heardReplaced(rows.map(\.id), by: method)
        case .described: break
        }
    }

    private func heardReplaced(_ ids: [EntryID], by method: String) {
        switch method {
        case "play", "queue.replace":
            present = []
            for id in ids { arrive(id) }
        case "queue.clear":
            if !present.isSuperset(of: ids) { fail("queue.clear brought entries in") }
            present = Set(ids)
        default:
            if Set(ids) != present { fail("\(method) changed what is in the queue") }
        }
    }

    private func arrive(_ id: EntryID) {
        if known.contains(id) { fail("\(id) was given twice") }
        known.append(id)
        present.insert(id)
    }

    // MARK: Checks

    /// What a killed hub may have lost: a second of the level, five of the position, nothing else.
    private func checkWhatIsKept() {
        guard let kept = keptRoom() else { return }
        checkJournal()
        let nowUs = sim.time.nowUs
        let lately = volumes.indices.contains { index in
            let endUs = index + 1 < volumes.count ? volumes[index + 1].fromUs : nowUs
            // What was kept before a start is as good as what the start made of it.
            let loudness = [kept.room.level, min(kept.room.level, kept.room.startMax)]
            return endUs >= nowUs - 1_100_000 && loudness.contains(volumes[index].level)
                && volumes[index].muted == kept.room.muted
        }
        if !volumes.isEmpty, !lately { fail("Killed, and the level kept (\(kept.room.level)) is older than a second.") }
        let duration = room.currentEntry?.tags.durationMs
        let near = lines.indices.contains { index in
            let endUs = index + 1 < lines.count ? lines[index + 1].fromUs : nowUs
            let beginUs = max(lines[index].fromUs, nowUs - 5_200_000)
            guard endUs >= beginUs else { return false }
            let first = lines[index].line.positionMs(atUs: beginUs, durationMs: duration)
            let last = lines[index].line.positionMs(atUs: endUs, durationMs: duration)
            return (first - 60...last + 60).contains(kept.room.positionMs)
        }
        if !lines.isEmpty, !near { fail("Killed, and the position kept (\(kept.room.positionMs)) is older than five seconds.") }
    }

    private func keptRoom() -> RecoveredRoom? { (try? sim.journal.load())?.rooms.first }

    func checkJournal() {
        guard let kept = keptRoom() else { return fail("The journal has no room.") }
        let queue = room.queue
        if kept.entries.map(\.id) != queue.entries.map(\.id) {
            fail("The journal's queue is \(kept.entries.map(\.id)), and the room's is \(queue.entries.map(\.id)).")
        }
        if kept.entries.map(\.uri) != queue.entries.map(\.uri) { fail("The journal's items differ.") }
        if kept.room.current != queue.current { fail("The journal's current entry differs.") }
        if kept.room.modes != room.modes { fail("The journal's modes differ.") }
        if kept.room.queueRevision != queue.revision {
            print(
                "DEBUG", sim.time.nowUs, faultEndsUs, sim.life.commitsLeft as Any, kept.room.queueRevision, queue.revision,
                kept.room.current as Any, queue.current as Any, sim.hub.rooms[0].isUnwritten, lines.suffix(4), sim.hub.ledger.trouble as Any
            )
        }
        if kept.room.queueRevision != queue.revision { fail("The journal's queue revision differs.") }
    }

    func checkMemory() {
        guard !sim.life.isOver else { return }
        let limits = WireLimits.standard
        for session in sim.hub.crowd.sessions {
            if session.laneBytes > limits.controlLane + limits.hubFrame { fail("A lane holds \(session.laneBytes) bytes.") }
            if session.waiting.count > limits.commandsInFlight { fail("\(session.waiting.count) commands wait.") }
        }
        for link in links where link.misuses > 0 { fail("A session wrote to a socket that was not ready.") }
    }

    /// Ends all trouble and waits until everybody is here, answered and up to date.
    func calmDown() async {
        for _ in 0..<300 {
            repair()
            if !sim.life.isOver, clients.allSatisfy(\.isAtRest) { break }
            await pass(ms: 500)
        }
        for client in clients where !client.isAtRest {
            fail("\(client.id) is \(client.isLive ? "here" : "away") and waits for \(client.unanswered.map(\.method))")
        }
        await pass(ms: 6000)
        for _ in 0..<60 {
            let before = sim.hub.ledger.revision
            await pass(ms: 1500)
            if sim.hub.ledger.revision == before { return }
        }
        fail("The room never came to rest.")
    }

    func checkRest() {
        for client in clients { check(client) }
        checkJournal()
        checkPlayer()
        checkMemory()
        let asked = presses.count { $0.method == "next" && $0.isApplied }
        if skipsCounted != asked { fail("\(skipsCounted) skips counted, and \(asked) asked.") }
        if sim.hub.crowd.count > clients.count + links.count { fail("More sessions than connections.") }
    }

    private func text(_ value: JSON?) -> String {
        value.map { value in String(decoding: JSONWriter.bytes { $0.value(value) }, as: UTF8.self) } ?? "nothing"
    }

    private func check(_ client: SimulatedClient) {
        let board = sim.hub.board
        for section in client.profile.sections {
            let shown = board.posted(section, of: room.id)?.value.flatMap { try? JSON.parse($0[...]) }
            let name = section == .peopleCount ? Section.people : section  // One section in two shapes.
            if client.sections[name] != shown {
                fail(
                    "\(client.id) (\(client.profile)) sees \(section.name) as \(text(client.sections[name])), and it is \(text(shown))"
                )
            }
        }
        guard client.profile != .watch else { return }
        if client.mirror.people?.count != clients.count {
            fail("\(client.id) sees \(client.mirror.people?.count ?? -1) of \(clients.count).")
        }
        let typed = client.mirror
        if typed.queue?.current != room.queue.current || typed.volume?.level != room.volume.level
            || typed.timeline?.state.name != room.timeline.state.rawValue || typed.modes?.modes != room.modes
        {
            fail("The typed mirror of \(client.id) differs from the room.")
        }
    }

    private func checkPlayer() {
        let player = sim.player
        let now = Moment(us: sim.time.nowUs)
        if abs(player.gain - room.volume.gain) > 1e-9 { fail("The player is not as loud as the room shows.") }
        switch room.timeline.state {
        case .playing:
            if player.playing != room.queue.current || player.isPaused {
                fail("The room shows \(String(describing: room.queue.current)) and the player plays \(String(describing: player.playing)).")
            }
            if abs(player.heardMs - room.positionMs(at: now)) > 100 {
                fail("The player is at \(player.heardMs), and the room shows \(room.positionMs(at: now)).")
            }
        case .paused: if player.playing != nil, !player.isPaused { fail("The room is paused and the player plays.") }
        case .stopped: if player.playing != nil { fail("The room is stopped and the player plays.") }
        case .buffering: fail("The room waits for ever.")
        }
    }
}
