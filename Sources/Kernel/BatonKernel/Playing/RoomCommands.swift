import BatonCore
import BatonProtocol
import BatonSeams

/// Commands about the rooms themselves. Each names a wanted state, and is carried out completely or not at all.
@Loop
struct RoomCommands {
    let rooms: RoomList
    let arranger: RoomArranger
    let outputs: RoomOutputs
    let search: OutputSearch
    let ledger: Ledger
    let clock: HubClock
    let events: HubEvents
    let limits: WireLimits
    /// The volume of a new room, and the limit for every room.
    let rails: VolumeRail

    func install(in commands: CommandTable) {
        commands.on(Commands.RoomCreate.self) { command, accepted throws(ProtocolFault) in
            try finding(command.output, for: accepted) { () throws(ProtocolFault) in
                try create(command.name, output: command.output, for: accepted)
            }
        }
        commands.on(Commands.RoomSet.self) { command, accepted throws(ProtocolFault) in
            try finding(newOutput(in: command, accepted), for: accepted) { () throws(ProtocolFault) in
                try set(try room(command.room, accepted, at: "/p/room"), command)
            }
        }
        commands.answer(Commands.RoomRename.self) { command, accepted throws(ProtocolFault) in
            try arrange(try rename(try room(command.room, accepted, at: "/p/room"), to: command.name), accepted)
        }
        commands.answer(Commands.RoomDelete.self) { command, accepted throws(ProtocolFault) in
            try arrange(try delete(command.room, accepted), accepted)
        }
        commands.answer(Commands.RoomRestore.self) { command, accepted throws(ProtocolFault) in
            try arrange(try restore(command.room), accepted)
        }
        commands.answer(Commands.RoomMove.self, move)
    }

    /// Looks for an unknown output before the room gets it.
    private func finding(
        _ output: String?, for accepted: AcceptedCommand, plan: @escaping @Loop () throws(ProtocolFault) -> RoomArranger.Arrangement
    ) throws(ProtocolFault) -> Handling {
        guard let output, !outputs.known.has(output) else { return .answered(try arrange(try plan(), accepted)) }
        return .working(for: accepted) { () async throws(ProtocolFault) in
            try await find(output)
            if accepted.live.isGone { throw ProtocolFault(noRoom: accepted.live.id, at: "/room") }
            if let known = try StoredAnswers(ledger: ledger).answer(to: accepted) { return known }
            return try arrange(try plan(), accepted)
        }
    }

    private func arrange(_ plan: RoomArranger.Arrangement, _ accepted: AcceptedCommand) throws(ProtocolFault) -> Answer {
        try arranger.arrange(plan, in: accepted.live, for: accepted.id, under: accepted.key)
    }

    private func room(_ id: RoomID?, _ accepted: AcceptedCommand, at pointer: String) throws(ProtocolFault) -> LiveRoom {
        guard let id else { return accepted.live }
        guard let live = rooms[id], live.isThere(for: accepted.identity) else { throw ProtocolFault(noRoom: id, at: pointer) }
        return live
    }

    // MARK: Making and deleting

    private func create(_ name: String, output: String?, for accepted: AcceptedCommand) throws(ProtocolFault) -> RoomArranger.Arrangement {
        try checkMayAdd(name)
        if let output { try check(output, for: nil) }
        let id = RoomID(named: name) { rooms[$0] != nil }
        var plan = RoomArranger.Arrangement()
        plan.added = LiveRoom(Room(id: id, name: name, volume: self.rails), output: output, limits: limits)
        if rooms.deleted(id) != nil { plan.forgotten = [id] }
        plan.data = CreatedRoom(id)
        return plan
    }

    private func delete(_ id: RoomID, _ accepted: AcceptedCommand) throws(ProtocolFault) -> RoomArranger.Arrangement {
        var plan = RoomArranger.Arrangement()
        // A room that does not exist counts as deleted.
        guard let room = rooms[id], room.isThere(for: accepted.identity) else { return plan }
        plan.removed = room
        if room.isPrivate { return plan }
        if rooms.shared.count == 1 { throw ProtocolFault(.invalidState, "A hub needs a room, and “\(id)” is its last.") }
        if rooms.deleted.count >= RoomList.mostDeleted {
            plan.forgotten = rooms.deleted.dropLast(RoomList.mostDeleted - 1).map(\.room.id)
        }
        return plan
    }

    /// Restores a deleted room as after a restart of the hub: with its queue, modes, limits and output, and paused.
    private func restore(_ id: RoomID) throws(ProtocolFault) -> RoomArranger.Arrangement {
        var plan = RoomArranger.Arrangement()
        guard rooms[id] == nil else { return plan }
        guard let kept = rooms.deleted(id) else {
            throw ProtocolFault(
                .notFound, "The room “\(id)” cannot be restored: the hub keeps the last \(RoomList.mostDeleted) deleted rooms only.",
                at: "/p/room")
        }
        try checkMayAdd(kept.room.name)
        // A device that another room has got meanwhile stays there.
        let output = kept.room.output.flatMap { outputs.holder(of: $0, besides: nil) == nil ? $0 : nil }
        plan.added = LiveRoom(Room(kept, limits: rails, at: clock.now), output: output, limits: limits)
        return plan
    }

    private func checkMayAdd(_ name: String) throws(ProtocolFault) {
        guard rooms.shared.count >= limits.rooms else { return try checkIsFree(name, besides: nil) }
        throw ProtocolFault(.quota, "This hub has \(rooms.shared.count) rooms, which is as many as it allows.")
    }

    private func rename(_ live: LiveRoom, to name: String) throws(ProtocolFault) -> RoomArranger.Arrangement {
        if live.isPrivate { throw Self.privateRoom }
        try checkIsFree(name, besides: live)
        return try changing(live) { room, _ in room.rename(to: name) }
    }

    private func checkIsFree(_ name: String, besides live: LiveRoom?) throws(ProtocolFault) {
        let word = CaselessName(name)
        guard let other = rooms.shared.first(where: { $0 !== live && CaselessName($0.room.name) == word }) else { return }
        throw ProtocolFault(.invalidState, "There is a room called “\(other.room.name)” already.", at: "/p/name")
    }

    // MARK: Rails and outputs

    private func set(_ live: LiveRoom, _ command: Commands.RoomSet) throws(ProtocolFault) -> RoomArranger.Arrangement {
        let rails = RailChange(floor: command.floor, ceiling: command.ceiling, startMax: command.startMax)
        let rule = command.whenEmpty
        if live.isPrivate { throw Self.privateRoom }
        // A higher value would not survive a restart, which applies the hub's own limits to every room.
        try check(rails.ceiling, below: self.rails.ceiling, "ceiling")
        try check(rails.startMax, below: self.rails.startMax, "startMax")
        let wanted = command.output.applied(to: live.output)
        if let wanted, wanted != live.output { try check(wanted, for: live) }
        if let rule, rule != live.room.presence.whenEmpty, (wanted ?? outputs.output(of: live)) != "null" {
            throw ProtocolFault(
                .invalidState,
                "“\(live.room.name)” is heard from a speaker. Only a room whose output is null can pause while nobody listens.",
                at: "/p/whenEmpty")
        }
        var plan = try changing(live) { room, now throws(Refusal) in
            var outcome = try room.set(rails)
            if wanted != live.output { outcome.add(room.changePlayer(at: now)) }
            if let rule { outcome.add(room.setWhenEmpty(rule)) }
            return outcome
        }
        plan.steps[0].isHeardElsewhere = wanted != live.output
        plan.steps[0].output = wanted
        return plan
    }

    private static let privateRoom = ProtocolFault(
        .invalidState, "This is a room of your own, without a speaker and without settings. It ends when you leave it.")

    private func check(_ wanted: Int?, below limit: Int, _ name: String) throws(ProtocolFault) {
        guard let wanted, wanted > limit else { return }
        throw ProtocolFault(
            .invalidState, "This hub allows \(name) up to \(limit); its owner can change that in batond.conf.", at: "/p/\(name)")
    }

    /// The command's output, if the room has another.
    private func newOutput(in command: Commands.RoomSet, _ accepted: AcceptedCommand) -> String? {
        guard case .set(let output) = command.output else { return nil }
        return (command.room.map { rooms[$0] } ?? accepted.live)?.output == output ? nil : output
    }

    /// Asks the player for its devices before a name is refused, since its list may be incomplete before playback, and
    /// devices may be connected later.
    private func find(_ output: String) async throws(ProtocolFault) {
        let isAnswered = await search.look()
        if Task.isCancelled { throw .cancelled }
        if outputs.known.has(output) { return }
        guard isAnswered else {
            throw ProtocolFault(.unavailable, "The hub's sound system takes too long to say which devices there are. Try again.")
        }
        throw KnownOutputs.refusal(of: output)
    }

    private func check(_ output: String, for live: LiveRoom?) throws(ProtocolFault) {
        guard outputs.known.has(output) else { throw KnownOutputs.refusal(of: output) }
        guard let holder = outputs.holder(of: output, besides: live) else { return }
        throw ProtocolFault(
            .invalidState, "“\(output)” is where “\(holder.room.name)” is heard. Choose another output, or none to share the hub's own.",
            at: "/p/output")
    }

    // MARK: Handing over

    private func move(_ command: Commands.RoomMove, _ accepted: AcceptedCommand) throws(ProtocolFault) -> Answer {
        let target = try room(command.target, accepted, at: "/p/to")
        let answer = try arrange(try handingOver(accepted, to: target, keep: command.keep), accepted)
        events.send(.queueMoved(from: accepted.live, to: target))
        return answer
    }

    private func handingOver(_ accepted: AcceptedCommand, to target: LiveRoom, keep: Bool) throws(ProtocolFault) -> RoomArranger.Arrangement
    {
        let source = accepted.live
        guard source !== target else { return RoomArranger.Arrangement() }
        var plan = try changing(target) { room, now throws(Refusal) in
            var numbers = ledger.numbers
            defer { ledger.numbers = numbers }
            return try room.takeOver(source.room, copying: keep, by: accepted.identity.author, at: now, numbers: &numbers)
        }
        let leaving = try changing(source) { room, now in room.handOver(keeping: keep, at: now) }
        // Silence comes before sound, and an entry leaves one queue before it enters the other.
        plan.steps.insert(contentsOf: leaving.steps, at: 0)
        return plan
    }

    /// Returns moved entries that are not playing here to the room that they came from.
    func takeMoveBack(_ accepted: AcceptedCommand, from source: LiveRoom) throws(ProtocolFault) -> Answer {
        let author = accepted.identity.author
        var given = Room.Given()
        var plan = try changing(accepted.live) { room, now throws(Refusal) in
            let outcome: Outcome
            (outcome, given) = try room.giveBack(by: author, at: now)
            return outcome
        }
        plan.told = 0
        // As in a move, an entry leaves one queue before it enters the other.
        plan.steps += try changing(source) { room, now throws(Refusal) in try room.takeIn(given, by: author, at: now) }.steps
        let answer = try arrange(plan, accepted)
        events.send(.queueMoved(from: accepted.live, to: source))
        return answer
    }

    private func changing(
        _ live: LiveRoom, _ decide: (inout Room, Moment) throws(Refusal) -> Outcome
    ) throws(ProtocolFault) -> RoomArranger.Arrangement {
        var room = live.room
        do {
            let outcome = try decide(&room, clock.now)
            var plan = RoomArranger.Arrangement()
            plan.steps = [.init(live: live, room: room, outcome: outcome, output: live.output)]
            return plan
        } catch {
            throw ProtocolFault(error)
        }
    }
}
