/// Commands to join a room of another server, to leave it and to show it; and the handling of other commands in a joined
/// room.
import BatonCore
package import BatonKernel
package import BatonProtocol
package import BatonSeams

@Loop
package final class JoiningCommands: CommandStep {
    private let joining: JoinedRooms
    private let items: ItemExpansion
    private let changes: RoomChanges
    private let settling: Settling
    private let queueLength: Int

    init(_ joining: JoinedRooms, items: ItemExpansion, changes: RoomChanges, settling: Settling, queueLength: Int) {
        self.joining = joining
        self.items = items
        self.changes = changes
        self.settling = settling
        self.queueLength = queueLength
    }

    func install(in commands: CommandTable) {
        commands.on(Commands.RoomJoined.self) { [self] _, accepted throws(ProtocolFault) in
            try checkIsShared(accepted)
            return .answered(changes.ledger.found(joining.room(accepted.live.room.id)?.info ?? JoinedRoomInfo(), for: accepted))
        }
        commands.on(Commands.RoomUnjoin.self) { [self] _, accepted throws(ProtocolFault) in
            try checkIsShared(accepted)
            return .answered(changes.ledger.done(joining.leave(accepted.live), for: accepted))
        }
        commands.on(Commands.RoomJoin.self) { [self] command, accepted throws(ProtocolFault) in
            try checkIsShared(accepted)
            return settling.working(accepted.id) { [self] () async throws(ProtocolFault) in
                let isNew = try await ProtocolFault.translating { () async throws(SourceFault) in
                    try await joining.join(command.source, command.room, in: accepted.live)
                }
                return changes.ledger.done(isNew, for: accepted)
            }
        }
    }

    private func checkIsShared(_ accepted: AcceptedCommand) throws(ProtocolFault) {
        guard accepted.live.isPrivate else { return }
        throw ProtocolFault(.invalidState, "A room of your own plays along with no other server's room.")
    }

    // MARK: Other commands

    /// Handles commands that the server's room decides about. Others, which only concern our room, get `nil`.
    package func take(_ command: any CommandRequest, _ accepted: AcceptedCommand) throws(ProtocolFault) -> Handling? {
        // This runs before each command, and most hubs have joined no room.
        guard !joining.isEmpty else { return nil }
        if let other = touched(by: command, accepted) { throw Self.leaveFirst(other) }
        guard accepted.live.isJoined, let room = joining.room(accepted.live.room.id) else { return nil }
        if let decision = DecidedCommand.decision(of: command) { return try decide(decision, in: room, for: accepted) }
        switch command.kind {
        case .play:
            let command = command.typed(as: Commands.Play.self)
            guard let uri = command.uri else { return try decide(command.decision, in: room, for: accepted) }
            return finding([uri], from: .uri, in: room, for: accepted) { found, view throws(Refusal) in
                try JoinedPress.play(found, index: command.index ?? 0, in: view)
            }
        case .queueAdd:
            let command = command.typed(as: Commands.QueueAdd.self)
            return finding(command.uris, from: .uris, in: room, for: accepted) { found, view throws(Refusal) in
                try JoinedPress.meaning(of: .add(found.map { NewEntry(uri: $0, tags: Tags()) }, at: command.place), in: view)
            }
        case .queueReplace:
            let (command, isPlaying) = (command.typed(as: Commands.QueueReplace.self), accepted.live.isPlaying)
            return finding(command.uris, from: .uris, in: room, for: accepted) { found, view throws(Refusal) in
                let entries = found.map { NewEntry(uri: $0, tags: Tags()) }
                return try JoinedPress.meaning(
                    of: .replace(base: command.base, with: entries, start: command.start, positionMs: 0, play: isPlaying), in: view)
            }
        case .roomMove, .queueContinue, .radioPlay: throw Self.leaveFirst(room)
        default: return nil
        }
    }

    private func decide(_ command: Command, in room: JoinedRoom, for accepted: AcceptedCommand) throws(ProtocolFault) -> Handling? {
        changes.noteHalt(command, accepted)
        do throws(Refusal) { return carryOut(try JoinedPress.meaning(of: command, in: room.view), in: room, for: accepted) } catch {
            throw ProtocolFault(error)
        }
    }

    /// A joined room that the command would delete, or whose entries it would move.
    private func touched(by command: any CommandRequest, _ accepted: AcceptedCommand) -> JoinedRoom? {
        let id: RoomID? =
            switch command.kind {
            case .roomDelete: command.typed(as: Commands.RoomDelete.self).room
            case .roomMove: command.typed(as: Commands.RoomMove.self).target
            case .queueUndo: accepted.live.room.sender
            default: nil
            }
        return id.flatMap { joining.room($0) }
    }

    private static func leaveFirst(_ room: JoinedRoom) -> ProtocolFault {
        ProtocolFault(
            .invalidState,
            "The room “\(room.live.room.name)” plays along with “\(room.name)” at “\(room.sourceTitle)”. Leave that first: baton leave")
    }

    private func finding(
        _ uris: [ItemURI], from parameter: ItemParameter, in room: JoinedRoom, for accepted: AcceptedCommand,
        meaning: @escaping @Loop ([ItemURI], JoinedPress.View) throws(Refusal) -> JoinedPress.Meaning
    ) -> Handling {
        .working(for: accepted) { [self] () async throws(ProtocolFault) in
            let found = try await items.entries(of: uris, from: parameter, for: accepted, most: queueLength)
            if let known = try StoredAnswers(ledger: changes.ledger).answer(to: accepted) { return known }
            if let other = found.first(where: { $0.uri.source != room.source }) {
                throw ProtocolFault(
                    .unsupported,
                    "This room plays along with “\(room.sourceTitle)”, so only its tracks can be in the queue; “\(other.tags.title)” is none."
                )
            }
            let steps: JoinedPress.Meaning
            do throws(Refusal) { steps = try meaning(found.map(\.uri), room.view) } catch { throw ProtocolFault(error) }
            return try await carriedOut(steps, in: room, for: accepted)
        }
    }

    private func carryOut(_ meaning: JoinedPress.Meaning, in room: JoinedRoom, for accepted: AcceptedCommand) -> Handling? {
        switch meaning {
        case .ours: nil
        case .nothing(let reason): .answered(changes.ledger.answer(to: accepted, .noop(why: Reply.Why(name: reason.rawValue))))
        case .steps:
            .working(for: accepted) { [self] () async throws(ProtocolFault) in try await carriedOut(meaning, in: room, for: accepted) }
        }
    }

    private func carriedOut(
        _ meaning: JoinedPress.Meaning, in room: JoinedRoom, for accepted: AcceptedCommand
    ) async throws(ProtocolFault) -> Answer {
        guard case .steps(let steps) = meaning else { return changes.ledger.done(false, for: accepted) }
        let before = accepted.live.room.queue.revision
        try await ProtocolFault.translating { () async throws(SourceFault) in try await carryOut(steps, in: room, for: accepted) }
        var reply = changes.ledger.done(true, for: accepted).reply
        let revision = accepted.live.room.queue.revision
        if revision != before { reply.queue = Reply.QueueResult(revision: revision, ids: nil) }
        return Answer(changes.storing(reply, under: accepted.key, in: accepted.live))
    }

    /// Carries out the steps. Where some of them may begin to play, a person who wanted silence after this press gets it.
    private func carryOut(
        _ steps: [JoinedPress.Step], in room: JoinedRoom, for accepted: AcceptedCommand
    ) async throws(SourceFault) {
        let live = accepted.live
        var fault: SourceFault?, mayPlay = false
        do throws(SourceFault) {
            for step in steps where step.action != .unpause || accepted.laterHalt(in: live) == nil {
                mayPlay = mayPlay || step.action.mayBeginToPlay
                try await room.carryOut([step])
            }
        } catch {
            fault = error
        }
        if mayPlay, accepted.laterHalt(in: live) != nil {
            // A step that was not shown in time may still take effect, so a state that is paused now says too little.
            if fault != nil || !room.view.isPaused {
                do throws(SourceFault) { try await room.carryOut([JoinedPress.Step(.pause, shownBy: .paused(true))]) } catch {
                    fault = fault ?? error
                }
            }
        } else if mayPlay, fault == nil {
            live.liftHalt()
        }
        if let fault { throw fault }
    }
}

extension ServerRoomAction {
    /// Whether the room of another server may play after it. Some servers play on by themselves after a jump.
    fileprivate var mayBeginToPlay: Bool {
        switch self {
        case .unpause, .jump: true
        default: false
        }
    }
}
