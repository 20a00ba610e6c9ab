import BatonCore
import BatonProtocol

/// One room as the list of rooms shows it, made anew only when it looks different there.
///
/// A change of the volume concerns one room of many, and a corrected line concerns none.
struct RoomSummary {
    /// What the list shows of a room.
    static let facets: Facets = [.now, .timeline, .volume, .room]

    private(set) var row: RoomsSection.Room?

    /// Says whether the room looks different now.
    mutating func look(at room: Room, output: String?, _ touched: Facets) -> Bool {
        guard !touched.isDisjoint(with: Self.facets) else { return false }
        let state = TimelineSection.PlayState(name: room.timeline.state.rawValue)
        if row == nil || touched.contains(.now) || touched.contains(.room) {
            let seen = RoomsSection.Room(
                id: room.id, name: room.name, state: state, title: room.currentEntry?.tags.oneLine, level: room.volume.level,
                isMuted: room.volume.muted, outputs: output.map { [$0] } ?? [])
            guard seen != row else { return false }
            row = seen
        } else {
            // Most changes are of these three, and finding the current entry may be a long walk.
            guard row?.state != state || row?.level != room.volume.level || row?.isMuted != room.volume.muted else { return false }
            row?.state = state
            row?.level = room.volume.level
            row?.isMuted = room.volume.muted
        }
        return true
    }
}
