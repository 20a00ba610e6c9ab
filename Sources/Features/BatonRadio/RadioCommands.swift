import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// Commands about radio stations. They wait for a disk, so they run off the loop.
@Loop
final class RadioCommands {
    private let radio: RadioService
    private let pasts: StationPasts
    private let playback: PlaybackCommands
    private let ledger: Ledger

    init(_ radio: RadioService, _ pasts: StationPasts, _ playback: PlaybackCommands, _ ledger: Ledger) {
        self.pasts = pasts
        self.radio = radio
        self.playback = playback
        self.ledger = ledger
    }

    func install(in commands: CommandTable) {
        commands.ask(Commands.RadioPlay.self) { [self] command, visit async throws(SourceFault) in
            let uri = try await radio.item(command.choice)
            switch playback.play(uri, index: 0, positionMs: 0, visit) {
            case .answered(let answer): return answer
            case .working(let work): return await work()
            }
        }
        commands.ask(Commands.RadioList.self, list)
        commands.ask(Commands.RadioChange.self) { [self] command, visit async throws(SourceFault) in
            if let isNew = try await radio.changeAtServer(command.edit) { return ledger.done(isNew, for: visit) }
            return ledger.done(try await change(command.edit, isOwn: visit.identity.trust >= .ownMachine), for: visit)
        }
        commands.ask(Commands.RadioTitles.self) { [self] command, visit async throws(SourceFault) in
            let list = try await pasts.titles(of: command.uri, before: command.before, limit: command.limit, visit)
            return ledger.found(list, for: visit)
        }
        commands.ask(Commands.RadioSave.self) { [self] command, visit async throws(SourceFault) in
            ledger.done(try await pasts.save(command.title, of: command.uri, visit), for: visit)
        }
        commands.ask(Commands.RadioRecord.self, record)
    }

    private func record(_ command: Commands.RadioRecord, _ visit: Visit) async throws(SourceFault) -> Answer {
        if let stop = command.stop { return ledger.done(try await radio.recordings.stop(stop), for: visit) }
        try await radio.recordings.check()
        let (station, title) = try await radio.keptStation(command.uri ?? ItemURI(""))
        let isNew = try await radio.recordings.start(
            station, title: title, atMs: command.atMs.map { Int64($0) }, lengthMs: command.lengthMs, repeats: command.every)
        return ledger.done(isNew, for: visit)
    }

    private func change(_ edit: RadioEdit, isOwn: Bool) async throws(SourceFault) -> Bool {
        try await radio.change { shelf throws(SourceFault) in
            switch edit {
            case .add(let stations, _): return try shelf.keeper.add(stations, isOwn: isOwn) > 0
            case .remove(let uri): return try shelf.keeper.remove(try shelf.kept(uri).id)
            case .change(let uri, let title, let url): return try Self.change(try shelf.kept(uri), title, url, in: shelf)
            case .star(let uri, let place):
                let kept = try shelf.kept(uri)
                // A station that is not stored is no preset, so there is nothing to remove.
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

    private func list(_ search: Commands.RadioList, _ visit: Visit) async throws(SourceFault) -> Answer {
        let showsAddresses = visit.identity.role >= .remote
        let window = search.page.window
        let query = StationQuery(
            search.words ?? "", country: search.country ?? "", tag: search.tag ?? "", language: search.language ?? "", window: window)
        let list = try await radio.look { shelf throws(SourceFault) in
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
                return StationList.Row(uri: shelf.uri(of: kept), station: station, preset: kept.preset, art: shelf.tags(of: kept).art?.id)
            }
            return StationList(rows, total: page.total, cursor: end < page.total && !rows.isEmpty ? String(end) : nil)
        }
        return ledger.found(list, for: visit)
    }
}

extension StationQuery {
    /// True for an empty query, which would return a whole directory.
    fileprivate var isEverything: Bool { [text, country, tag, language].allSatisfy(\.isEmpty) }
}
