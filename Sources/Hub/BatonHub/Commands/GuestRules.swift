import BatonCore
import BatonProtocol
import BatonSeams

/// What the owner has set for guests, beyond what their role may do at all: a few entries of their own
/// at a time, and a span for the volume.
@Loop
enum GuestRules {
    static func check(_ request: Request, _ visit: CommandProcessor.Visit, _ hub: Hub) throws(ProtocolFault) {
        guard let share = visit.caller.share else { return }
        let room = visit.live.room
        switch request {
        case .add(let uris, at: _):
            // Before any source is asked what is in them; what is in them is counted when it is known.
            do throws(Refusal) {
                try room.checkShare(share, adding: uris.count, atMost: hub.limits.guestEntries)
            } catch {
                throw ProtocolFault(error)
            }
        case .room(.setLevel(let level)): try check([level, room.volume.landing(on: level)], visit.caller, hub)
        case .room(.stepLevel(let by)): try check([room.volume.landing(on: room.volume.level + by)], visit.caller, hub)
        case .room(.setMute(let isMuted)): try check([isMuted ? 0 : room.volume.level], visit.caller, hub)
        default: break
        }
    }

    /// The levels between which this caller may turn the volume. For a guest that of its device, else that of all guests; with
    /// neither a guest leaves the volume alone. `nil` for other roles, which only the room bounds.
    static func span(of caller: Caller, _ hub: Hub) -> ClosedRange<Int>? {
        caller.role == .guest ? caller.span ?? hub.guestVolume : nil
    }

    private static func check(_ levels: [Int], _ caller: Caller, _ hub: Hub) throws(ProtocolFault) {
        guard let span = span(of: caller, hub) else {
            throw ProtocolFault(.forbidden, "On this hub guests do not change the volume; its owner can allow it (guest_volume).")
        }
        guard levels.allSatisfy(span.contains) else {
            throw ProtocolFault(
                .forbidden,
                "The owner lets guests choose a volume from \(span.lowerBound) to \(span.upperBound); muting counts as 0.")
        }
    }
}

extension VolumeRail {
    /// Where the room's own bounds let a wish for this level end.
    fileprivate func landing(on level: Int) -> Int {
        var rail = self
        _ = rail.set(to: level)
        return rail.level
    }
}
