import BatonCore
import BatonProtocol
import BatonSeams

/// What commands ask of a station's past: its titles, a place to go back to, and a title to save. It is read from disk, so the loop does
/// not wait for it.
@Loop
struct StationPasts {
    let radio: RadioService
    let clock: HubClock

    private static let gone = SourceFault(.gone, "This title is not in the buffer any more.")
    private static let mostGaps = 100

    /// The station that is named, or the one that is current in the room.
    private func station(_ uri: ItemURI?, _ visit: Visit) throws(SourceFault) -> ItemURI {
        if let uri { return uri }
        guard let current = visit.live.room.currentEntry, current.tags.kind == .station else {
            throw SourceFault(.notFound, "No station is current in this room. Name one.")
        }
        return current.uri
    }

    private func past(of uri: ItemURI) async throws(SourceFault) -> (any StreamPast)? {
        try await radio.look { shelf throws(SourceFault) in try await shelf.past(of: uri) }
    }

    func titles(of named: ItemURI?, before: Int?, limit: Int, _ visit: Visit) async throws(SourceFault) -> TitleList {
        let uri = try station(named, visit)
        let past = try await past(of: uri)
        let nowMs = clock.wallMs()
        guard let past, let from = past.timeMs(at: past.places.lowerBound) else { return TitleList([], nowMs: nowMs) }
        let to = max(from, past.timeMs(at: past.places.upperBound - 1) ?? nowMs)
        let saved = await radio.saving.numbers(of: uri)
        let all = past.pastTitles().filter { before == nil || $0.number < before ?? 0 }
        let rows = all.suffix(limit).map { title in
            TitleList.Row(
                title.number, title.text, beginsMs: title.beginsMs, endsMs: title.endsMs, isPart: title.isPart,
                isSaved: saved.contains(title.number))
        }
        return TitleList(
            rows, nowMs: nowMs, keptMs: from...to, gapsMs: past.gaps().suffix(Self.mostGaps).map(\.timesMs), more: all.count - rows.count)
    }

    /// Where a title begins in the past of the station that is current.
    func target(ofTitle number: Int, _ visit: Visit) async throws(SourceFault) -> PastTarget {
        guard let title = try await past(of: try station(nil, visit))?.pastTitle(number) else { throw Self.gone }
        return .place(title.places.lowerBound, atMs: title.beginsMs)
    }

    /// False when it was saved already.
    func save(_ number: Int, of named: ItemURI?, _ visit: Visit) async throws(SourceFault) -> Bool {
        try radio.recordings.check()
        let uri = try station(named, visit)
        guard let title = try await past(of: uri)?.pastTitle(number) else { throw Self.gone }
        return try await radio.saving.save(SavedTitle(uri, number), called: title.text, isOnAir: title.endsMs == nil)
    }
}
