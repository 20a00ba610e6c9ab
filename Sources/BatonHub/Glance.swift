import BatonCore
import BatonProtocol

/// One room as the list of rooms shows it, written anew only when it looks different there.
///
/// Whoever turns the volume changes one room of many, and a line that is corrected changes none.
struct Glance {
    /// What the list shows of a room.
    static let facets: Facets = [.now, .timeline, .volume, .room]

    private var shown: RoomsSection.Room?
    private(set) var encoded: [UInt8] = []

    /// Says whether the room looks different now.
    mutating func look(at room: Room, output: String?, _ touched: Facets) -> Bool {
        guard !touched.isDisjoint(with: Self.facets) else { return false }
        // Finding the current entry may be a long walk, and only a new one has another title.
        let title = touched.contains(.now) || shown == nil ? room.currentEntry?.tags.oneLine : shown?.title
        let seen = RoomsSection.Room(
            id: room.id, name: room.name, state: .init(name: room.timeline.state.rawValue), title: title, level: room.volume.level,
            isMuted: room.volume.muted, outputs: output.map { [$0] } ?? [])
        guard seen != shown else { return false }
        shown = seen
        encoded = JSONWriter.bytes(seen.encode)
        return true
    }

    /// What was looked at has not come to be.
    mutating func forget() { shown = nil }
}
