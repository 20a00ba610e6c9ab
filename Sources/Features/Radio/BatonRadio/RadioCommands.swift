import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// Commands about radio stations. They wait for a disk, so they run off the loop.
@Loop
struct RadioCommands {
    let radio: RadioService
    let pasts: StationPastService
    let playback: PlaybackCommands
    let ledger: Ledger

    func install(in commands: CommandTable) {
        commands.ask(Commands.RadioPlay.self) { command, accepted async throws(SourceFault) in
            let uri = try await radio.item(of: command)
            return await playback.play(uri, from: .none, index: 0, positionMs: 0, accepted).finished()
        }
        commands.find(Commands.RadioList.self, with: ledger, list)
        commands.change(Commands.RadioChange.self, with: ledger) { command, accepted async throws(SourceFault) in
            if let isNew = try await radio.changeAtServer(command) { return isNew }
            return try await radio.change(command, isOwn: accepted.identity.trust >= .ownMachine)
        }
        commands.find(Commands.RadioTitles.self, with: ledger) { command, accepted async throws(SourceFault) in
            try await pasts.titles(of: command.uri, before: command.before, limit: command.limit, accepted)
        }
        commands.change(Commands.RadioSave.self, with: ledger) { command, accepted async throws(SourceFault) in
            try await pasts.save(command.title, of: command.uri, accepted)
        }
        commands.change(Commands.RadioRecord.self, with: ledger, record)
    }

    private func record(_ command: Commands.RadioRecord, _ accepted: AcceptedCommand) async throws(SourceFault) -> Bool {
        if let stop = command.stop { return try await radio.recordings.stop(stop) }
        try await radio.recordings.check()
        let (station, title) = try await radio.keptStation(command.uri ?? ItemURI(""))
        return try await radio.recordings.start(
            station, title: title, atMs: command.atMs, lengthMs: command.lengthMs, repeats: command.every)
    }

    private func list(_ search: Commands.RadioList, _ accepted: AcceptedCommand) async throws(SourceFault) -> StationList {
        let showsAddresses = accepted.identity.role >= .remote
        let window = search.page.window
        let query = StationQuery(
            search.words ?? "", country: search.country ?? "", tag: search.tag ?? "", language: search.language ?? "", window: window)
        return try await radio.look { shelf throws(SourceFault) in
            let page: StationPage
            if search.presetsOnly {
                let presets = try shelf.storage.presets()
                page = StationPage(window.rows(of: presets), total: presets.count)
            } else {
                page = try query.isEverything ? shelf.storage.stations(query) : shelf.stations(query)
            }
            let rows = page.stations.map { stored in
                var station = stored.station
                if !showsAddresses { (station.url, station.picture) = ("", nil) }
                return StationList.Row(
                    uri: shelf.uri(of: stored), station: station, preset: stored.preset, art: shelf.tags(of: stored).art?.id)
            }
            return StationList(rows, total: page.total, cursor: window.next(after: rows.count, of: page.total))
        }
    }
}

extension StationQuery {
    /// True for an empty query, which would return a whole directory.
    fileprivate var isEverything: Bool { [text, country, tag, language].allSatisfy(\.isEmpty) }
}
