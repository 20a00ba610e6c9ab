/// Joining a room of another server, leaving it, looking at it; and what becomes of other commands in a room that has joined one.
import BatonCore
import BatonProtocol
import BatonSeams

@Loop
final class JoiningCommands {
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

    func handle(_ request: JoinRequest, _ visit: Visit) -> Handling {
        switch request {
        case .look: return .answered(answer(visit, .applied(), .joinedRoom(look(at: visit.live))))
        case .leave:
            let wasJoined = joining.leave(visit.live)
            return .answered(answer(visit, wasJoined ? .applied() : .noop(why: .same)))
        case .join(let source, let room):
            return settling.working(visit.id) { [self] () async throws(ProtocolFault) in
                do throws(SourceFault) {
                    let isNew = try await joining.join(source, room, in: visit.live)
                    return answer(visit, isNew ? .applied() : .noop(why: .same))
                } catch {
                    throw ProtocolFault(error, at: nil)
                }
            }
        }
    }

    private func answer(_ visit: Visit, _ outcome: Reply.Outcome, _ data: ReplyData? = nil) -> Answer {
        Answer(Reply(id: visit.id, outcome, revision: changes.ledger.revision, data: data))
    }

    // MARK: Other commands

    /// Commands that another room decides about. Those of our own room alone go their usual way, which is `nil`.
    func instead(of request: Request, _ visit: Visit) throws(ProtocolFault) -> Handling? {
        // Asked before each command, and most hubs have joined no room.
        guard !joining.isEmpty else { return nil }
        if let other = touched(by: request, visit) { throw Self.leaveFirst(other) }
        guard visit.live.isJoined, let room = joining.room(visit.live.room.id) else { return nil }
        switch request {
        case .room(let command):
            do throws(Refusal) { return carryOut(try JoinedPress.meaning(of: command, in: room.view), room, visit) } catch {
                throw ProtocolFault(error)
            }
        case .play(let uri, let index, _):
            return finding([uri], room, visit) { found, view throws(Refusal) in try JoinedPress.play(found, index: index, in: view) }
        case .add(let uris, let place):
            return finding(uris, room, visit) { found, view throws(Refusal) in
                try JoinedPress.meaning(of: .add(found.map { NewEntry(uri: $0, tags: Tags()) }, at: place), in: view)
            }
        case .replace(let base, let uris, let start, _):
            let isPlaying = visit.live.isPlaying
            return finding(uris, room, visit) { found, view throws(Refusal) in
                let entries = found.map { NewEntry(uri: $0, tags: Tags()) }
                return try JoinedPress.meaning(
                    of: .replace(base: base, with: entries, start: start, positionMs: 0, play: isPlaying), in: view)
            }
        case .rooms(.move), .savedQueue(.goOn), .radio(.play): throw Self.leaveFirst(room)
        default: return nil
        }
    }

    /// A joined room that the request would delete, or give or take entries, whichever room it is sent to.
    private func touched(by request: Request, _ visit: Visit) -> JoinedRoom? {
        let id: RoomID? =
            switch request {
            case .rooms(.delete(let id)): id
            case .rooms(.move(let target, _)): target
            case .room(.undo): visit.live.room.giver
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
            let done = answer(visit, .applied())
            let revision = visit.live.room.queue.revision
            if revision != before { done.reply.queue = Reply.QueueResult(revision: revision, ids: nil) }
            done.reply = changes.keeping(done.reply, under: visit.key, in: visit.live)
            return done
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
        info.driftMs = room.ownMs.flatMap { own in room.expectedMs.map { Int((own - $0).rounded()) } }
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
