import BatonClient
import BatonCore
import BatonProtocol
import BatonSeams
import Harness

/// One press of a person: it is sent until it is answered, always with the same key.
@Loop
final class Press {
    let method: String
    let params: JSONObject
    let key: String?
    /// The entries its author named.
    let named: Set<EntryID>
    var outcome: Reply.Outcome?

    init(_ method: String, _ params: JSONObject = JSONObject(), key: String?, named: Set<EntryID> = []) {
        self.method = method
        self.params = params
        self.key = key
        self.named = named
    }

    var isApplied: Bool { if case .applied = outcome { true } else { false } }
}

/// A remote as `Protocol/` asks for one: it mirrors what it follows, resumes after a reconnect, and
/// repeats what was not answered. Whatever the hub must never do to it is reported at once.
@Loop
final class SimulatedClient {
    let id: String
    let profile: Profile
    private unowned let world: SimulatedWorld
    private let baseLatencyUs: Int

    private(set) var link: SimulatedLink?
    private(set) var isLive = false
    private(set) var unanswered: [Press] = []

    // The copy, raw and typed.
    private(set) var sections: [Section: JSON] = [:]
    private(set) var mirror = Mirror()
    private(set) var revision = 0
    private var epoch: String?

    // This connection.
    private var sent: [Int: Press] = [:]
    private var nextID = 1
    private var reconnect: (any Alarm)?

    init(id: String, profile: Profile, world: SimulatedWorld, baseLatencyUs: Int) {
        self.id = id
        self.profile = profile
        self.world = world
        self.baseLatencyUs = baseLatencyUs
    }

    var current: EntryID? {
        let text = profile == .watch ? sections[.watchItem]?["i"]?.string : sections[.queue]?["cur"]?.string
        return text.flatMap(EntryID.init(text:))
    }

    var queueRevision: Int { Int(sections[.queue]?["rev"]?.int ?? 0) }

    // MARK: Connecting

    func connect() {
        reconnect?.cancel()
        reconnect = nil
        leave()
        let jitter = baseLatencyUs / 2 + 1
        guard
            let link = world.openLink(latencyUs: { [unowned world, baseLatencyUs] in baseLatencyUs + world.random.number(0..<jitter) })
        else { return comeBack(afterMs: 300) }
        self.link = link
        sent = [:]
        nextID = 1
        link.onMessage = { [weak self, weak link] bytes in
            guard let self, let link, self.link === link else { return }
            self.hear(bytes)
        }
        link.onEnd = { [weak self, weak link] code in
            guard let self, let link, self.link === link else { return }
            self.lost(code)
        }
        var resume: Hello.Resume?
        if let epoch, revision > 0, world.random.chance(85) {
            resume = Hello.Resume(epoch: epoch, revision: revision, rooms: [RoomID("main")], sections: SectionSet(sections.keys))
        } else {
            forget()
        }
        link.send(JSONWriter.bytes(Hello(profile: profile, client: .init(id: id, run: "r1", name: id), resume: resume).encode))
    }

    private func forget() {
        sections = [:]
        mirror = Mirror()
        revision = 0
    }

    /// Gives the connection up without a word.
    func leave() {
        isLive = false
        let left = link
        link = nil  // Nobody hears its end any more.
        left?.abandon()
        // What has no key is not repeated: a newer press has taken its place.
        unanswered.removeAll { $0.key == nil }
    }

    private func lost(_ code: UInt16?) {
        if code == CloseCode.replaced.rawValue { world.fail("\(id) was replaced, and by nobody newer") }
        leave()
        comeBack(afterMs: code == CloseCode.tooSlowToRead.rawValue ? 10_000 : world.random.number(20..<1500))
    }

    func comeBack(afterMs delay: Int) {
        guard reconnect == nil else { return }
        reconnect = world.sim.time.after(.milliseconds(delay)) { [weak self] in self?.connect() }
    }

    // MARK: Pressing

    func press(_ press: Press) {
        guard isLive || press.key != nil else { return }
        unanswered.append(press)
        send(press)
    }

    private func send(_ press: Press) {
        guard isLive, let link, press.outcome == nil else { return }
        let frame = CommandFrame(id: nextID, method: press.method, key: press.key, params: press.params)
        nextID += 1
        sent[frame.id] = press
        link.send(JSONWriter.bytes(frame.encode))
    }

    // MARK: Hearing

    private func hear(_ bytes: [UInt8]) {
        guard let message = try? HubMessage.decode(bytes) else {
            return world.fail("\(id) was sent what it cannot read: \(String(decoding: bytes, as: UTF8.self))")
        }
        switch message {
        case .welcome(let welcome):
            if let epoch, epoch != welcome.epoch { forget() }
            epoch = welcome.epoch
            isLive = true
            for press in unanswered { send(press) }
        case .state(let update): take(update)
        case .reply(let reply):
            if let update = reply.state { take(update) }
            take(reply.reply)
        case .error(let error): world.fail("\(id) was told \(error.code): \(error.message)")
        default: break
        }
    }

    private func take(_ update: StateUpdate) {
        let header = update.header
        if header.revision < revision { world.fail("\(id) went from \(revision) back to \(header.revision)") }
        if !header.full, header.from != revision { world.fail("\(id) has \(revision) and was sent a state from \(header.from ?? -1)") }
        if header.full { sections = [:] }
        for (section, value) in update.sections {
            if value.isNull { sections.removeValue(forKey: section) } else { sections[section] = value }
        }
        revision = header.revision
        if (try? mirror.apply(update)) != .applied { world.fail("\(id) cannot apply a state at \(header.revision)") }
    }

    private static let passing: Set<String> = ["rate_limited", "busy", "unavailable"]

    private func take(_ reply: Reply) {
        guard let press = sent.removeValue(forKey: reply.id) else { return world.fail("\(id) was answered \(reply.id) once too often") }
        if case .failed(let error) = reply.outcome, Self.passing.contains(error.code), press.key != nil {
            _ = world.sim.time.after(.milliseconds((error.afterMs ?? 400) + 50)) { [weak self, weak press, weak link] in
                guard let self, let press, self.link === link else { return }
                self.send(press)
            }
            return
        }
        press.outcome = reply.outcome
        unanswered.removeAll { $0 === press }
    }

    /// Connected for good, with nothing left to hear.
    var isAtRest: Bool { isLive && reconnect == nil && sent.isEmpty && unanswered.isEmpty }
}
