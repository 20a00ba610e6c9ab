import BatonClient
import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import Harness

/// One press of a person: it is sent until it is answered, always with the same key.
@Loop
final class Press {
    let command: any WireCommand
    let key: String?
    /// `nil` means the room that its author follows first.
    let room: RoomID?
    /// The entries its author named.
    let named: Set<EntryID>
    var outcome: Reply.Outcome?

    init(_ command: any WireCommand, key: String?, room: RoomID? = nil, named: Set<EntryID> = []) {
        self.command = command
        self.key = key
        self.room = room
        self.named = named
    }

    var kind: CommandKind { command.kind }
    var name: String { kind.rawValue }
    var isApplied: Bool { if case .applied = outcome { true } else { false } }
}

/// A remote as `Protocol/` asks for one: it mirrors what it follows, resumes after a reconnect, and
/// repeats what was not answered. Whatever the hub must never do to it is reported at once.
@Loop
final class SimulatedClient {
    let id: String
    let profile: StateView
    private unowned let world: SimulatedWorld
    private let baseLatencyUs: Microseconds

    private(set) var link: SimulatedLink?
    private(set) var isLive = false
    private(set) var unanswered: [Press] = []

    // The copies, raw, and one of them typed.
    private(set) var copy = SimulatedCopy()
    private(set) var mirror = Mirror()
    private(set) var revision = 0
    /// The queue of the room it follows first, step by step, for those who have it open.
    private(set) var list: QueueMirror?
    private(set) var listRoom: RoomID?
    private let opensQueue: Bool
    /// Questions about it, and of which room; the first one leaves that to the hub.
    private var pages: [Int: RoomID?] = [:]
    private var epoch: String?
    /// What the next greeting asks for; `nil` leaves it to the hub.
    private var choice: [RoomID]?

    // This connection.
    private var sent: [Int: Press] = [:]
    private var choices: [Int: [RoomID]] = [:]
    /// Commands with a parameter that no hub knows.
    private var futures: Set<Int> = []
    private var nextID = 1
    private var reconnect: (any Alarm)?

    init(id: String, profile: StateView, world: SimulatedWorld, baseLatencyUs: Microseconds) {
        self.id = id
        self.profile = profile
        self.world = world
        self.baseLatencyUs = baseLatencyUs
        opensQueue = world.random.chance(60)
    }

    /// The copy of the room it follows first.
    var sections: [Section: JSON] { copy.order.first.flatMap { copy.rooms[$0] } ?? [:] }

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
        let jitter = Int(baseLatencyUs) / 2 + 1
        guard
            let link = world.openLink(latencyUs: { [unowned world, baseLatencyUs] in baseLatencyUs + world.random.us(0..<jitter) })
        else { return comeBack(afterMs: 300) }
        self.link = link
        sent = [:]
        choices = [:]
        futures = []
        pages = [:]
        list = nil
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
        if let epoch, revision > 0, !copy.order.isEmpty, world.random.chance(85) {
            resume = Hello.Resume(epoch: epoch, revision: revision, rooms: copy.order, sections: copy.sections)
        } else {
            forget()
        }
        var hello = Hello(view: profile.rawValue, client: .init(id: id, run: "r1", name: id), resume: resume, rooms: choice)
        if world.random.chance(50) {
            hello.features = HubProfile.allCases.map(\.rawValue).filter { _ in world.random.chance(50) } + ["queue"]
        }
        link.send(JSONWriter.bytes(hello.encode))
    }

    private func forget() {
        copy = SimulatedCopy()
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
        comeBack(afterMs: code == CloseCode.tooSlowToRead.rawValue ? 10_000 : world.random.ms(20..<1500))
    }

    func comeBack(afterMs delay: Milliseconds) {
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
        let frame = CommandFrame(id: nextID, press.command, key: press.key, room: press.room)
        nextID += 1
        sent[frame.id] = press
        link.send(JSONWriter.bytes(frame.encode))
    }

    /// Sends a command with one parameter more, which the hub must refuse whole. No press is noted, so an effect of it would be one too many.
    func pressFromTheFuture(_ command: any WireCommand, room: RoomID?) {
        guard isLive, let link else { return }
        let frame = CommandFrame(id: nextID, command, key: "future-\(nextID)", room: room)
        var text = String(decoding: JSONWriter.bytes(frame.encode), as: UTF8.self)
        if let parameters = text.firstRange(of: #""p":{"#) {
            text.insert(contentsOf: text[parameters.upperBound] == "}" ? #""laterOn":1"# : #""laterOn":1,"#, at: parameters.upperBound)
        } else {
            text = text.dropLast() + #","p":{"laterOn":1}}"#
        }
        futures.insert(nextID)
        nextID += 1
        link.send(Array(text.utf8))
    }

    /// Looks into other rooms, now and after every reconnect.
    func follow(_ rooms: [RoomID]) {
        guard isLive, let link else { return }
        choice = rooms
        choices[nextID] = rooms
        link.send(JSONWriter.bytes(Subscription(id: nextID, rooms: rooms).encode))
        nextID += 1
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
            copy.beginsAnew()
            openQueue()
            for press in unanswered { send(press) }
        case .state(let update):
            take(update)
            lookAtFirstRoom()
        case .reply(let reply):
            if let update = reply.state { take(update) }
            if let room = pages.removeValue(forKey: reply.reply.id) { takePage(reply, of: room) } else { take(reply.reply) }
            lookAtFirstRoom()
        case .queue(let news):
            lookAtFirstRoom()
            guard news.room == listRoom else { return }
            list?.apply(news)
            checkList()
            askForQueue()
        case .error(let error): take(error)
        default: break
        }
    }

    /// The only thing that goes wrong without a press is that a room goes.
    private func take(_ error: WireError) {
        let parts = error.message.split { $0 == "“" || $0 == "”" }
        guard error.known == .notFound, parts.count > 1, world.wasDeleted(RoomID(String(parts[1]))) else {
            return world.fail("\(id) was told \(error.code): \(error.message)")
        }
        copy.lose(RoomID(String(parts[1])))
        choice = nil
    }

    // MARK: The open queue

    private func openQueue() {
        guard opensQueue else { return }
        list = QueueMirror()
        listRoom = nil
        pages = [nextID: nil]
        link?.send(JSONWriter.bytes(Subscription(id: nextID, queue: .set(.init(from: 0, count: 100))).encode))
        nextID += 1
    }

    /// The page that came with the opening is of the room that the state before it names first.
    private func takePage(_ reply: ReceivedReply, of room: RoomID?) {
        let room = room ?? copy.order.first
        listRoom = listRoom ?? room
        guard case .applied = reply.reply.outcome, let page = reply.data.flatMap({ try? QueuePage(from: $0) }) else {
            let link = link
            _ = world.sim.time.after(.milliseconds(700)) { [weak self] in
                if let self, self.link === link { self.askForQueue() }
            }
            return
        }
        if room == listRoom { list?.take(page) }
        checkList()
        askForQueue()
    }

    /// Another room is followed first: its queue is begun anew.
    private func lookAtFirstRoom() {
        guard list != nil, let listRoom, let first = copy.order.first, first != listRoom else { return }
        self.listRoom = first
        list = QueueMirror()
        askForQueue()
    }

    private func askForQueue() {
        guard pages.isEmpty, let listRoom, let question = list?.need.question else { return }
        let frame = CommandFrame(id: nextID, question, room: listRoom)
        pages = [nextID: listRoom]
        link?.send(JSONWriter.bytes(frame.encode))
        nextID += 1
    }

    private func checkList() {
        guard let list, let listRoom, list.isWhole, let revision = list.revision else { return }
        if let queues = world.kept[listRoom]?.queues[revision], !queues.contains(list.ids) {
            world.fail("\(id) has \(list.ids) at queue revision \(revision) of \(listRoom), and the hub had \(queues)")
        }
    }

    private func take(_ update: StateUpdate) {
        let header = update.header
        if header.revision < revision { world.fail("\(id) went from \(revision) back to \(header.revision)") }
        if !header.full, header.from != revision { world.fail("\(id) has \(revision) and was sent a state from \(header.from ?? -1)") }
        if let problem = copy.apply(update) { world.fail("\(id) \(problem)") }
        revision = header.revision
        if (try? mirror.apply(update)) != .applied { world.fail("\(id) cannot apply a state at \(header.revision)") }
    }

    private static let passing: Set<String> = ["rate_limited", "busy", "unavailable"]

    private func take(_ reply: Reply) {
        if let rooms = choices.removeValue(forKey: reply.id) {
            // One of them may have been deleted meanwhile; then everything stays as it was.
            if reply.isSuccess { copy.keepOnly(rooms) } else { choice = nil }
            return
        }
        if futures.remove(reply.id) != nil {
            guard case .failed(let error) = reply.outcome, error.at == "/p/laterOn" || Self.passing.contains(error.code) else {
                return world.fail("\(id) was answered \(reply.outcome) to a parameter from the future")
            }
            return
        }
        guard let press = sent.removeValue(forKey: reply.id) else { return world.fail("\(id) was answered \(reply.id) once too often") }
        if let stamps = reply.stamps { world.checkPace(press, stamps) }
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
    var isAtRest: Bool {
        isLive && reconnect == nil && sent.isEmpty && unanswered.isEmpty && choices.isEmpty && pages.isEmpty && futures.isEmpty
            && list?.need ?? .nothing == .nothing
    }
}
