import BatonCore
import BatonProtocol
import BatonSeams

/// The one way in for commands, whoever sends them and in whatever tongue.
///
/// Permission, expiry and key are checked here, in this order, before anything happens; then the
/// room decides, the journal keeps what must be kept, and the board shows the result. The answer
/// carries the player's orders along, to be given after it has left.
@Loop
final class CommandProcessor {
    unowned let hub: Hub

    init(hub: Hub) { self.hub = hub }

    func take(_ frame: CommandFrame, for caller: Caller, in room: RoomID) -> Handling {
        do throws(ProtocolFault) {
            let request = try check(frame, for: caller)
            // First of all: what was answered before is answered again, whatever has become of its room.
            if let known = try remembered(frame, caller) { return .answered(known) }
            guard let live = hub.room(room) else { throw ProtocolFault(noRoom: room, at: "/room") }
            return try handle(request, Visit(frame: frame, caller: caller, live: live))
        } catch {
            return .answered(Answer(frame.id, error))
        }
    }

    /// A command on its way through the door.
    struct Visit {
        let frame: CommandFrame
        let caller: Caller
        let live: LiveRoom
    }

    // MARK: Checks

    private func check(_ frame: CommandFrame, for caller: Caller) throws(ProtocolFault) -> Request {
        let kind = try RequestKind(of: frame)
        // What this hub does not have is refused to everyone in the same way.
        if caller.role < kind.role, !kind.isReserved {
            throw ProtocolFault(
                .forbidden, "\(kind.rawValue) needs the role \(kind.role.rawValue), and this connection has \(caller.role.rawValue).")
        }
        let request = try Request.decode(frame, as: kind, limits: hub.limits)
        if let ct = frame.ct {
            let ageMs = hub.reactor.nowUs / 1000 - ct
            if ageMs > Int64(frame.ttl ?? hub.limits.commandTTLMs) {
                throw ProtocolFault(.expired, "This was sent \(ageMs) ms ago and is no longer wanted.")
            }
        }
        return request
    }

    /// The answer this key was given before, or `nil` when it is new.
    func remembered(_ frame: CommandFrame, _ caller: Caller) throws(ProtocolFault) -> Answer? {
        guard let key = frame.key else { return nil }
        let kept: KeptAnswer?
        do { kept = try hub.ledger.answer(device: caller.device, key: key) } catch {
            throw ProtocolFault(.unavailable, error.sentence)
        }
        guard let kept else { return nil }
        guard kept.hash == frame.fingerprint else {
            throw ProtocolFault(.keyMismatch, "This key was used for another command.", at: "/k")
        }
        return Answer(kept: kept.answer, id: frame.id)
    }

    // MARK: Handling

    private func handle(_ request: Request, _ visit: Visit) throws(ProtocolFault) -> Handling {
        try GuestRules.check(request, visit, hub)
        switch request {
        case .room(.play(entry: nil, positionMs: _)) where visit.live.room.queue.isEmpty && !hub.isSettled:
            return .working { [self] in
                await hub.untilSettled()
                return await finish(request, visit)
            }
        case .room(.play(entry: nil, positionMs: let position)) where visit.live.room.queue.isEmpty:
            // Pressing play in an empty room plays what there is.
            guard let music = hub.welcomeMusic() else { return .answered(try apply(.play(positionMs: position), visit)) }
            return fetching([music], visit, trust: .musicFolders) { .replace(base: nil, with: $0, start: 0, positionMs: 0, play: true) }
        case .room(.undo):
            if let giver = visit.live.room.giver, let source = hub.room(giver), source !== visit.live {
                return .answered(try takeMoveBack(visit, from: source))
            }
            return .answered(try apply(.undo, visit))
        case .room(let command):
            return .answered(try apply(command, visit))
        case .play(let uri, let index, let position):
            return fetching([uri], visit) { .replace(base: nil, with: $0, start: index, positionMs: position, play: true) }
        case .add(let uris, let place):
            let share = visit.caller.share
            return fetching(uris, visit) { items in
                var shared = items
                for index in shared.indices { shared[index].share = share }
                return .add(shared, at: place)
            }
        case .replace(let base, let uris, let start, let position):
            let play = visit.live.room.isPlaying
            return fetching(uris, visit) { .replace(base: base, with: $0, start: start, positionMs: position, play: play) }
        case .queueWindow(let from, let count):
            return .answered(hub.answer(visit.frame.id, with: visit.live.room.queue.page(from: from, count: count, hub.limits)))
        case .queueRows(let ids):
            return .answered(hub.answer(visit.frame.id, with: visit.live.room.queue.page(of: ids, hub.limits)))
        case .queueHistory:
            return .answered(
                hub.answer(
                    visit.frame.id,
                    with: JSONWriter.bytes {
                        QueueHistoryList(visit.live.room.queue).encode(into: &$0, bytes: hub.limits.pageBytes)
                    }))
        case .rooms(let request):
            return try arrange(request, visit)
        case .hubInfo:
            return .answered(hub.answer(visit.frame.id, with: hub.info(for: visit.caller)))
        case .devices(let request):
            guard let deviceRegistry = hub.deviceRegistry else {
                throw ProtocolFault(.unsupported, "This hub was started without keys of its own, so it cannot pair.")
            }
            let (outcome, data) = try deviceRegistry.handle(request, for: visit.caller, hub)
            return .answered(Answer(Reply(id: visit.frame.id, outcome, revision: hub.ledger.revision), data: data))
        case .library(let request): return library(request, visit)
        case .playlists(let request): return playlists(request, visit)
        case .art(let request): return try picture(request, visit)
        case .unsupported(let kind):
            throw ProtocolFault(.unsupported, "This hub knows of “\(kind.rawValue)” but cannot do it yet.", at: "/m")
        }
    }

    /// Handles what had to wait for the house, however long that takes by now.
    private func finish(_ request: Request, _ visit: Visit) async -> Answer {
        do throws(ProtocolFault) {
            switch try handle(request, visit) {
            case .answered(let answer): return answer
            case .working(let work): return await work()
            }
        } catch {
            return Answer(visit.frame.id, error)
        }
    }

    private func fetching(
        _ uris: [ItemURI], _ visit: Visit, trust: Trust? = nil, _ command: @escaping @Loop ([NewEntry]) -> Command
    ) -> Handling {
        let trust = trust ?? visit.caller.trust
        return .working { [self] in
            do throws(ProtocolFault) {
                let items = try await items(of: uris, trust: trust, most: hub.limits.queueLength, in: "queue") {
                    uris.count == 1 ? nil : "/p/uris/\($0)"
                }
                if Task.isCancelled { throw .cancelled }
                // The same press may have come by another connection meanwhile.
                if let known = try remembered(visit.frame, visit.caller) { return known }
                let change = command(items)
                try checkLength(after: change, visit.live.room.queue)
                return try apply(change, visit)
            } catch {
                return Answer(visit.frame.id, error)
            }
        }
    }

    /// All that is in them, for a list that holds so many at the most.
    func items(
        of uris: [ItemURI], trust: Trust, most: Int, in list: String, at pointer: (Int) -> String?
    ) async throws(ProtocolFault) -> [NewEntry] {
        var items: [NewEntry] = []
        for (index, uri) in uris.enumerated() {
            do throws(SourceFault) {
                for var item in try await hub.sources.expand(uri, trust: trust) {
                    item.trust = item.trust ?? trust
                    items.append(item)
                }
            } catch {
                throw ProtocolFault(error, at: pointer(index))
            }
            guard items.count <= most else { throw ProtocolFault(.quota, "A \(list) holds at most \(most) entries.") }
        }
        if items.isEmpty { throw ProtocolFault(.notFound, "There is nothing to play in there.") }
        return items
    }

    /// The core knows the longest queue there can be; the owner may allow less.
    private func checkLength(after command: Command, _ queue: PlaybackQueue) throws(ProtocolFault) {
        guard case .add(let new, _) = command, queue.count + new.count > hub.limits.queueLength else { return }
        throw ProtocolFault(.quota, "A queue holds at most \(hub.limits.queueLength) entries.")
    }

    private func apply(_ command: Command, _ visit: Visit) throws(ProtocolFault) -> Answer {
        let effect = try hub.change(visit.live, for: visit.frame.id, keeping: key(of: visit)) { room, numbers, now throws(Refusal) in
            if case .add(let items, _) = command, let share = visit.caller.share {
                try room.checkShare(share, adding: items.count, atMost: hub.limits.guestEntries)
            }
            return try room.apply(command, by: visit.caller.author, at: now, numbers: &numbers)
        }
        var answer = Answer(effect.reply)
        answer.orders = effect.orders
        answer.room = visit.live.room.id
        return answer
    }

    func key(of visit: Visit) -> Hub.Key? {
        visit.frame.key.map { Hub.Key(device: visit.caller.device, key: $0, hash: visit.frame.fingerprint) }
    }
}

extension ProtocolFault {
    init(noRoom room: RoomID, at pointer: String? = nil) {
        self.init(.notFound, "There is no room “\(room)” on this hub.", at: pointer)
    }

    /// An edge's own words, translated to the wire's few codes.
    init(_ fault: SourceFault, at pointer: String?) {
        let code: ErrorCode =
            switch fault.code {
            case .notFound: .notFound
            case .forbidden: .forbidden
            case .unreadable, .unsupported: .unsupported
            case .failed: .sourceFailed
            case .tooLarge: .tooLarge
            case .badRequest: .badRequest
            case .conflict: .queueConflict
            case .anchorGone: .anchorGone
            case .gone: .gone
            case .keyMismatch: .keyMismatch
            case .quota: .quota
            case .invalidState: .invalidState
            case .unavailable: .unavailable
            case .cancelled: .cancelled
            }
        self.init(code, fault.sentence, at: pointer)
        revision = fault.revision
    }

    init(_ refusal: Refusal) {
        let code: ErrorCode =
            switch refusal.code {
            case .anchorGone: .anchorGone
            case .gone: .gone
            case .invalidState: .invalidState
            case .notFound: .notFound
            case .queueConflict: .queueConflict
            case .quota: .quota
            }
        self.init(code, refusal.sentence)
        revision = refusal.revision
    }
}
