import BatonCore
package import BatonProtocol
package import BatonSeams

/// The single entry for commands of all protocols; see `CommandDoor`.
///
/// It checks rate, order, method, permission, key and expiry, in this order, before anything happens. Then the room decides, the
/// journal stores the change, and the result is published. The other clients and the player are told after the answer.
@Loop
package final class CommandProcessor: CommandDoor {
    private let rooms: RoomList
    let ledger: Ledger
    private let clock: HubClock
    private let limits: WireLimits
    private let people: People
    private let players: RoomPlayers
    private let publisher: StatePublisher
    private let guests: GuestRules
    let secrets: SecretAnswers
    let table: CommandTable
    private var meters: CommandMeters
    private var lanes: [Int: Lane] = [:]
    /// The lane of the last command, whose next one needs no search for it.
    private var lately: (number: Int, lane: Lane)?
    private var laneNumbers = 0
    /// Commands without a lane that are being carried out.
    private var alone: [Int: Task<Void, Never>] = [:]
    private var aloneNumbers = 0
    /// Counts of commands; `nil` when monitoring is off.
    private var figures: CommandFigures?

    package init(
        rooms: RoomList, changes: RoomChanges, players: RoomPlayers, people: People, guests: GuestRules, limits: WireLimits,
        table: CommandTable
    ) {
        self.rooms = rooms
        ledger = changes.ledger
        clock = changes.clock
        publisher = changes.publisher
        secrets = SecretAnswers(changes.clock)
        self.players = players
        self.people = people
        self.guests = guests
        self.limits = limits
        self.table = table
        meters = CommandMeters(limits)
    }

    func inFlight(on lane: CommandLane) -> Int { lanes[lane.number]?.inFlight ?? 0 }

    /// Starts counting commands. A hub without monitoring saves the time.
    package func countCommands() { figures = CommandFigures() }

    /// The door's figures for monitoring: the counts of commands, and how many are being carried out.
    package var metricFamilies: [MetricFamily] {
        let inWork = alone.count + lanes.values.reduce(0) { $0 + $1.inWork }
        return (figures?.families ?? []) + [.gauge("commands_in_work", help: "Commands that are being carried out.", Double(inWork))]
    }

    // MARK: The door

    /// Begins a command. It is answered before this returns, unless it has to wait for others of its lane or for a source.
    package func take(_ command: any CommandRequest, _ context: CommandContext, answer: @escaping @Loop (Reply) -> Void) {
        begin(.success(command), kind: command.kind, in: context, answer: answer)
    }

    /// Answers a command that could not be parsed, in its turn. A sender without the role for it gets `forbidden` instead of the fault.
    package func refuse(_ fault: ProtocolFault, kind: CommandKind?, context: CommandContext, answer: @escaping @Loop (Reply) -> Void) {
        begin(.failure(fault), kind: kind, in: context, answer: answer)
    }

    private func begin(
        _ asked: Result<any CommandRequest, ProtocolFault>, kind: CommandKind?, in context: CommandContext,
        answer: @escaping @Loop (Reply) -> Void
    ) {
        begin(PendingCommand(asked: asked, kind: kind, context: context, answer: answer, cameUs: cameUs, halts: rooms.halts))
    }

    private var cameUs: Microseconds { figures == nil ? 0 : clock.nowUs }

    /// Counts an action of a sender that is no command. For a lane that has ended the fault is `cancelled`.
    package func count(_ sender: CommandContext.Sender) -> ProtocolFault? {
        let nowUs = clock.nowUs
        let refill: TokenBucket.Refill?
        switch sender {
        case .alone(let meter): refill = meters.take(meter, atUs: nowUs)
        case .lane(let lane):
            guard let lane = lanes[lane.number] else { return .cancelled }
            return count(on: lane, atUs: nowUs)
        }
        return refill.map { tooMany("commands", $0) }
    }

    private func count(on lane: Lane, atUs nowUs: Microseconds) -> ProtocolFault? {
        guard let refill = lane.bucket.take(atUs: nowUs) else { return nil }
        if lane.floods.isOneTooMany(atUs: nowUs, afterMs: refill.afterMs, allowed: limits) { lane.whenFlooding() }
        return tooMany("commands", refill)
    }

    /// Counts a read by twice the rate of commands and four times their burst.
    package func countLook(_ meter: String) -> ProtocolFault? { meters.look(meter, atUs: clock.nowUs).map { tooMany("requests", $0) } }

    private func tooMany(_ what: String, _ refill: TokenBucket.Refill) -> ProtocolFault {
        var fault = ProtocolFault(.rateLimited, "Too many \(what). Wait a moment.")
        fault.retryAfterMs = refill.afterMs
        fault.reason = Reason(.tooOften, ["ms": .int(refill.afterMs.count)])
        return fault
    }

    /// Opens a lane under a number that is never used again; `close` must be called for it.
    package func openLane(whenFlooding: @escaping @Loop () -> Void) -> CommandLane {
        laneNumbers += 1
        lanes[laneNumbers] = Lane(meters.fresh(atUs: clock.nowUs), whenFlooding)
        return CommandLane(number: laneNumbers)
    }

    /// Cancels a command by the number that the client gave it; does nothing for one that has its answer.
    package func cancel(_ number: Int, on lane: CommandLane, with fault: ProtocolFault?) {
        guard let lane = lanes[lane.number] else { return }
        for order in Lane.orders {
            if let task = lane[order].working[number] { return task.cancel() }
        }
        if let question = lane.asking.removeValue(forKey: number) {
            question.task.cancel()
            return deliver(Answer(number, fault ?? .cancelled), to: question.command)
        }
        for order in Lane.orders {
            guard let at = lane[order].waiting.firstIndex(where: { $0.context.number == number }) else { continue }
            let command = lane[order].waiting.remove(at: at)
            return deliver(Answer(number, fault ?? ProtocolFault(.cancelled, "Cancelled before it was begun.")), to: command)
        }
    }

    /// Closes a lane. All its waiting commands are answered as cancelled before this returns.
    package func close(_ ended: CommandLane) {
        if lately?.number == ended.number { lately = nil }
        guard let lane = lanes.removeValue(forKey: ended.number) else { return }
        lanes.dropSpareRoom()
        table.laneEnded(ended.number)
        let asking = lane.asking.values
        lane.asking = [:]
        var waiting: [PendingCommand] = []
        for order in Lane.orders {
            for task in lane[order].working.values { task.cancel() }
            waiting += lane[order].waiting
            lane[order].waiting = []
        }
        for question in asking {
            question.task.cancel()
            question.command.answer(Reply(id: question.command.context.number, .failed(WireError(.cancelled))))
        }
        for command in waiting { command.answer(Reply(id: command.context.number, .failed(WireError(.cancelled)))) }
    }

    // MARK: Order

    private func begin(_ command: PendingCommand) {
        let context = command.context
        if command.kind?.isOfPerson == true { people.acted(context.identity.principal) }
        guard case .lane(let id) = context.sender else {
            if !context.isCounted, let fault = count(context.sender) { return deliver(Answer(context.number, fault), to: command) }
            return perform(command, on: nil)
        }
        guard let lane = lane(id.number) else { return deliver(Answer(context.number, .cancelled), to: command) }
        if !context.isCounted, let fault = count(on: lane, atUs: clock.nowUs) {
            return deliver(Answer(context.number, fault), to: command)
        }
        guard lane.inFlight < limits.commandsInFlight else {
            return deliver(Answer(context.number, ProtocolFault(.busy, "Too many commands are still being worked on.")), to: command)
        }
        if lane.isBusy(command.order), !command.neverWaits { return lane[command.order].waiting.append(command) }
        perform(command, on: lane)
    }

    private func lane(_ number: Int) -> Lane? {
        if let lately, lately.number == number { return lately.lane }
        guard let lane = lanes[number] else { return nil }
        lately = (number, lane)
        return lane
    }

    private func perform(_ command: PendingCommand, on lane: Lane?) {
        switch handling(of: command) {
        case .answered(let answer): deliver(answer, to: command)
        case .working(let work):
            if let lane { carryOut(work, for: command, on: lane) } else { carryOutAlone(work, for: command) }
        }
    }

    /// Carries out a command with work. The work may outlive the connection, and retains its parts until it ends. The task
    /// prefers the loop's executor, since it would otherwise wake Swift's own pool.
    private func carryOut(_ work: @escaping @Loop () async -> Answer, for command: PendingCommand, on lane: Lane) {
        let number = command.context.number
        let order = command.order
        if order == .none {
            let task = Task(executorPreference: Loop.jobs) { [self] in
                let answer = await work()
                await finishQuestion(number, answer, on: lane)
            }
            lane.asking[number] = (command, task)
        } else {
            let task = Task(executorPreference: Loop.jobs) { [self] in
                let answer = await work()
                await finish(command, answer, on: lane)
            }
            lane[order].working[number] = task
        }
    }

    private func carryOutAlone(_ work: @escaping @Loop () async -> Answer, for command: PendingCommand) {
        aloneNumbers += 1
        let number = aloneNumbers
        let task = Task(executorPreference: Loop.jobs) { [self] in
            let answer = await work()
            await finishAlone(number, command, with: answer)
        }
        alone[number] = task
        command.context.ticket?.note(task)
    }

    private func finishAlone(_ number: Int, _ command: PendingCommand, with answer: Answer) {
        alone[number] = nil
        deliver(answer, to: command)
    }

    /// Answers a query, unless it was cancelled and so has its answer already.
    private func finishQuestion(_ number: Int, _ answer: Answer, on lane: Lane) {
        guard let question = lane.asking.removeValue(forKey: number) else { return }
        deliver(answer, to: question.command)
    }

    private func finish(_ command: PendingCommand, _ answer: Answer, on lane: Lane) {
        let order = command.order
        lane[order].working[command.context.number] = nil
        deliver(answer, to: command)
        while !lane.isBusy(order), !lane[order].waiting.isEmpty { perform(lane[order].waiting.removeFirst(), on: lane) }
    }

    /// Sends the answer first, then the first slice of all other clients, the player, and the other slices. A slice takes a
    /// millisecond at most, which is not audible. A player that is woken earlier competes with the clients for the processor.
    private func deliver(_ answer: Answer, to command: PendingCommand) {
        if let picture = answer.picture { command.context.pictures?.give(picture) }
        let isSuccess = answer.reply.isSuccess
        if command.context.identity.role.learnsNames { command.answer(answer.reply) } else { command.answer(answer.reply.withoutNames) }
        figures?.note(command.kind, answer.reply, tookUs: clock.nowUs - command.cameUs)
        if isSuccess { publisher.tellWhatChanged() }
        if let before = answer.before { players.perform(before.orders, in: before.room) }
        if let room = answer.room { players.perform(answer.orders, in: room) }
    }

    // MARK: Checks

    private func handling(of command: PendingCommand) -> Handling {
        let context = command.context
        do throws(ProtocolFault) {
            let asked = try check(command)
            let kind = asked.kind
            let live = context.room.map { rooms[$0] } ?? rooms.first
            if kind.keys == .memory { return try secret(asked, of: command, in: live) }
            let key = Self.key(of: kind, context)
            // This comes before all that follows: a known key gets its first answer, even when it is old or its room was deleted since.
            let known = try StoredAnswers(ledger: ledger).answer(to: key, id: context.number) { rooms[$0]?.room.queue }
            if let known { return .answered(known) }
            if let key, !secrets.isEmpty, secrets.has(SecretAnswers.Name(principal: key.device, key: key.key)) { throw .keyMismatch }
            try checkAge(context)
            let isAnywhere = kind.isRoomless && live?.isThere(for: context.identity) != true
            let found = isAnywhere ? rooms.first : try there(live, context)
            return try table.handle(asked, AcceptedCommand(context: context, live: found, key: key, halts: command.halts))
        } catch {
            // A method that this hub lacks is unknown, whatever else is wrong. That is asked only here, since it costs each command something.
            let isKnown = command.kind.map { table.has($0) } ?? false
            return .answered(Answer(context.number, isKnown ? error : .unknownCommand))
        }
    }

    /// The room of the command, where its sender may know of it.
    func there(_ live: LiveRoom?, _ context: CommandContext) throws(ProtocolFault) -> LiveRoom {
        guard let live, live.isThere(for: context.identity) else {
            throw ProtocolFault(noRoom: context.room ?? rooms.first.id, at: "/room")
        }
        return live
    }

    /// The key as it is stored, in the table that the command's kind names.
    private static func key(of kind: CommandKind, _ context: CommandContext) -> Ledger.Key? {
        guard let key = context.key else { return nil }
        let principal = context.identity.principal
        switch kind.keys {
        case .none, .memory: return nil
        case .apart: return Ledger.Key(device: "\(principal) steps", key: key.text, hash: key.fingerprint, kind: kind)
        case .shared: return Ledger.Key(device: principal, key: key.text, hash: key.fingerprint, kind: kind)
        }
    }

    /// The command, if its sender may send it and it could be read.
    private func check(_ command: PendingCommand) throws(ProtocolFault) -> any CommandRequest {
        guard let kind = command.kind else { throw .unknownCommand }
        if command.context.identity.role < kind.role, let fault = guests.refusal(of: kind, from: command.context.identity) { throw fault }
        return try command.asked.get()
    }

    func checkAge(_ context: CommandContext) throws(ProtocolFault) {
        guard let ct = context.ct else { return }
        let ageMs = Milliseconds(clock.nowUs) - ct
        guard ageMs > context.ttl ?? limits.commandTTLMs else { return }
        throw ProtocolFault(.expired, "This was sent \(ageMs) ms ago and is no longer wanted.")
    }
}

extension Reply {
    /// The reply for those who learn no names of other people.
    fileprivate var withoutNames: Reply {
        guard let content = data as? any NamingPeople else { return self }
        var reply = self
        reply.data = content.withoutNames
        return reply
    }
}
