import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire

/// What a greeted remote may say: commands one at a time in their order, each with exactly one answer.
extension Session {
    func take(_ message: ClientMessage, receivedUs: Int64) {
        switch message {
        case .command(let frame): take(frame, receivedUs: receivedUs)
        case .time(let t1): answerTime(t1, receivedUs: receivedUs)
        case .sync: if isInTime(nil, receivedUs) { sendState(full: true) }
        case .cancel(let id): cancel(id)
        case .subscribe(let subscription): if isInTime(subscription.id, receivedUs) { follow(subscription, receivedUs: receivedUs) }
        case .bye: end(.normal, "")
        case .authenticate, .pair: refuse(ProtocolFault(.badRequest, "This connection has shown who it is."))
        case .hello: refuse(ProtocolFault(.badRequest, "hello comes once."))
        case .reserved(let type): refuse(ProtocolFault(.unsupported, "This hub does not know how to “\(type)” yet."))
        case .unknown(let type): refuse(ProtocolFault(.unknownType, "There is no message of type “\(type)”."))
        }
    }

    func take(_ frame: CommandFrame, receivedUs: Int64) {
        guard frame.id > lastCommandID else {
            return answer(Answer(frame.id, ProtocolFault(.idReuse, "Command ids must grow on one connection.")), receivedUs)
        }
        lastCommandID = frame.id
        if RequestKind.named(frame.method)?.isOfPerson == true { hub.people.acted(device) }
        guard isInTime(frame.id, receivedUs) else { return }
        guard waiting.count + asking.count + (working == nil ? 0 : 1) < hub.limits.commandsInFlight else {
            return answer(Answer(frame.id, ProtocolFault(.busy, "Too many commands are still being worked on.")), receivedUs)
        }
        if working == nil || RequestKind.named(frame.method)?.runsBeside == true { return perform(frame, receivedUs) }
        waiting.append((frame, receivedUs))
    }

    /// Whether there is room for another command. What makes the hub tell a whole state counts as one.
    private func isInTime(_ id: Int?, _ receivedUs: Int64) -> Bool {
        guard let refill = bucket.take(atUs: receivedUs) else { return true }
        var fault = ProtocolFault(.rateLimited, "Too many commands. Wait a moment.")
        fault.retryAfterMs = refill.afterMs
        fault.id = id
        if abuse.floods(atUs: receivedUs, afterMs: refill.afterMs, allowed: hub.limits) {
            end(.flooding, "Too many commands, and again after being told.")
        } else {
            refuse(fault)
        }
        return false
    }

    func perform(_ frame: CommandFrame, _ receivedUs: Int64) {
        switch hub.commands.take(frame, for: caller, in: frame.room ?? room) {
        case .answered(let answer): self.answer(answer, receivedUs)
        case .working(let work):
            if let kind = RequestKind.named(frame.method), kind.runsBeside { return ask(frame.id, kind, work, receivedUs) }
            // The work may outlive the connection, and needs the session and the hub to its end. While it waits
            // it belongs to the loop too: without a preference it would wake Swift's own pool.
            let task = Task(executorPreference: Loop.jobs) { [self] in
                await carryThrough(work, receivedUs)
            }
            working = (frame.id, task)
        }
    }

    /// Beside everything else: whoever has asked goes on, and may take the question back.
    private func ask(_ id: Int, _ kind: RequestKind, _ work: @escaping @Loop () async -> Answer, _ receivedUs: Int64) {
        if kind == .artGet {
            makeRoomForPicture()
            askingForPicture = id
        }
        asking[id] = Task(executorPreference: Loop.jobs) { [self] in
            let answer = await work()
            await tell(id, answer, receivedUs)
        }
    }

    private func tell(_ id: Int, _ answer: Answer, _ receivedUs: Int64) {
        // It was taken back meanwhile, and answered so.
        guard asking.removeValue(forKey: id) != nil else { return }
        guard let picture = answer.picture, phase == .live else { return self.answer(answer, receivedUs) }
        endTransfer()
        let announced = ArtTransfer(
            number: transfers, total: picture.bytes.count, format: picture.format.rawValue, width: picture.width, height: picture.height)
        var reply = answer.reply
        reply.data = .picture(announced)
        self.answer(Answer(reply), receivedUs)
        begin(picture, for: id)
    }

    private func carryThrough(_ work: @Loop () async -> Answer, _ receivedUs: Int64) async {
        finish(await work(), receivedUs)
    }

    func finish(_ answer: Answer, _ receivedUs: Int64) {
        working = nil
        self.answer(answer, receivedUs)
        while working == nil, phase == .live, !waiting.isEmpty {
            let next = waiting.removeFirst()
            perform(next.frame, next.receivedUs)
        }
    }

    func cancel(_ id: Int) {
        if let working, working.id == id { return working.task.cancel() }
        if transfer?.command == id { return endTransfer() }
        if let question = asking.removeValue(forKey: id) {
            question.cancel()
            return answer(Answer(id, .cancelled), hub.clock.nowUs)
        }
        guard let at = waiting.firstIndex(where: { $0.frame.id == id }) else { return }
        let (frame, receivedUs) = waiting.remove(at: at)
        answer(Answer(frame.id, ProtocolFault(.cancelled, "Cancelled before it was begun.")), receivedUs)
    }

    func follow(_ subscription: Subscription, receivedUs: Int64) {
        noticeLostRooms()
        let asked = subscription.rooms.map(Self.distinct) ?? rooms
        if let lost = asked.first(where: { hub.rooms[$0] == nil }) {
            return answer(Answer(subscription.id, ProtocolFault(noRoom: lost, at: "/rooms")), receivedUs)
        }
        let followed = wanted
        if !asked.isEmpty { rooms = asked }
        wanted = subscription.sections.map(profile.shape) ?? wanted
        if let chosen = subscription.rooms?.first { hub.choices.remember(chosen, of: caller.device) }
        hub.people.turned(self, from: followed)
        if subscription.rooms != nil { hub.people.acted(device) }
        pace = subscription.pace ?? pace
        let page = openQueue(subscription.queue)
        sendState(full: true)
        hub.subscribers.paceChanged(of: self)
        answer(Answer(Reply(id: subscription.id, .applied(), revision: hub.ledger.revision, data: page)), receivedUs)
    }

    // MARK: Answering

    /// The caller's state and the answer first; `carryOut` knows what comes after.
    func answer(_ answer: Answer, _ receivedUs: Int64) {
        guard phase == .live else { return hub.carryOut(answer) }
        var answer = answer
        var inline: Reply.InlineState?
        var state: Frame?
        noticeLostRooms()
        sendQueueNews()
        let revision = hub.ledger.revision
        if sentRevision != revision {
            if rooms.count > 1 || owesWhole {
                sendState(full: false)
            } else if profile.repliesInline, answer.reply.isSuccess {
                let newer = hub.publisher.published.newer(than: sentRevision, of: wanted, in: room)
                inline = Reply.InlineState(from: sentRevision, sections: hub.publisher.published.encoded(newer, of: room))
                answer.reply.revision = revision
                noteSent(revision)
            } else {
                state = takeState()
            }
        }
        send(state, then: frame(of: answer, inline, receivedUs))
        hub.carryOut(answer)
    }

    private func frame(of answer: Answer, _ inline: Reply.InlineState?, _ receivedUs: Int64) -> Frame {
        let unit = profile.stampUnitUs
        return .encoding { writer in
            var reply = answer.reply
            reply.stamps = Reply.Stamps(received: receivedUs / unit, sent: hub.clock.nowUs / unit)
            reply.encode(into: &writer, pageBytes: hub.limits.pageBytes, inline: inline)
        }
    }

    func answerTime(_ t1: Int64, receivedUs: Int64) {
        send(.encoding { ClockSample(t1: t1, t2: receivedUs, t3: hub.clock.nowUs).encode(into: &$0) })
    }

    func refuse(_ fault: ProtocolFault) {
        if let id = fault.id { return answer(Answer(id, fault), hub.clock.nowUs) }
        send(.encoding { $0.error(WireError(fault)) })
    }
}
