/// The rooms as clients see them, derived from the hub's state.
import BatonCore
import BatonProtocol
import BatonSeams

@Loop
struct RoomView {
    let ports: DialectPorts

    func has(_ room: RoomID) -> Bool { ports.state.has(room) }

    private func section(_ section: Section, of room: RoomID?) -> SectionValue? { ports.state.posted(section, of: room)?.value }

    /// All rooms in the hub's order; the first is the default for clients.
    var rooms: [RoomInfo] { ports.state.roomIDs.map(info) }

    func info(of room: RoomID) -> RoomInfo {
        var name = room.text
        if case .rooms(let list)? = section(.rooms, of: nil), let found = list.rooms.first(where: { $0.id == room }) { name = found.name }
        var count = 0
        if case .queue(let queue)? = section(.queue, of: room) { count = queue.length }
        return RoomInfo(
            id: room.text, name: name, trackCount: count, people: ports.attendance.names(in: room),
            isDefault: room == ports.state.firstRoom, hubs: ports.joinedHubs(room) + [ports.identity.id])
    }

    func state(of room: RoomID, _ shown: RoomQueue.Shown?) -> RoomState {
        var state = RoomState(info: info(of: room), track: nil, positionMs: 0, isPaused: true, index: 0, mode: .once)
        if case .modes(let modes)? = section(.modes, of: room) { state.mode = modes.modes.nearest }
        guard case .now(let now)? = section(.now, of: room) else { return state }
        state.track = shown?.tracks[now.entry]
        state.index = shown?.queue.entries.firstIndex(of: now.entry) ?? place(of: now.entry, in: room) ?? 0
        guard case .timeline(let line)? = section(.timeline, of: room), line.entry == now.entry else { return state }
        state.positionMs = Timeline(entry: line.entry, positionMs: line.positionMs, atUs: line.atUs, rate: line.rate, state: .playing)
            .positionMs(atUs: ports.reactor.nowUs, durationMs: now.tags.durationMs)
        // A buffering room counts as playing, with a constant position.
        state.isPaused = line.state != .playing && line.state != .buffering
        return state
    }

    private func place(of entry: EntryID, in room: RoomID) -> Int? {
        guard case .queue(let queue)? = section(.queue, of: room), queue.current == entry else { return nil }
        return queue.index
    }

    func current(of room: RoomID) -> EntryID? {
        guard case .now(let now)? = section(.now, of: room) else { return nil }
        return now.entry
    }
}
