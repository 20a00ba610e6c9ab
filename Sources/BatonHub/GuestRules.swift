import BatonCore
import BatonProtocol
import BatonSeams

/// What the owner has set for guests, beyond what their role may do at all: a few entries of their own
/// at a time, and a span for the volume.
@Loop
enum GuestRules {
    /// Own entries that are still to be played.
    static let mostOwnEntries = 5

    static func check(_ request: Request, _ visit: Door.Visit) throws(ProtocolFault) {
        let caller = visit.caller
        guard caller.role == .guest else { return }
        let room = visit.live.room
        switch request {
        case .add(let uris, at: _):
            let own = room.queue.entries.dropFirst((room.queue.currentIndex ?? -1) + 1).count { $0.addedBy == caller.name }
            guard own + uris.count <= mostOwnEntries else {
                throw ProtocolFault(
                    .quota, "A guest may have \(mostOwnEntries) entries waiting, and \(own) of yours are. Wait until one was played.")
            }
        case .room(.setLevel(let level)): try check(level, caller)
        case .room(.stepLevel(let by)): try check(min(100, max(0, room.volume.level + by)), caller)
        default: break
        }
    }

    private static func check(_ level: Int, _ caller: Caller) throws(ProtocolFault) {
        guard let span = caller.span, !span.contains(level) else { return }
        throw ProtocolFault(.forbidden, "The owner lets guests choose a volume from \(span.lowerBound) to \(span.upperBound).")
    }
}
