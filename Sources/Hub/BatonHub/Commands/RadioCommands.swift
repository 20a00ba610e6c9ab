import BatonCore
import BatonProtocol
import BatonSeams

/// Commands about radio stations. All of it waits for a disk, so the loop does not wait for any of it.
@Loop
final class RadioCommands {
    private let radio: RadioService
    private let pasts: StationPasts
    private let playback: PlaybackCommands
    private let ledger: Ledger
    private let settling: Settling

    init(_ radio: RadioService, _ pasts: StationPasts, _ playback: PlaybackCommands, _ ledger: Ledger, _ settling: Settling) {
        self.pasts = pasts
        self.radio = radio
        self.playback = playback
        self.ledger = ledger
        self.settling = settling
    }

    func handle(_ request: RadioRequest, _ visit: Visit) -> Handling {
        settling.working(visit.id) { [self] () async throws(ProtocolFault) in
            do throws(SourceFault) { return try await answer(request, visit) } catch { throw ProtocolFault(error, at: nil) }
        }
    }

    private func answer(_ request: RadioRequest, _ visit: Visit) async throws(SourceFault) -> Answer {
        switch request {
        case .play(let choice):
            let uri = try await radio.item(choice)
            switch playback.play(uri, index: 0, positionMs: 0, visit) {
            case .answered(let answer): return answer
            case .working(let work): return await work()
            }
        case .list(let search):
            let found = try await list(search, showsAddresses: visit.identity.role >= .remote)
            return Answer(Reply(id: visit.id, .applied(), revision: ledger.revision, data: .stations(found)))
        case .edit(let edit):
            if let isNew = try await radio.changeAtServer(edit) { return done(isNew, visit) }
            return done(try await change(edit, isOwn: visit.identity.trust >= .ownMachine), visit)
        case .titles(let station, let before, let limit):
            let list = try await pasts.titles(of: station, before: before, limit: limit, visit)
            return Answer(Reply(id: visit.id, .applied(), revision: ledger.revision, data: .titles(list)))
        case .save(let station, let number): return done(try await pasts.save(number, of: station, visit), visit)
        case .record(let wish): return done(try await record(wish), visit)
        }
    }

    private func done(_ isNew: Bool, _ visit: Visit) -> Answer {
        Answer(Reply(id: visit.id, isNew ? .applied() : .noop(why: .same), revision: ledger.revision))
    }

    private func record(_ wish: RecordRequest) async throws(SourceFault) -> Bool {
        switch wish {
        case .stop(let id): return try await radio.recordings.stop(id)
        case .start(let uri, let atMs, let lengthMs, let repeats):
            try await radio.recordings.check()
            let (station, title) = try await radio.keptStation(uri)
            return try await radio.recordings.start(station, title: title, atMs: atMs, lengthMs: lengthMs, repeats: repeats)
        }
    }

    private func change(_ edit: RadioEdit, isOwn: Bool) async throws(SourceFault) -> Bool {
        try await radio.change { shelf throws(SourceFault) in
            switch edit {
            case .add(let stations, _): return try shelf.keeper.add(stations, isOwn: isOwn) > 0
            case .remove(let uri): return try shelf.keeper.remove(try shelf.kept(uri).id)
            case .change(let uri, let title, let url): return try Self.change(try shelf.kept(uri), title, url, in: shelf)
            case .star(let uri, let place):
                let kept = try shelf.kept(uri)
                // A station that was never kept is not among the presets, so there is nothing to take away.
                if place == 0, kept.id == 0 { return false }
                return try shelf.keeper.setPreset(try RadioService.number(of: kept, in: shelf), at: place == 0 ? nil : place)
            }
        }
    }

    private nonisolated static func change(
        _ kept: KeptStation, _ title: String?, _ url: String?, in shelf: any StationShelf
    ) throws(SourceFault) -> Bool {
        var station = kept.station
        station.title = title ?? station.title
        station.url = url ?? station.url
        guard let station = station.checked else { throw SourceFault(.badRequest, "A station has a name and an http or https address.") }
        guard station != kept.station else { return false }
        try shelf.keeper.change(try RadioService.number(of: kept, in: shelf), to: station)
        return true
    }

    private func list(_ search: StationSearch, showsAddresses: Bool) async throws(SourceFault) -> StationList {
        let window = search.page.window
        let query = StationQuery(
            search.words ?? "", country: search.country ?? "", tag: search.tag ?? "", language: search.language ?? "", window: window)
        return try await radio.look { shelf throws(SourceFault) in
            let page: StationPage
            if search.presetsOnly {
                let presets = try shelf.keeper.presets()
                page = StationPage(Array(presets.dropFirst(window.place).prefix(window.limit)), total: presets.count)
            } else {
                page = try query.isEverything ? shelf.keeper.stations(query) : shelf.stations(query)
            }
            let end = window.place + page.stations.count
            let rows = page.stations.map { kept in
                var station = kept.station
                if !showsAddresses { (station.url, station.picture) = ("", nil) }
                return StationList.Row(shelf.uri(of: kept), station, preset: kept.preset, art: shelf.tags(of: kept).art?.id)
            }
            return StationList(rows, total: page.total, cursor: end < page.total && !rows.isEmpty ? String(end) : nil)
        }
    }
}

extension StationQuery {
    /// Nothing is looked for, which a whole directory would answer.
    fileprivate var isEverything: Bool { [text, country, tag, language].allSatisfy(\.isEmpty) }
}
