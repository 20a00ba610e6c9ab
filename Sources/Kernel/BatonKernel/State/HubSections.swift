import BatonCore
import BatonProtocol
package import BatonSeams

/// Makes the sections that belong to the whole hub: rooms, outputs, and problems that need a person.
@Loop
package final class HubSections {
    private let identity: HubIdentity
    private let rooms: RoomList
    private let outputs: RoomOutputs
    private let ledger: Ledger
    private let sources: Sources
    private let devices: DeviceRegistry?
    private let features: FeatureProblems

    init(
        identity: HubIdentity, rooms: RoomList, outputs: RoomOutputs, ledger: Ledger, sources: Sources,
        devices: DeviceRegistry?,
        features: FeatureProblems
    ) {
        self.identity = identity
        self.rooms = rooms
        self.outputs = outputs
        self.ledger = ledger
        self.sources = sources
        self.devices = devices
        self.features = features
    }

    /// The sections that may have changed with the facets of `live`, whose value is `room` now or is about to be.
    func sections(_ touched: Facets, of live: LiveRoom, as room: Room) -> [SectionNews] {
        if touched.contains(.room) { lookAgain(besides: live) }
        let isOnly = rooms.shared.count == 1
        let looksDifferent = !live.isPrivate && live.summary.look(at: room, output: live.output, touched, isOnly: isOnly)
        // A list that lacks a change of one of its rows is not what is shown.
        guard touched.contains(.room) else { return looksDifferent ? [SectionNews(.rooms(roomsSection), isCompared: true)] : [] }
        return all(rooms.shared.map { (live: $0, room: $0 === live ? room : $0.room) })
    }

    /// The sections that may have changed when no room has.
    func sections(_ touched: Facets) -> [SectionNews] {
        guard touched.contains(.room) else { return [] }
        lookAgain(besides: nil)
        return all(rooms.shared.map { (live: $0, room: $0.room) })
    }

    /// Updates the summaries of the other rooms, since they depend on whether there is only one.
    private func lookAgain(besides live: LiveRoom?) {
        let isOnly = rooms.shared.count == 1
        for other in rooms.shared where other !== live {
            _ = other.summary.look(at: other.room, output: other.output, .all, isOnly: isOnly)
        }
    }

    private var roomsSection: RoomsSection {
        let shared = rooms.shared
        var rows: [RoomsSection.Room] = []
        rows.reserveCapacity(shared.count)
        for live in shared { if let row = live.summary.row { rows.append(row) } }
        return RoomsSection(rows)
    }

    private func all(_ seen: [(live: LiveRoom, room: Room)]) -> [SectionNews] {
        [SectionNews(.rooms(roomsSection)), SectionNews(.outputs(outputsSection(seen))), SectionNews(.hub(hubSection(seen.map(\.room))))]
    }

    private func outputsSection(_ rooms: [(live: LiveRoom, room: Room)]) -> OutputsSection {
        OutputsSection(
            outputs.listed.map { device in
                let served = rooms.first { outputs.output(of: $0.live) == device.name }
                return OutputsSection.Output(
                    id: device.name, name: device.label, room: served?.room.id, problem: served?.room.outputProblem)
            })
    }

    private func hubSection(_ rooms: [Room]) -> HubSection {
        var problems = rooms.flatMap { room in
            [room.outputProblem, room.problem].compactMap { $0 }.map { HubSection.Problem(room: room.id, message: $0) }
        }
        if let trouble = ledger.trouble { problems.insert(HubSection.Problem(message: trouble.sentence), at: 0) }
        problems += sources.problems.map { HubSection.Problem(message: $0) }
        problems += features.sentences.map { HubSection.Problem(message: $0) }
        problems += ledger.notices.map { HubSection.Problem(message: $0) }
        if let sentence = sources.hold.sentence { problems.insert(HubSection.Problem(message: sentence), at: 0) }
        return HubSection(
            id: identity.id, name: identity.name, version: HubIdentity.version,
            pairing: devices?.window.map { HubSection.Pairing(untilUs: $0.untilUs) },
            held: sources.hold.record.flatMap(HubSection.Held.init), problems: problems)
    }
}

extension HubSection.Held {
    fileprivate init?(_ record: CrashRecord) {
        guard let last = record.crashes.last else { return nil }
        self.init(crashes: record.crashes.count, signal: last.signal, atMs: last.wallMs)
    }
}
