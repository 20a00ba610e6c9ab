import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire

/// The one way in for commands, whichever protocol they come by.
///
/// Permission, expiry and key are checked here, in this order, before anything happens; then the room decides, the journal
/// keeps what must be kept, and the result is published. The answer carries the player's orders along, to be given after it
/// has left.
@Loop
final class CommandProcessor {
    private let rooms: RoomList
    private let ledger: Ledger
    private let clock: HubClock
    private let limits: WireLimits
    private let guests: GuestRules
    private let families: Families

    /// The parts that carry out commands of one kind each.
    struct Families {
        let playback: PlaybackCommands
        let arranging: RoomCommands
        let library: LibraryCommands
        let playlists: PlaylistCommands
        let devices: DeviceRegistry?
        let information: HubInformation
    }

    init(_ rooms: RoomList, _ ledger: Ledger, _ clock: HubClock, _ limits: WireLimits, _ guests: GuestRules, _ families: Families) {
        self.rooms = rooms
        self.ledger = ledger
        self.clock = clock
        self.limits = limits
        self.guests = guests
        self.families = families
    }

    func take(_ frame: CommandFrame, for caller: Caller, in room: RoomID) -> Handling {
        do throws(ProtocolFault) {
            let request = try check(frame, for: caller)
            let key = frame.key.map { RoomChanges.Key(device: caller.device, key: $0, hash: frame.fingerprint) }
            // First of all: what was answered before is answered again, whatever has become of its room.
            if let known = try KeptAnswers(ledger: ledger).answer(to: key, id: frame.id) { return .answered(known) }
            guard let live = rooms[room] else { throw ProtocolFault(noRoom: room, at: "/room") }
            return try handle(request, Visit(id: frame.id, caller: caller, live: live, key: key))
        } catch {
            return .answered(Answer(frame.id, error))
        }
    }

    private func check(_ frame: CommandFrame, for caller: Caller) throws(ProtocolFault) -> Request {
        let kind = try RequestKind(of: frame)
        // What this hub does not have is refused to everyone in the same way.
        if caller.role < kind.role, !kind.isReserved {
            throw ProtocolFault(
                .forbidden, "\(kind.rawValue) needs the role \(kind.role.rawValue), and this connection has \(caller.role.rawValue).")
        }
        let request = try Request.decode(frame, as: kind, limits: limits)
        if let ct = frame.ct {
            let ageMs = clock.nowUs / 1000 - ct
            if ageMs > Int64(frame.ttl ?? limits.commandTTLMs) {
                throw ProtocolFault(.expired, "This was sent \(ageMs) ms ago and is no longer wanted.")
            }
        }
        return request
    }

    private func handle(_ request: Request, _ visit: Visit) throws(ProtocolFault) -> Handling {
        try guests.check(request, by: visit.caller, in: visit.live.room)
        let queue = visit.live.room.queue
        switch request {
        case .room(let command): return try families.playback.handle(command, visit)
        case .play(let uri, let index, let position): return families.playback.play(uri, index: index, positionMs: position, visit)
        case .add(let uris, let place): return families.playback.add(uris, at: place, visit)
        case .replace(let base, let uris, let start, let position):
            return families.playback.replace(base: base, uris, start: start, positionMs: position, visit)
        case .queueWindow(let from, let count): return answered(visit, with: .queuePage(queue.page(from: from, count: count)))
        case .queueRows(let ids): return answered(visit, with: .queuePage(queue.page(of: ids)))
        case .queueHistory: return answered(visit, with: .queueHistory(QueueHistoryList(queue)))
        case .rooms(let request): return try families.arranging.handle(request, visit)
        case .hubInfo: return answered(visit, with: .hubInfo(families.information.answer(to: visit.caller)))
        case .devices(let request):
            guard let devices = families.devices else {
                throw ProtocolFault(.unsupported, "This hub was started without keys of its own, so it cannot pair.")
            }
            let (outcome, data) = try devices.handle(request, for: visit.caller)
            return .answered(Answer(Reply(id: visit.id, outcome, revision: ledger.revision, data: data)))
        case .library(let request): return families.library.handle(request, visit)
        case .playlists(let request): return families.playlists.handle(request, visit)
        case .art(let request): return try families.library.picture(request, visit)
        case .unsupported(let kind):
            throw ProtocolFault(.unsupported, "This hub knows of “\(kind.rawValue)” but cannot do it yet.", at: "/m")
        }
    }

    private func answered(_ visit: Visit, with data: ReplyData) -> Handling {
        .answered(Answer(Reply(id: visit.id, .applied(), revision: ledger.revision, data: data)))
    }
}
