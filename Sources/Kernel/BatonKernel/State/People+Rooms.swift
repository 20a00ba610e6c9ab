/// The people in each room, their votes there, and the people who were sent out of it.
package import BatonCore
package import BatonProtocol
package import BatonSeams

extension People {
    /// Names of the people in a room, in the order of their arrival at the hub; people without a name are left out.
    package func names(in room: RoomID) -> [String] {
        arrivals.compactMap { device in
            guard let newest = device?.connections.last, newest.room == room, !newest.identity.displayName.isEmpty else { return nil }
            return newest.identity.displayName
        }
    }

    func settleRoom(of device: Device) {
        let room = device.connections.last?.room
        guard room != device.room else { return }
        device.room = room
        device.inRoomSinceMs = clock.now.wallMs
    }

    /// Publishes changed votes or a changed rule of a room.
    func votesChanged() { changed() }

    private func present(in room: RoomID) -> [Device] { arrivals.reversed().compactMap { $0?.room == room ? $0 : nil } }

    func listenersByRoom() -> [(room: RoomID, listeners: ListenersSection)] {
        // One pass over all arrivals, however many rooms there are.
        let present = Dictionary(grouping: arrivals.reversed().compactMap { $0 }) { $0.room }
        return publisher.state.everyRoomID.map { room in
            let here = present[room] ?? []
            let rows = here.prefix(ListenersSection.mostListed).compactMap(listener(of:))
            return (room, ListenersSection(listeners: rows, more: here.count - rows.count, vote: vote(in: room, among: here)))
        }
    }

    /// The people in a room from a row on, newest first, and its vote.
    func listeners(in room: RoomID, from: Int) -> ListenersSection {
        let here = present(in: room)
        let rows = here.dropFirst(from).prefix(ListenersSection.mostListed).compactMap(listener(of:))
        return ListenersSection(listeners: rows, more: max(0, here.count - from - rows.count), vote: vote(in: room, among: here))
    }

    /// The votes of each room, for those who learn no names.
    func votesByRoom() -> [(room: RoomID, vote: ListenersSection.Vote?)] {
        let present = Dictionary(grouping: arrivals.reversed().compactMap { $0 }) { $0.room }
        return publisher.state.everyRoomID.map { ($0, vote(in: $0, among: present[$0] ?? [])) }
    }

    private func vote(in room: RoomID, among here: [Device]) -> ListenersSection.Vote? {
        guard let live = rooms[room], live.room.presence.voteShare > 0 else { return nil }
        let (presence, current) = (live.room.presence, live.room.queue.current)
        let count = presence.votes(for: current)
        votedEntries[room] = count > 0 ? current : nil
        return ListenersSection.Vote(
            share: presence.voteShare, entry: count > 0 ? current : nil, count: count, needed: presence.needed(of: voters(among: here))
        )
    }

    /// Votes are about what is current, so those for another entry are shown no more.
    func roomChanged(_ live: LiveRoom) {
        guard hasVotedEntries, let voted = votedEntries[live.room.id], voted != live.room.queue.current else { return }
        changed()
    }

    /// Number of possible voters: the people who play the room's sound themselves, or, without any, all who are in the room.
    func voters(in room: RoomID) -> Int { voters(among: present(in: room)) }

    private func hears(_ device: Device) -> Bool {
        report(of: device) != nil || device.connections.contains { $0.hears && $0.room == device.room }
    }

    private func listener(of device: Device) -> ListenersSection.Listener? {
        device.connections.last.map {
            .init(
                who: $0.identity.who, name: $0.identity.displayName, role: $0.identity.role, device: $0.deviceName,
                sinceMs: device.inRoomSinceMs, hears: hears(device), report: report(of: device))
        }
    }

    private func voters(among here: [Device]) -> Int {
        let newest = here.compactMap { $0.connections.last }
        let hearing = Set(here.filter(hears).compactMap { $0.connections.last?.identity.voter })
        return hearing.isEmpty ? Set(newest.map { $0.identity.voter }).count : hearing.count
    }

    /// The person of this `who` in a room, by the newest connection.
    func person(_ who: String, in room: RoomID) -> Identity? {
        present(in: room).compactMap { $0.connections.last?.identity }.first { $0.who == who }
    }

    /// Ends all of a person's connections to a room.
    func sendOut(_ voter: String, from room: RoomID, _ fault: ProtocolFault) {
        for connection in devices.values.flatMap({ $0.connections }) where connection.room == room && connection.identity.voter == voter {
            connection.sendOut(fault)
        }
    }

    /// The fault for a person who was sent out of the room; `nil` for everyone else, and always for an admin.
    package func refusal(of identity: Identity, from room: RoomID) -> ProtocolFault? {
        // This runs before each command, and in most rooms no person is refused.
        guard identity.role < .admin, let live = rooms[room], !live.room.presence.refusedUntilMs.isEmpty,
            let leftMs = live.room.presence.refusedMs(identity.voter, atMs: clock.now.steadyMs)
        else { return nil }
        return Self.refusal(leftMs)
    }

    static func refusal(_ leftMs: Milliseconds) -> ProtocolFault {
        let minutes = (leftMs.count + 59_999) / 60_000
        var fault = ProtocolFault(
            .forbidden, "You were sent out of this room. You may come in again in \(minutes) minute\(minutes == 1 ? "" : "s").")
        fault.retryAfterMs = leftMs
        return fault
    }
}
