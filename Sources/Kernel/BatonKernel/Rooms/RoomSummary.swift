import BatonCore
import BatonProtocol

/// The row of one room in the list of rooms, made again only when it looks different.
///
/// A change of the volume concerns one room of many, and a corrected line concerns none.
final class RoomSummary {
    /// The facets of a room that the list shows.
    static let facets: Facets = [.now, .timeline, .volume, .room]

    private(set) var row: RoomsSection.Room?
    /// Corrections of a timeline below this are not shown in the list.
    private static let toleranceMs: Milliseconds = 1000

    private var isShown: Bool { if case .some = row { true } else { false } }

    /// Says whether the room looks different now. Remotes of a hub with one room know its line and its picture, so they are left out there.
    func look(at room: Room, output: String?, _ touched: Facets, isOnly: Bool) -> Bool {
        guard !touched.isDisjoint(with: Self.facets) else { return false }
        let state = PlayState(name: room.timeline.state.rawValue)
        if !isShown || touched.contains(.now) || touched.contains(.room) {
            let tags = room.currentEntry?.tags
            var seen = RoomsSection.Room(
                id: room.id, name: room.name, state: state, title: tags?.oneLine, art: isOnly ? nil : tags?.art?.id,
                level: room.volume.level, isMuted: room.volume.muted, outputs: output.map { [$0] } ?? [],
                line: isOnly ? nil : line(of: room, durationMs: tags?.durationMs), whenEmpty: room.presence.whenEmpty)
            if row.map({ $0.title == seen.title }) == true { seen.line = unchanged(seen.line) }
            guard seen != row else { return false }
            row = seen
        } else {
            // Most changes are of these three facets, and a search for the current entry may be long.
            let line =
                isOnly
                ? nil : unchanged(line(of: room, durationMs: row?.line.map(\.durationMs) ?? room.currentEntry?.tags.durationMs))
            guard row?.state != state || row?.level != room.volume.level || row?.isMuted != room.volume.muted || row?.line != line
            else { return false }
            row?.line = line
            row?.state = state
            row?.level = room.volume.level
            row?.isMuted = room.volume.muted
        }
        return true
    }

    private func line(of room: Room, durationMs: @autoclosure () -> Milliseconds?) -> RoomsSection.Line? {
        let line = room.timeline
        guard line.entry != nil, line.state != .stopped else { return nil }
        return RoomsSection.Line(positionMs: line.positionMs, atUs: line.atUs, rate: line.rate, durationMs: durationMs())
    }

    /// The timeline that is shown already, if the new one differs little.
    private func unchanged(_ line: RoomsSection.Line?) -> RoomsSection.Line? {
        guard let line, let shown = row?.line, line.rate == shown.rate, line.durationMs == shown.durationMs else { return line }
        let reached = shown.positionMs + Milliseconds(line.atUs - shown.atUs) * shown.rate / 1000
        return (reached - line.positionMs).magnitude < Self.toleranceMs ? shown : line
    }
}
