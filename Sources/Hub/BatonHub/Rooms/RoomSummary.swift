import BatonCore
import BatonProtocol
import BatonWire

/// One room as the list of rooms shows it, written anew only when it looks different there.
///
/// Whoever turns the volume changes one room of many, and a line that is corrected changes none.
struct RoomSummary {
    /// What the list shows of a room.
    static let facets: Facets = [.now, .timeline, .volume, .room]

    private var shown: RoomsSection.Room?
    private(set) var encoded: [UInt8] = []

    /// Says whether the room looks different now.
    mutating func look(at room: Room, output: String?, _ touched: Facets) -> Bool {
        guard !touched.isDisjoint(with: Self.facets) else { return false }
        let state = TimelineSection.PlayState(name: room.timeline.state.rawValue)
        if shown == nil || touched.contains(.now) || touched.contains(.room) {
            let seen = RoomsSection.Room(
                id: room.id, name: room.name, state: state, title: room.currentEntry?.tags.oneLine, level: room.volume.level,
                isMuted: room.volume.muted, outputs: output.map { [$0] } ?? [])
            guard seen != shown else { return false }
            shown = seen
        } else {
            // Most changes are of these three, and finding the current entry may be a long walk.
            guard shown?.state != state || shown?.level != room.volume.level || shown?.isMuted != room.volume.muted else { return false }
            shown?.state = state
            shown?.level = room.volume.level
            shown?.isMuted = room.volume.muted
        }
        encoded = shown.map { JSONWriter.bytes($0.encode) } ?? []
        return true
    }

    /// What was looked at has not come to be.
    mutating func forget() { shown = nil }
}
