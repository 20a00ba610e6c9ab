import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// A station's recorded past: its titles, the place of one, and saving one. It is read from disk, off the loop.
@Loop
final class StationPastService: StationFollowing {
    private let radio: RadioService
    private let clock: HubClock

    init(_ radio: RadioService, _ clock: HubClock) {
        self.radio = radio
        self.clock = clock
    }

    private static let gone = SourceFault(.gone, "This title is not in the buffer any more.")
    private nonisolated static let mostGaps = 100

    /// The named station, or the one that is current in the room.
    private func station(_ uri: ItemURI?, _ accepted: AcceptedCommand) throws(SourceFault) -> ItemURI {
        if let uri { return uri }
        guard let current = accepted.live.room.currentEntry, current.tags.kind == .station else {
            throw SourceFault(.notFound, "No station is current in this room. Name one.")
        }
        return current.uri
    }

    func titles(of named: ItemURI?, before: Int?, limit: Int, _ accepted: AcceptedCommand) async throws(SourceFault) -> TitleList {
        let uri = try station(named, accepted)
        let saved = await radio.saving.numbers(of: uri)
        let nowMs = clock.wallMs()
        let list = try await radio.sources.past(of: uri) { Self.list($0.past, before: before, limit: limit, saved: saved, nowMs: nowMs) }
        return list ?? TitleList([], nowMs: nowMs)
    }

    private nonisolated static func list(
        _ past: any StationPast, before: Int?, limit: Int, saved: Set<Int>, nowMs: Milliseconds
    ) -> TitleList? {
        guard let from = past.timeMs(at: past.positions.lowerBound) else { return nil }
        let to = max(from, past.timeMs(at: past.positions.upperBound - 1) ?? nowMs)
        let all = past.pastTitles().filter { before == nil || $0.number < before ?? 0 }
        let rows = all.suffix(limit).map { title in
            TitleList.Row(
                number: Int64(title.number), beginsMs: title.beginsMs, endsMs: title.endsMs, title: title.text, isPart: title.isPart,
                isSaved: saved.contains(title.number))
        }
        let gaps = past.gaps().suffix(mostGaps).map { TitleList.Gap(beginsMs: $0.timesMs.lowerBound, endsMs: $0.timesMs.upperBound) }
        return TitleList(rows, more: all.count - rows.count, nowMs: nowMs, fromMs: from, toMs: to, gaps: gaps)
    }

    func preset(after station: ItemURI) -> ItemURI? { radio.preset(after: station) }

    func star(_ station: ItemURI, _ isOn: Bool) async throws(SourceFault) { try await radio.star(station, isOn) }

    func target(ofTitle number: Int, _ accepted: AcceptedCommand) async throws(SourceFault) -> RewindTarget {
        guard let title = try await radio.sources.past(of: try station(nil, accepted), { $0.past.pastTitle(number) }) else {
            throw Self.gone
        }
        return .position(title.positions.lowerBound, atMs: title.beginsMs)
    }

    /// Saves a title. False when it was saved already.
    func save(_ number: Int, of named: ItemURI?, _ accepted: AcceptedCommand) async throws(SourceFault) -> Bool {
        let parts = try await radio.recordings.check()
        let uri = try station(named, accepted)
        guard let found = try await radio.sources.past(of: uri, { $0.title(number) }) else { throw Self.gone }
        return try await radio.saving.save(found, of: uri, parts)
    }
}
