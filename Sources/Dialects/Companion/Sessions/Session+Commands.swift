import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire

/// Messages of a greeted remote: commands are carried out one at a time in order, each with exactly one answer.
extension Session {
    func take(_ message: ClientMessage, receivedUs: Microseconds) {
        switch message {
        case .command(let frame): take(frame, receivedUs: receivedUs)
        case .time(let t1): answerTime(t1, receivedUs: receivedUs)
        case .sync: if isInTime(nil) { sendState(full: true) }
        case .cancel(let id): cancel(id)
        case .subscribe(let subscription): if isInTime(subscription.id) { follow(subscription, receivedUs: receivedUs) }
        case .bye: end(.normal, "")
        case .authenticate, .pair: refuse(ProtocolFault(.badRequest, "This connection has shown who it is."))
        case .hello: refuse(Self.helloComesOnce)
        case .unknown(let type): refuse(ProtocolFault(.unknownType, "There is no message of type “\(type)”."))
        }
    }

    static var helloComesOnce: ProtocolFault { ProtocolFault(.badRequest, "hello comes once.") }

    /// Bytes around the rows of a page: the answer, and the position of the next page.
    private static let envelopeBytes = 200

    func take(_ frame: CommandFrame, receivedUs: Microseconds) {
        guard frame.id > lastCommandID else {
            return answer(Reply(frame.id, ProtocolFault(.idReuse, "Command ids must grow on one connection.")), receivedUs)
        }
        lastCommandID = frame.id
        let kind = CommandKind.named(frame.method)
        let pageBytes = longest.map { max(0, min($0 - Self.envelopeBytes, companion.limits.pageBytes)) }
        let context = CommandContext(
            frame, from: identity, .lane(openedLane), to: frame.room ?? room, ct: pressMs(of: frame), pageBytes: pageBytes)
        if kind == .artGet { return askForPicture(frame, in: context, receivedUs: receivedUs) }
        pass(frame, as: kind, in: context, answer: answering(kind, receivedUs))
    }

    /// When it was pressed, by the hub's clock. A watch has a clock of 31 bits, so its press is the one closest to now.
    private func pressMs(of frame: CommandFrame) -> Milliseconds? {
        guard view == .watch, let ct = frame.ct else { return frame.ct }
        let nowMs = Milliseconds(companion.reactor.nowUs)
        return nowMs + (ct - nowMs).nearestOfWatch
    }

    func pass(_ frame: CommandFrame, as kind: CommandKind?, in context: CommandContext, answer: @escaping @Loop (Reply) -> Void) {
        do throws(ProtocolFault) {
            guard let kind else { throw ProtocolFault(noCommandOf: frame) }
            companion.door.take(try frame.command(of: kind, within: companion.limits), context, answer: answer)
        } catch {
            companion.door.refuse(error, kind: kind, context: context, answer: answer)
        }
    }

    /// The lane for commands, opened at first use since many watchers never send one.
    private var openedLane: CommandLane {
        if let lane { return lane }
        // The lane calls only while this session sends, so the session exists. A weak reference would slow down all other references to it.
        let lane = companion.door.openLane { [unowned self] in
            end(.flooding, "Too many commands, and again after being told.")
        }
        self.lane = lane
        return lane
    }

    /// Whether the rate limit allows it. A request for a whole state counts as a command.
    private func isInTime(_ id: Int?) -> Bool {
        guard var fault = companion.door.count(.lane(openedLane)) else { return true }
        fault.id = id
        if isLive { refuse(fault) }
        return false
    }

    func cancel(_ id: Int) {
        if transfer?.command == id { return endTransfer() }
        if let lane { companion.door.cancel(id, on: lane, with: nil) }
    }

    func follow(_ subscription: Subscription, receivedUs: Microseconds) {
        noticeLostRooms()
        let asked = subscription.rooms.map(Self.distinct) ?? rooms
        if let lost = asked.first(where: { !companion.state.has($0, for: identity) }) {
            let at = subscription.rooms?.firstIndex(of: lost) ?? 0
            return answer(Reply(subscription.id, ProtocolFault(noRoom: lost, at: "/rooms/\(at)")), receivedUs)
        }
        let followed = wanted
        rooms = asked.isEmpty ? [companion.state.firstRoom] : asked
        askedSections = subscription.sections ?? askedSections
        wanted = shape(askedSections)
        if let chosen = subscription.rooms?.first { remember(chosen) }
        companion.ports.attendance.turned(self, from: followed)
        if subscription.rooms != nil { companion.ports.attendance.acted(identity.principal) }
        pace = subscription.pace ?? pace
        let page = openQueue(subscription.queue)
        sendState(full: true)
        companion.subscribers.paceChanged(of: self)
        answer(Reply(id: subscription.id, .applied(), revision: companion.state.revision, data: page), receivedUs)
        // The list of connected clients may have changed.
        companion.subscribers.tell()
    }

    // MARK: Answering

    /// Sends the client's own state and the answer.
    func answer(_ reply: Reply, _ receivedUs: Microseconds) {
        guard phase == .live else { return }
        var state: Frame?
        noticeLostRooms()
        sendQueueNews()
        let revision = companion.state.revision
        if sentRevision != revision {
            if rooms.count > 1 || owesWhole {
                sendState(full: false)
            } else if view.repliesInline, reply.isSuccess, reply.why != .dup,
                let whole = frame(of: reply, withStateAt: revision, receivedUs)
            {
                noteSent(revision)
                return send(whole)
            } else {
                state = takeState(at: revision)
            }
            // The answer has a newer revision although nothing that this client follows has changed; its copy still has to reach that
            // revision.
            if case .applied = reply.outcome, let answered = reply.revision, answered > sentRevision {
                sendState(full: false, orSilence: true)
            }
        }
        send(
            state,
            then: frame(of: reply, nil, receivedUs)
                ?? message { encode(reply.tooLarge(for: longest ?? 0), with: nil, receivedUs: receivedUs, into: &$0) })
    }

    /// The answer with the changes inside; `nil` if both exceed this client's size limit.
    private func frame(of reply: Reply, withStateAt revision: Int, _ receivedUs: Microseconds) -> Frame? {
        let newer = companion.state.newer(than: sentRevision, of: wanted, in: room)
        var reply = reply
        reply.revision = revision
        let sections = companion.encoded(newer, of: room, learnsNames: learnsNames)
        return frame(of: reply, Reply.InlineState(from: sentRevision, sections: sections), receivedUs)
    }

    /// `nil` if it exceeds this client's size limit.
    private func frame(of reply: Reply, _ inline: Reply.InlineState?, _ receivedUs: Microseconds) -> Frame? {
        guard let longest else { return .encoding { encode(reply, with: inline, receivedUs: receivedUs, into: &$0) } }
        return .encoding(within: longest) { encode(reply, with: inline, receivedUs: receivedUs, into: &$0) }
    }

    private func encode(_ reply: Reply, with inline: Reply.InlineState?, receivedUs: Microseconds, into writer: inout JSONWriter) {
        writer.givesReasons = givesReasons
        let stamps = Reply.Stamps(received: stamp(receivedUs), sent: stamp(companion.reactor.nowUs))
        reply.encode(into: &writer, stamps: stamps, pageBytes: companion.limits.pageBytes, inline: inline)
    }

    private func stamp(_ us: Microseconds) -> Int64 { view == .watch ? Milliseconds(us).ofWatch.count : us.count }

    func answerTime(_ t1: Int64, receivedUs: Microseconds) {
        send(.encoding { ClockSample(t1: t1, t2: receivedUs.count, t3: companion.reactor.nowUs.count).encode(into: &$0) })
    }

    func refuse(_ fault: ProtocolFault) {
        if let id = fault.id { return answer(Reply(id, fault), companion.reactor.nowUs) }
        send(
            message { writer in
                writer.givesReasons = givesReasons
                writer.error(WireError(fault))
            })
    }

    /// Sends the reason before a close frame. Some libraries do not pass on the frame's code, by which a client knows how long to wait.
    func announce(_ code: CloseCode, _ why: String) { send(message { $0.bye(code, why: why) }) }

    /// A message that always fits after shortening.
    func message(_ body: (inout JSONWriter) -> Void) -> Frame {
        longest.flatMap { .encoding(within: $0, body) } ?? .encoding(body)
    }
}

extension CommandContext {
    /// The key's fingerprint is made here, since only the codec knows the command's parameters as they were sent.
    convenience init(
        _ frame: CommandFrame, from identity: Identity, _ sender: Sender, to room: RoomID?, ct: Milliseconds? = nil, pageBytes: Int? = nil,
        isCounted: Bool = false
    ) {
        self.init(
            identity, sender, number: frame.id, key: frame.key.map { Key($0, fingerprint: frame.fingerprint) }, ct: ct ?? frame.ct,
            ttl: frame.ttl, room: room, pageBytes: pageBytes, isCounted: isCounted)
    }
}

extension Reply {
    init(_ id: Int, _ fault: ProtocolFault) { self.init(id: id, .failed(WireError(fault))) }

    /// Replaces an answer that exceeds the client's size limit. Answers to changes always fit.
    fileprivate func tooLarge(for longest: Int) -> Reply {
        Reply(id, ProtocolFault(.tooLarge, "The answer does not fit into \(longest) bytes (hello.max). Ask for less of it."))
    }
}

extension Milliseconds {
    /// This difference of two clocks of 31 bits, between -2^30 and 2^30.
    fileprivate var nearestOfWatch: Milliseconds {
        let count = self.count & 0x7FFF_FFFF
        return Milliseconds(count < 1 << 30 ? count : count - 1 << 31)
    }
}
