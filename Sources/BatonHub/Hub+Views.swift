import BatonCore
import BatonProtocol
import BatonSeams

/// How the hub itself looks: all rooms at a glance, the devices, and what somebody should look after.
extension Hub {
    /// What the list of rooms shows of each.
    private static let seenAtAGlance: Facets = [.now, .timeline, .volume, .room]

    /// What of the hub's own sections may look different; `changed` stands in for the room of its
    /// id that has not been put in place yet.
    func hubSections(_ touched: Facets, with changed: Room? = nil) -> [EncodedSection] {
        var sections: [EncodedSection] = []
        let rooms = self.rooms.map { $0.room.id == changed?.id ? changed! : $0.room }  // Equal to an id, so not nil.
        if !touched.isDisjoint(with: Self.seenAtAGlance) { sections.append(EncodedSection(roomsSection(rooms))) }
        if touched.contains(.room) {
            sections.append(EncodedSection(outputsSection(rooms)))
            sections.append(EncodedSection(hubSection(rooms)))
        }
        return sections
    }

    private func roomsSection(_ rooms: [Room]) -> RoomsSection {
        RoomsSection(
            rooms.map { room in
                RoomsSection.Room(
                    id: room.id, name: room.name, state: .init(name: room.timeline.state.rawValue),
                    title: room.currentEntry?.tags.oneLine, level: room.volume.level, isMuted: room.volume.muted)
            })
    }

    private func outputsSection(_ rooms: [Room]) -> OutputsSection {
        OutputsSection(devices.map { device in OutputsSection.Output(id: device.name, name: device.label) })
    }

    private func hubSection(_ rooms: [Room]) -> HubSection {
        var problems = rooms.flatMap { room in
            [room.outputProblem, room.problem].compactMap { $0 }.map { HubSection.Problem(room: room.id, $0) }
        }
        if let trouble = ledger.trouble { problems.insert(HubSection.Problem(trouble.sentence), at: 0) }
        problems += ledger.notices.map { HubSection.Problem($0) }
        return HubSection(id: identity.id, name: identity.name, version: HubIdentity.version, problems: problems)
    }

    /// What anybody may ask. Where things lie on the hub's machine is for its owner.
    func info(for caller: Caller) -> [UInt8] {
        let house = describeHouse()
        let info = HubInfo(
            id: identity.id, name: identity.name, version: HubIdentity.version, majors: [HubIdentity.protocolMajor],
            epoch: ledger.epoch, boot: identity.boot, upMs: Int((reactor.nowUs - startedUs) / 1000), rooms: rooms.map(\.room.id),
            connections: crowd.count, pages: pages, wallMs: now.wallMs, house: caller.role == .admin ? house : house?.withoutPlaces)
        return JSONWriter.bytes(info.encode)
    }
}
