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
        return all(seen)
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

    /// The rooms that all clients see, from a row on.
    func rooms(from: Int) -> RoomsSection { RoomsSection(Array(roomsSection.rooms.dropFirst(from))) }

    /// The outputs, from a row on.
    func outputs(from: Int) -> OutputsSection { OutputsSection(Array(outputsSection(seen).outputs.dropFirst(from))) }

    /// The problems that need a person.
    var problems: [HubProblem] { problems(rooms.shared.map(\.room)) }

    private var seen: [(live: LiveRoom, room: Room)] { rooms.shared.map { (live: $0, room: $0.room) } }

    private func outputsSection(_ rooms: [(live: LiveRoom, room: Room)]) -> OutputsSection {
        OutputsSection(
            outputs.listed.map { device in
                let served = rooms.first { outputs.output(of: $0.live) == device.name }
                return OutputsSection.Output(
                    id: device.name, name: device.label, room: served?.room.id, problem: served?.room.outputProblem)
            })
    }

    private func problems(_ rooms: [Room]) -> [HubProblem] {
        var problems = rooms.flatMap(\.problems)
        if let trouble = ledger.trouble { problems.insert(HubProblem(message: trouble.sentence), at: 0) }
        problems += sources.problems.map { HubProblem(message: $0) }
        problems += features.sentences.map { HubProblem(message: $0) }
        problems += ledger.notices.map { HubProblem(message: $0) }
        if let sentence = sources.hold.sentence { problems.insert(HubProblem(message: sentence), at: 0) }
        return problems
    }

    private func hubSection(_ rooms: [Room]) -> HubSection {
        HubSection(
            id: identity.id, name: identity.name, version: HubIdentity.version,
            pairing: devices?.window.map { HubSection.Pairing(untilUs: $0.untilUs) },
            held: sources.hold.record.flatMap(HubSection.Held.init), problems: problems(rooms))
    }
}

extension Room {
    /// The problems of the room, newest first: while one stands, also those of entries that were passed over before.
    fileprivate var problems: [HubProblem] {
        let output = outputProblem.map { [HubProblem(room: id, message: $0)] } ?? []
        guard let problem else { return output }
        let last = skipped.flatMap { queue.index(of: $0) }.map { skip(queue.entries[$0], problem) }
        let entries = queue.entries
        let here = queue.currentIndex ?? entries.endIndex
        let order = [entries[..<here], entries[here...]]
        let passed = order.lazy.flatMap { $0.reversed() }.compactMap { [skipped] entry in
            entry.problem.flatMap { $0 == problem || entry.id == skipped ? nil : skip(entry, $0) }
        }
        return output + [last ?? HubProblem(room: id, message: problem)] + passed.prefix(Self.failuresBeforeStopping)
    }

    /// The problem of an entry that was passed over, with a word for it where the entry has a title.
    private func skip(_ entry: QueueEntry, _ sentence: String) -> HubProblem {
        let title = entry.tags.title
        guard !title.isEmpty, entry.id != queue.current else { return HubProblem(room: id, message: sentence) }
        return HubProblem(room: id, message: sentence, reason: ReasonWord.skipped.rawValue, args: ["title": .string(title)])
    }
}

extension HubSection.Held {
    fileprivate init?(_ record: CrashRecord) {
        guard let last = record.crashes.last else { return nil }
        self.init(crashes: record.crashes.count, signal: last.signal, atMs: last.wallMs)
    }
}
