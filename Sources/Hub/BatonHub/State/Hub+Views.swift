import BatonCore
import BatonProtocol
import BatonSeams

/// How the hub itself looks: all rooms at a glance, the devices, and what somebody should look after.
extension Hub {
    /// What of the hub's own sections may look different now that `live` is as `room` says, or is
    /// about to be.
    func hubSections(_ touched: Facets, of live: LiveRoom? = nil, as room: Room? = nil) -> [EncodedSection] {
        var sections: [EncodedSection] = []
        var looksDifferent = touched.contains(.room)
        if let live, let room, live.summary.look(at: room, output: live.output, touched) { looksDifferent = true }
        if looksDifferent { sections.append(RoomsSection.joined(rooms.map(\.summary.encoded))) }
        if touched.contains(.room) {
            let seen = rooms.map { (live: $0, room: $0 === live ? room ?? $0.room : $0.room) }
            sections.append(EncodedSection(outputsSection(seen)))
            sections.append(EncodedSection(hubSection(seen.map(\.room))))
        }
        return sections
    }

    private func outputsSection(_ rooms: [(live: LiveRoom, room: Room)]) -> OutputsSection {
        let named = allowedOutputs.filter { name in !devices.contains { $0.name == name } }.map { AudioDevice(name: $0, label: $0) }
        return OutputsSection(
            (devices + named).map { device in
                let served = rooms.first { output(of: $0.live) == device.name }
                return OutputsSection.Output(
                    id: device.name, name: device.label, room: served?.room.id, problem: served?.room.outputProblem)
            })
    }

    private func hubSection(_ rooms: [Room]) -> HubSection {
        var problems = rooms.flatMap { room in
            [room.outputProblem, room.problem].compactMap { $0 }.map { HubSection.Problem(room: room.id, $0) }
        }
        if let trouble = ledger.trouble { problems.insert(HubSection.Problem(trouble.sentence), at: 0) }
        problems += sources.problems.map { HubSection.Problem($0) }
        problems += ledger.notices.map { HubSection.Problem($0) }
        return HubSection(
            id: identity.id, name: identity.name, version: HubIdentity.version, pairingUntilUs: deviceRegistry?.window?.untilUs,
            problems: problems)
    }

    /// A pairing window was opened or is over. Everybody is told in the next turn of the loop, so that the answer to
    /// whoever opened it leaves first.
    func showPairingWindow() {
        refresh(nil, [.room])
        _ = reactor.after(.zero) { [weak self] in self?.subscribers.tell() }
    }

    /// What anybody may ask. Where things lie on the hub's machine is for its owner.
    func info(for caller: Caller) -> [UInt8] {
        var diagnostics = describeDiagnostics()
        // Adding up takes longer than all the rest, so it is done for those who are told.
        if caller.role == .admin { diagnostics?.memory = describeMemory() }
        let info = HubInfo(
            id: identity.id, name: identity.name, version: HubIdentity.version, majors: [HubIdentity.protocolMajor],
            epoch: ledger.epoch, boot: identity.boot, upMs: Int((reactor.nowUs - startedUs) / 1000), rooms: rooms.map(\.room.id),
            connections: subscribers.count, pages: pages, wallMs: now.wallMs,
            diagnostics: caller.role == .admin ? diagnostics : diagnostics?.withoutPlaces)
        return JSONWriter.bytes(info.encode)
    }
}
