import BatonCore
import BatonProtocol
import BatonSeams

/// One remote's connection: its greeting, what it follows, and the lanes its answers leave by.
///
/// It decides nothing about rooms: commands go to the door, state comes from the board. What it
/// remembers of its remote is a revision and a queue of unsent answers, so a remote costs the same
/// whatever it does.
@Loop
final class Session {
    /// What tells a reconnect from a second window of the same client.
    struct Run: Hashable {
        let client: String
        let run: String
    }

    enum Phase: Equatable {
        case greeting(messages: Int)
        case live
        case ended
    }

    unowned let hub: Hub
    let id: Int
    private(set) var link: (any Link)?
    let grant: Grant
    let openedUs: Int64
    private(set) var phase = Phase.greeting(messages: 0)

    // Who this is, from `hello`.
    private(set) var caller: Caller
    private(set) var profile = Profile.full
    private(set) var run: Run?

    // What it follows, and how far it has been told.
    private(set) var rooms: [RoomID] = []
    private(set) var wanted = SectionSet()
    private var pace = Profile.full.pace
    private var sentRevision = 0
    private var sentUs: Int64 = 0
    private var urgentUs: Int64 = 0

    // Answers that wait for the socket, oldest first.
    private var lane: [Frame] = []
    private var laneBytes = 0
    private var stalledSinceUs: Int64?

    // Commands: one at a time, in the order they came.
    private var lastCommandID = 0
    private var bucket: TokenBucket
    private var waiting: [(frame: CommandFrame, receivedUs: Int64)] = []
    private var working: (id: Int, task: Task<Void, Never>)?
    private var offences = Offences()

    // The crowd's notes.
    var place = 0
    var isPostponed = false
    var dueUs: Int64 = 0

    init(hub: Hub, id: Int, grant: Grant) {
        self.hub = hub
        self.id = id
        self.grant = grant
        openedUs = hub.reactor.nowUs
        caller = Caller(device: "", name: "", role: grant.role, trust: .itemsOnly)
        bucket = TokenBucket(perSecond: hub.limits.commandsPerSecond, burst: hub.limits.commandBurst, atUs: openedUs)
    }

    var isLive: Bool { phase == .live }
    var isStalled: Bool { stalledSinceUs != nil }
    var address: String { grant.address }
    private var room: RoomID { rooms.first ?? hub.defaultRoom.room.id }

    // MARK: Greeting

    private func greet(_ message: ClientMessage, receivedUs: Int64) {
        guard case .greeting(let messages) = phase else { return }
        phase = .greeting(messages: messages + 1)
        if messages >= hub.limits.messagesBeforeWelcome { return end(.malformed, "Too many messages before welcome.") }
        switch message {
        case .hello(let hello): welcome(hello, receivedUs: receivedUs)
        case .bye: end(.normal, "")
        default: end(.malformed, "The first message must be hello.")
        }
    }

    private func welcome(_ hello: Hello, receivedUs: Int64) {
        guard hello.versions.contains(HubIdentity.protocolMajor) else {
            var fault = ProtocolFault(.unsupportedVersion, "This hub speaks version \(HubIdentity.protocolMajor) of the protocol.")
            fault.versions = [HubIdentity.protocolMajor]
            refuse(fault)
            return end(.version, "This hub speaks version \(HubIdentity.protocolMajor).")
        }
        profile = hello.profile
        pace = profile.pace
        wanted = profile.sections
        caller = grant.caller(for: hello)
        let asked = hello.rooms ?? []
        rooms = asked.filter { hub.room($0) != nil }
        if rooms.isEmpty { rooms = [hub.defaultRoom.room.id] }
        if let name = hello.client.run {
            let run = Run(client: hello.client.id, run: name)
            self.run = run
            hub.crowd.introduce(self, as: run)
        }
        phase = .live
        link?.messageLimit = hub.limits.clientFrame
        send(welcomeFrame(hello, receivedUs: receivedUs))
        for lost in asked where hub.room(lost) == nil {
            refuse(ProtocolFault(.notFound, "There is no room “\(lost)” on this hub."))
        }
        sendFirstState(hello.resume)
    }

    private func welcomeFrame(_ hello: Hello, receivedUs: Int64) -> Frame {
        .encoding {
            Welcome(
                version: HubIdentity.protocolMajor, session: "s_\(id)", epoch: hub.ledger.epoch, boot: hub.identity.boot,
                role: caller.role, pace: pace, clock: ClockSample(t1: hello.t1, t2: receivedUs, t3: hub.reactor.nowUs)
            ).encode(into: &$0)
        }
    }

    /// Everything, or only what is newer than the copy the client kept.
    private func sendFirstState(_ resume: Hello.Resume?) {
        let revision = hub.ledger.revision
        guard let resume, resume.epoch == hub.ledger.epoch, resume.revision <= revision, rooms.count == 1,
            resume.rooms.isEmpty || resume.rooms.contains(room)
        else { return sendState(full: true) }
        let held = resume.sections.intersection(wanted)
        var sections = hub.board.newer(than: resume.revision, of: held, in: room)
        sections = sections.union(hub.board.present(of: wanted.subtracting(held), in: room))
        let key = StateFrames.Key(room: room, namesRoom: true, wanted: wanted, from: resume.revision)
        send(StateFrames.write(sections, key, hub.board, revision))
        noteSent(revision)
    }

    // MARK: State

    /// Sends what this remote lacks, as soon as its pace and its socket allow.
    func catchUp(atUs nowUs: Int64) {
        guard phase == .live, let link else { return }
        let revision = hub.ledger.revision
        let silent = nowUs - sentUs >= Int64(pace.maxMs) * 1000
        guard revision != sentRevision || silent else { return }
        guard lane.isEmpty, link.isReady else {
            noteStall(nowUs)
            return link.wantWritable()
        }
        let dueUs = sentUs + Int64(pace.minMs) * 1000
        if nowUs < dueUs, !mayHurry(nowUs) { return hub.crowd.postpone(self, untilUs: dueUs) }
        sendState(full: false, orSilence: silent)
    }

    /// A new item, or play and pause, may break the pace a few times a second.
    private func mayHurry(_ nowUs: Int64) -> Bool {
        guard hub.urgentRevision > sentRevision, nowUs - urgentUs >= 250_000 else { return false }
        urgentUs = nowUs
        return true
    }

    private func sendState(full: Bool, orSilence: Bool = false) {
        let revision = hub.ledger.revision
        var hubSections = true
        var sent = false
        for room in rooms {
            let key = StateFrames.Key(
                room: room, namesRoom: full || rooms.count > 1,
                wanted: hubSections ? wanted : wanted.roomScoped, from: full ? nil : sentRevision)
            hubSections = false
            guard let frame = hub.frame(for: key) else { continue }
            send(frame)
            sent = true
        }
        if sent { return noteSent(revision) }
        guard orSilence else { return }
        send(StateFrames.write([], StateFrames.Key(room: room, namesRoom: false, wanted: [], from: sentRevision), hub.board, revision))
        noteSent(revision)
    }

    private func noteSent(_ revision: Int) {
        sentRevision = revision
        sentUs = hub.reactor.nowUs
    }

    // MARK: Lanes

    private func send(_ frame: Frame) {
        guard let link else { return }
        if lane.isEmpty, link.isReady { return link.write(frame) }
        lane.append(frame)
        laneBytes += frame.payloadCount
        noteStall(hub.reactor.nowUs)
        if laneBytes > hub.limits.controlLane { return end(.tooSlowToRead, "Answers pile up faster than they are read.") }
        link.wantWritable()
    }

    private func noteStall(_ nowUs: Int64) {
        if stalledSinceUs == nil { stalledSinceUs = nowUs }
    }

    func upkeep(atUs nowUs: Int64) {
        let limits = hub.limits
        if case .greeting = phase, nowUs - openedUs > Int64(limits.helloWithinMs) * 1000 {
            return end(.tooSlowToArrive, "No hello came in time.")
        }
        if let stalledSinceUs, nowUs - stalledSinceUs > Int64(limits.unwritableMs) * 1000 {
            end(.tooSlowToRead, "The connection is not being read.")
        }
    }

    func end(_ code: CloseCode, _ why: String) {
        guard phase != .ended else { return }
        phase = .ended
        working?.task.cancel()
        waiting = []
        link?.close(code.rawValue, why)
    }

    // MARK: Commands

    private func take(_ message: ClientMessage, receivedUs: Int64) {
        switch message {
        case .command(let frame): take(frame, receivedUs: receivedUs)
        case .time(let t1): answerTime(t1, receivedUs: receivedUs)
        case .sync: sendState(full: true)
        case .cancel(let id): cancel(id)
        case .subscribe(let subscription): follow(subscription, receivedUs: receivedUs)
        case .bye: end(.normal, "")
        case .hello: refuse(ProtocolFault(.badRequest, "hello comes once."))
        case .reserved(let type): refuse(ProtocolFault(.unsupported, "This hub does not know how to “\(type)” yet."))
        case .unknown(let type): refuse(ProtocolFault(.unknownType, "There is no message of type “\(type)”."))
        }
    }

    private func take(_ frame: CommandFrame, receivedUs: Int64) {
        guard frame.id > lastCommandID else {
            return answer(Answer(frame.id, ProtocolFault(.idReuse, "Command ids must grow on one connection.")), receivedUs)
        }
        lastCommandID = frame.id
        if let refill = bucket.take(atUs: receivedUs) { return limitRate(frame, refill, receivedUs) }
        guard working != nil else { return perform(frame, receivedUs) }
        guard waiting.count + 1 < hub.limits.commandsInFlight else {
            return answer(Answer(frame.id, ProtocolFault(.busy, "Too many commands are still being worked on.")), receivedUs)
        }
        waiting.append((frame, receivedUs))
    }

    private func limitRate(_ frame: CommandFrame, _ refill: TokenBucket.Refill, _ receivedUs: Int64) {
        var fault = ProtocolFault(.rateLimited, "Too many commands. Wait a moment.")
        fault.retryAfterMs = refill.afterMs
        if offences.floods(atUs: receivedUs, allowed: hub.limits) {
            return end(.flooding, "Too many commands, and again after being told.")
        }
        answer(Answer(frame.id, fault), receivedUs)
    }

    private func perform(_ frame: CommandFrame, _ receivedUs: Int64) {
        switch hub.door.take(frame, for: caller, in: frame.room ?? room) {
        case .answered(let answer): self.answer(answer, receivedUs)
        case .working(let work):
            let task = Task { @Loop [weak self] in
                let answer = await work()
                self?.finish(answer, receivedUs)
            }
            working = (frame.id, task)
        }
    }

    private func finish(_ answer: Answer, _ receivedUs: Int64) {
        working = nil
        self.answer(answer, receivedUs)
        while working == nil, phase == .live, !waiting.isEmpty {
            let next = waiting.removeFirst()
            perform(next.frame, next.receivedUs)
        }
    }

    private func cancel(_ id: Int) {
        if let working, working.id == id { return working.task.cancel() }
        guard let at = waiting.firstIndex(where: { $0.frame.id == id }) else { return }
        let (frame, receivedUs) = waiting.remove(at: at)
        answer(Answer(frame.id, ProtocolFault(.cancelled, "Cancelled before it was begun.")), receivedUs)
    }

    private func follow(_ subscription: Subscription, receivedUs: Int64) {
        let asked = subscription.rooms ?? rooms
        if let lost = asked.first(where: { hub.room($0) == nil }) {
            let fault = ProtocolFault(.notFound, "There is no room “\(lost)” on this hub.", at: "/rooms")
            return answer(Answer(subscription.id, fault), receivedUs)
        }
        if !asked.isEmpty { rooms = asked }
        wanted = subscription.sections ?? wanted
        pace = subscription.pace ?? pace
        sendState(full: true)
        answer(Answer(Reply(id: subscription.id, .applied(), revision: hub.ledger.revision)), receivedUs)
    }

    // MARK: Answering

    /// The caller's state, the answer, then the player, then everyone else.
    private func answer(_ answer: Answer, _ receivedUs: Int64) {
        guard phase == .live else { return hub.carryOut(answer) }
        var answer = answer
        var inline: Reply.InlineState?
        let revision = hub.ledger.revision
        if sentRevision != revision {
            if profile.repliesInline, rooms.count == 1, answer.reply.isSuccess {
                let newer = hub.board.newer(than: sentRevision, of: wanted, in: room)
                inline = Reply.InlineState(from: sentRevision, sections: hub.board.encoded(newer, of: room))
                answer.reply.revision = revision
                noteSent(revision)
            } else {
                sendState(full: false)
            }
        }
        let unit = profile.stampUnitUs
        send(
            .encoding { writer in
                let stamps = Reply.Stamps(received: receivedUs / unit, sent: hub.reactor.nowUs / unit)
                answer.encode(into: &writer, stamps: stamps, inline: inline)
            })
        hub.carryOut(answer)
    }

    private func answerTime(_ t1: Int64, receivedUs: Int64) {
        send(.encoding { ClockSample(t1: t1, t2: receivedUs, t3: hub.reactor.nowUs).encode(into: &$0) })
    }

    private func refuse(_ fault: ProtocolFault) {
        if let id = fault.id { return answer(Answer(id, fault), hub.reactor.nowUs) }
        send(.encoding { $0.error(WireError(fault)) })
    }
}

extension Session: LinkOwner {
    func linkOpened(_ link: any Link) {
        self.link = link
        link.messageLimit = hub.limits.frameBeforeWelcome
        hub.crowd.enter(self)
    }

    func linkReceived(text: [UInt8]) {
        guard phase != .ended else { return }
        let receivedUs = hub.reactor.nowUs
        do throws(ProtocolFault) {
            let message = try ClientMessage.decode(text, limits: hub.limits)
            if isLive { take(message, receivedUs: receivedUs) } else { greet(message, receivedUs: receivedUs) }
        } catch {
            guard isLive else { return end(.malformed, error.sentence) }
            if error.isStrike, offences.strikes(atUs: receivedUs, allowed: hub.limits) {
                return end(.malformed, error.sentence)
            }
            refuse(error)
        }
    }

    func linkReceived(binary: [UInt8]) {
        // No binary channel goes this way yet; an unknown one is ignored once the peer is known.
        if !isLive { end(.malformed, "The first message must be hello.") }
    }

    func linkWritable() {
        stalledSinceUs = nil
        guard let link, phase == .live || !lane.isEmpty else { return }
        if !lane.isEmpty {
            let frame = lane.removeFirst()
            laneBytes -= frame.payloadCount
            link.write(frame)
            return link.wantWritable()
        }
        catchUp(atUs: hub.reactor.nowUs)
    }

    func linkClosed() {
        phase = .ended
        working?.task.cancel()
        waiting = []
        lane = []
        hub.crowd.leave(self)
        link = nil
    }
}

/// What a peer did wrong lately.
private struct Offences {
    private var strikesUs: [Int64] = []
    private var floodsUs: Int64 = 0
    private var floodCount = 0

    /// True when this strike is one too many.
    mutating func strikes(atUs nowUs: Int64, allowed: WireLimits) -> Bool {
        strikesUs.removeAll { nowUs - $0 > Int64(allowed.strikeWindowMs) * 1000 }
        strikesUs.append(nowUs)
        return strikesUs.count >= allowed.strikes
    }

    mutating func floods(atUs nowUs: Int64, allowed: WireLimits) -> Bool {
        if nowUs - floodsUs > Int64(allowed.floodWindowMs) * 1000 {
            floodsUs = nowUs
            floodCount = 0
        }
        floodCount += 1
        return floodCount > allowed.floodRejections
    }
}

extension Frame {
    static func encoding(_ body: (inout JSONWriter) -> Void) -> Frame {
        var writer = JSONWriter(headroom: Frame.headroom)
        body(&writer)
        return Frame(storage: writer.finish())
    }
}
