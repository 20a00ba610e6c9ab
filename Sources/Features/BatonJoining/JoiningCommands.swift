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
    private let kept: KeptAnswers
    private let queueLength: Int

    init(_ joining: JoinedRooms, _ items: ItemExpansion, _ changes: RoomChanges, _ settling: Settling, queueLength: Int) {
        self.joining = joining
        self.items = items
        self.changes = changes
        self.settling = settling
        kept = KeptAnswers(ledger: changes.ledger)
        self.queueLength = queueLength
    }

    func install(in commands: CommandTable) {
        commands.on(Commands.RoomJoined.self) { [self] _, visit throws(ProtocolFault) in
            try checkIsShared(visit)
            return .answered(answer(visit, .applied(), look(at: visit.live)))
        }
        commands.on(Commands.RoomUnjoin.self) { [self] _, visit throws(ProtocolFault) in
            try checkIsShared(visit)
            return .answered(answer(visit, joining.leave(visit.live) ? .applied() : .noop(why: .same)))
        }
        commands.on(Commands.RoomJoin.self) { [self] command, visit throws(ProtocolFault) in
            try checkIsShared(visit)
            return settling.working(visit.id) { [self] () async throws(ProtocolFault) in
                do throws(SourceFault) {
                    let isNew = try await joining.join(command.source, command.room, in: visit.live)
                    return answer(visit, isNew ? .applied() : .noop(why: .same))
                } catch {
                    throw ProtocolFault(error, at: nil)
                }
            }
        }
    }

    private func checkIsShared(_ visit: Visit) throws(ProtocolFault) {
        guard visit.live.isPrivate else { return }
        throw ProtocolFault(.invalidState, "A room of your own plays along with no other server's room.")
    }

    private func answer(_ visit: Visit, _ outcome: Reply.Outcome, _ data: (any ReplyContent)? = nil) -> Answer {
        changes.ledger.answer(visit, outcome, data)
    }

    // MARK: Other commands

    /// Handles commands that the server's room decides about. Others, which only concern our room, get `nil`.
    package func take(_ command: any CommandRequest, _ visit: Visit) throws(ProtocolFault) -> Handling? {
        // This runs before each command, and most hubs have joined no room.
        guard !joining.isEmpty else { return nil }
        if let other = touched(by: command, visit) { throw Self.leaveFirst(other) }
        guard visit.live.isJoined, let room = joining.room(visit.live.room.id) else { return nil }
        if let decision = DecidedCommand.decision(of: command) { return try decide(decision, room, visit) }
        switch command {
        case let command as Commands.Play:
            guard let uri = command.uri else { return try decide(command.decision, room, visit) }
            return finding([uri], room, visit) { found, view throws(Refusal) in
                try JoinedPress.play(found, index: command.index ?? 0, in: view)
            }
        case let command as Commands.QueueAdd:
            return finding(command.uris, room, visit) { found, view throws(Refusal) in
                try JoinedPress.meaning(of: .add(found.map { NewEntry(uri: $0, tags: Tags()) }, at: command.place), in: view)
            }
        case let command as Commands.QueueReplace:
            let isPlaying = visit.live.isPlaying
            return finding(command.uris, room, visit) { found, view throws(Refusal) in
                let entries = found.map { NewEntry(uri: $0, tags: Tags()) }
                return try JoinedPress.meaning(
                    of: .replace(base: command.base, with: entries, start: command.start, positionMs: 0, play: isPlaying), in: view)
            }
        case is Commands.RoomMove, is Commands.QueueContinue, is Commands.RadioPlay: throw Self.leaveFirst(room)
        default: return nil
        }
    }

    private func decide(_ command: Command, _ room: JoinedRoom, _ visit: Visit) throws(ProtocolFault) -> Handling? {
        do throws(Refusal) { return carryOut(try JoinedPress.meaning(of: command, in: room.view), room, visit) } catch {
            throw ProtocolFault(error)
        }
    }

    /// A joined room that the command would delete, or whose entries it would move.
    private func touched(by command: any CommandRequest, _ visit: Visit) -> JoinedRoom? {
        let id: RoomID? =
            switch command {
            case let command as Commands.RoomDelete: command.room
            case let command as Commands.RoomMove: command.target
            case is Commands.QueueUndo: visit.live.room.giver
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
        _ uris: [ItemURI], _ room: JoinedRoom, _ visit: Visit,
        _ meaning: @escaping @Loop ([ItemURI], JoinedPress.View) throws(Refusal) -> JoinedPress.Meaning
    ) -> Handling {
        .working { [self] in
            do throws(ProtocolFault) {
                let caller = visit.identity
                let found = try await items.items(of: uris, by: caller.person, trust: caller.trust, most: queueLength, in: "queue") {
                    uris.count == 1 ? nil : "/p/uris/\($0)"
                }
                if Task.isCancelled { throw .cancelled }
                if let known = try kept.answer(to: visit) { return known }
                if let other = found.first(where: { $0.uri.source != room.source }) {
                    throw ProtocolFault(
                        .unsupported,
                        "This room plays along with “\(room.sourceTitle)”, so only its tracks can be in the queue; “\(other.tags.title)” is none."
                    )
                }
                let steps: JoinedPress.Meaning
                do throws(Refusal) { steps = try meaning(found.map(\.uri), room.view) } catch { throw ProtocolFault(error) }
                return await carriedOut(steps, room, visit)
            } catch {
                return Answer(visit.id, error)
            }
        }
    }

    private func carryOut(_ meaning: JoinedPress.Meaning, _ room: JoinedRoom, _ visit: Visit) -> Handling? {
        switch meaning {
        case .ours: nil
        case .nothing(let reason): .answered(answer(visit, .noop(why: Reply.Why(name: reason.rawValue))))
        case .steps: .working { [self] in await carriedOut(meaning, room, visit) }
        }
    }

    private func carriedOut(_ meaning: JoinedPress.Meaning, _ room: JoinedRoom, _ visit: Visit) async -> Answer {
        guard case .steps(let steps) = meaning else { return answer(visit, .noop(why: .same)) }
        do throws(SourceFault) {
            let before = visit.live.room.queue.revision
            try await room.carryOut(steps)
            var reply = answer(visit, .applied()).reply
            let revision = visit.live.room.queue.revision
            if revision != before { reply.queue = Reply.QueueResult(revision: revision, ids: nil) }
            return Answer(changes.keeping(reply, under: visit.key, in: visit.live))
        } catch {
            return Answer(visit.id, ProtocolFault(error, at: nil))
        }
    }

    // MARK: Looking

    func look(at live: LiveRoom) -> JoinedRoomInfo {
        guard let room = joining.room(live.room.id) else { return JoinedRoomInfo() }
        var info = JoinedRoomInfo()
        info.source = room.source
        info.room = room.room
        info.name = room.name
        (info.state, info.sentence) = Self.state(of: room)
        info.attempt = room.attempt
        info.listeners = room.listeners
        info.listenerCount = room.listenerCount
        info.mode = room.state?.mode
        info.length = room.view.length
        info.expectedMs = room.expectedMs.map { Int($0) }
        info.ownMs = room.ownMs.map { Int($0) }
        info.driftMs = room.ownMs.flatMap { own in room.expectedMs.map { Int64((own - $0).rounded()) } }
        info.speed = room.rule.speed
        info.events = room.events.list.map { .init(atMs: $0.atMs, text: $0.text) }
        return info
    }

    private static func state(of room: JoinedRoom) -> (JoinedRoomInfo.State, String?) {
        switch room.link {
        case .connecting: (.connecting, nil)
        case .open: (.open, nil)
        case .waiting(let untilUs): (.waiting, "The hub tries again in \(max(0, (untilUs - room.parts.clock.nowUs) / 1_000_000)) s.")
        case .ended(let sentence): (.ended, sentence)
        }
    }
}
