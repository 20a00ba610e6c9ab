/// An account at a Subsonic server (Navidrome, supysonic, gonic and others) as a source.
///
/// URIs contain the account's name and the server's ids, never an address or a secret. Features that the server lacks
/// are found when they are used, and remembered for a day.
import BatonCore
package import BatonSeams

package struct SubsonicConnector: Connector {
    package let source: String
    let account: SourceAccount
    let server: SubsonicServer
    let rows: Rows
    let cache: AnswerCache
    let songs = KnownSongs()
    let quality: Quality
    let clock: Clock
    let radio: any StationHearing
    private let shelves: [SourceAbout.Shelf]

    package init(
        _ account: SourceAccount, secrets: SourceSecrets, parts: SourceParts, radio: any StationHearing
    ) throws(SourceFault) {
        if let missing = SubsonicKind.missing(secrets) { throw SourceFault(.badRequest, missing) }
        let quality = account.options["quality"] ?? Quality.usual
        guard let wanted = Quality(quality) else { throw SourceFault(.badRequest, Quality.complaint(quality) ?? "") }
        source = account.name
        self.account = account
        server = try SubsonicServer(account, secrets: secrets, parts: parts)
        let rows = Rows(source: account.name)
        self.rows = rows
        shelves = SubsonicItem.Shelf.allCases.map { shelf in
            SourceAbout.Shelf(name: shelf.rawValue, uri: rows.uri(.shelf(shelf)), isEverything: shelf == .albums)
        }
        cache = AnswerCache(parts.clock)
        self.quality = wanted
        clock = parts.clock
        self.radio = radio
    }

    package var about: SourceAbout {
        var abilities: SourceAbout.Abilities = [
            .browse, .search, .pictures, .lyrics, .favourites, .stars, .plays, .nowPlaying, .marks, .similar, .mirror, .download, .lists,
            .rescan, .remote,
        ]
        let lacking = server.memory.lacking
        let way = queueMethods
        if !lacking.contains(way.save), !lacking.contains(way.get) {
            abilities.insert(.savedQueue)
            // The server gets each change of the queue only if the owner chose that option.
            if account.options["sync_queue"] == "yes" { abilities.insert(.queue) }
        }
        if !lacking.contains("getBookmarks") { abilities.insert(.progress) }
        if lacking.contains("startScan") { abilities.remove(.rescan) }
        return SourceAbout(name: account.title, shelves: shelves, abilities: abilities)
    }

    @concurrent
    package func check() async throws(SourceFault) {
        try await server.probe(anew: server.memory.extensions == nil)
        _ = try await server.ask("ping")
    }

    @concurrent
    package func rescan() async throws(SourceFault) {
        _ = try await server.ask("startScan")
        await cache.forget()
    }

    // MARK: Items

    func item(_ uri: ItemURI) throws(SourceFault) -> SubsonicItem {
        guard let item = SubsonicItem(uri, of: source) else {
            throw SourceFault(.notFound, "\(uri.text) names nothing at the source “\(account.title)”.")
        }
        return item
    }

    /// Rows of songs. Facts about their files are remembered for playback.
    func songRows(_ records: [SubsonicRecord]) async -> [ItemRow] {
        await songs.note(records.compactMap(SongFacts.init))
        return records.compactMap(rows.song)
    }

    func entries(_ rows: [ItemRow]) -> [NewEntry] { rows.map { NewEntry(uri: $0.uri, tags: $0.tags) } }
}
