import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// Commands about radio stations. They wait for a disk, so they run off the loop.
@Loop
struct RadioCommands {
    let radio: RadioService
    let pasts: StationPasts
    let playback: PlaybackCommands
    let ledger: Ledger

    func install(in commands: CommandTable) {
        commands.ask(Commands.RadioPlay.self) { command, visit async throws(SourceFault) in
            let uri = try await radio.item(command.choice)
            return await playback.play(uri, index: 0, positionMs: 0, visit).finished()
        }
        commands.ask(Commands.RadioList.self, list)
        commands.ask(Commands.RadioChange.self) { command, visit async throws(SourceFault) in
            if let isNew = try await radio.changeAtServer(command.edit) { return ledger.done(isNew, for: visit) }
            return ledger.done(try await radio.change(command.edit, isOwn: visit.identity.trust >= .ownMachine), for: visit)
        }
        commands.ask(Commands.RadioTitles.self) { command, visit async throws(SourceFault) in
            let list = try await pasts.titles(of: command.uri, before: command.before, limit: command.limit, visit)
            return ledger.found(list, for: visit)
        }
        commands.ask(Commands.RadioSave.self) { command, visit async throws(SourceFault) in
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

    private func list(_ search: Commands.RadioList, _ visit: Visit) async throws(SourceFault) -> Answer {
        let showsAddresses = visit.identity.role >= .remote
        let window = search.page.window
        let query = StationQuery(
            search.words ?? "", country: search.country ?? "", tag: search.tag ?? "", language: search.language ?? "", window: window)
        let list = try await radio.look { shelf throws(SourceFault) in
            let page: StationPage
            if search.presetsOnly {
                let presets = try shelf.keeper.presets()
                page = StationPage(window.rows(of: presets), total: presets.count)
            } else {
                page = try query.isEverything ? shelf.keeper.stations(query) : shelf.stations(query)
            }
            let rows = page.stations.map { kept in
                var station = kept.station
                if !showsAddresses { (station.url, station.picture) = ("", nil) }
                return StationList.Row(uri: shelf.uri(of: kept), station: station, preset: kept.preset, art: shelf.tags(of: kept).art?.id)
            }
            return StationList(rows, total: page.total, cursor: window.next(after: rows.count, of: page.total))
        }
        return ledger.found(list, for: visit)
    }
}

extension StationQuery {
    /// True for an empty query, which would return a whole directory.
    fileprivate var isEverything: Bool { [text, country, tag, language].allSatisfy(\.isEmpty) }
}
