package import BatonCore
package import BatonSeams
import Synchronization

/// Places in memory, across simulated crashes of a hub. The disk can fail.
package final class MemoryPlaces: PlaceStorage {
    private struct StoredRow {
        var person: Person
        var item: NewEntry
        var places: Places
    }

    private struct State {
        /// The item that was heard last stands last.
        var kept: [StoredRow] = []
        var fault: SourceFault?
        var changes = 0
        /// What came last stands first.
        var upNext: [Person: [NewEntry]] = [:]
        var speeds: [Person: SpokenSpeeds] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    /// Every call fails with it.
    package func fail(with fault: SourceFault?) { state.withLock { $0.fault = fault } }
    /// How many changes were asked for.
    package var changes: Int { state.withLock(\.changes) }

    package func current(_ uri: String, of person: Person = .home) -> ItemPlace? { try? places(of: person, in: ItemURI(uri)).current }
    package func sides(_ uri: String, of person: Person = .home) -> [ItemPlace] {
        (try? places(of: person, in: ItemURI(uri)).sides) ?? []
    }

    private func turn<Result: Sendable>(_ body: (inout State) throws(SourceFault) -> Result) throws(SourceFault) -> Result {
        try state.withLock { state throws(SourceFault) in
            if let fault = state.fault { throw fault }
            return try body(&state)
        }
    }

    package func places(of person: Person, in uri: ItemURI) throws(SourceFault) -> Places {
        try turn { state in state.kept.last { $0.person == person && $0.item.uri == uri }?.places ?? Places() }
    }

    package func change(
        _ item: NewEntry, of person: Person, _ body: @Sendable (inout Places, _ durationMs: Milliseconds?) throws(Refusal) -> Places.Change
    ) throws(SourceFault) -> (change: Places.Change, places: Places) {
        try turn { state throws(SourceFault) in
            state.changes += 1
            let at = state.kept.firstIndex { $0.person == person && $0.item.uri == item.uri }
            var kept = at.map { state.kept[$0] } ?? StoredRow(person: person, item: item, places: Places())
            if !item.tags.title.isEmpty { kept.item = item }
            let change: Places.Change
            do throws(Refusal) { change = try body(&kept.places, kept.item.tags.durationMs) } catch {
                throw SourceFault(error.code == .gone ? .gone : .badRequest, error.sentence)
            }
            if let at { state.kept.remove(at: at) }
            state.kept.append(kept)
            if change != .same { state.upNext[person]?.removeAll { $0.uri == item.uri } }
            return (change, kept.places)
        }
    }

    package func placed(by person: Person, in uri: ItemURI) throws(SourceFault) -> ItemWithPlaces? {
        try turn { state in state.kept.last { $0.person == person && $0.item.uri == uri }.map(Self.row) }
    }

    package func placed(by person: Person, isFinished: Bool, _ window: PageWindow) throws(SourceFault) -> [ItemWithPlaces] {
        try turn { state in
            let fitting = state.kept.reversed().filter { kept in
                kept.person == person && (isFinished ? kept.places.current?.isFinished : kept.places.current?.isInside) == true
            }
            return fitting.dropFirst(window.from).prefix(window.limit).map(Self.row)
        }
    }

    package func begun(atMost count: Int) throws(SourceFault) -> [BegunItem] {
        try turn { state in
            state.kept.reversed().compactMap { kept in
                guard let place = kept.places.current, place.isInside else { return nil }
                return BegunItem(
                    person: kept.person, uri: kept.item.uri, point: ResumePoint(positionMs: place.positionMs, atMs: place.atMs))
            }
        }
    }

    package func finished(among uris: [ItemURI]) throws(SourceFault) -> Set<ItemURI> {
        try turn { state in
            Set(
                uris.filter { uri in
                    let places = state.kept.filter { $0.item.uri == uri }.compactMap(\.places.current)
                    return places.contains(where: \.isFinished) && !places.contains(where: \.isInside)
                })
        }
    }

    package func spokenSpeeds() throws(SourceFault) -> [Person: SpokenSpeeds] { try turn { $0.speeds } }

    package func store(_ speeds: SpokenSpeeds, of person: Person) throws(SourceFault) { try turn { $0.speeds[person] = speeds } }

    package func putUpNext(_ item: NewEntry, for person: Person) throws(SourceFault) {
        try turn { state in state.upNext[person] = [item] + (state.upNext[person] ?? []).filter { $0.uri != item.uri } }
    }

    package func upNext(for person: Person, _ window: PageWindow) throws(SourceFault) -> [ItemRow] {
        try turn { state in
            (state.upNext[person] ?? []).dropFirst(window.from).prefix(window.limit).map { ItemRow(uri: $0.uri, tags: $0.tags) }
        }
    }

    private static func row(_ kept: StoredRow) -> ItemWithPlaces {
        ItemWithPlaces(row: ItemRow(uri: kept.item.uri, tags: kept.item.tags), places: kept.places)
    }
}

extension PlaceStorage {
    /// In two turns, which are one to a hub in memory.
    package func change(
        known uri: ItemURI, of person: Person,
        _ body: @Sendable (inout Places, _ durationMs: Milliseconds?) throws(Refusal) -> Places.Change
    ) throws(SourceFault) -> (change: Places.Change, places: Places)? {
        guard try placed(by: person, in: uri) != nil else { return nil }
        return try change(NewEntry(uri: uri, tags: Tags()), of: person, body)
    }
}
