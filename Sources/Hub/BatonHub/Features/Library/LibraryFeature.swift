import BatonCore
import BatonSeams

/// The library: marks, plays, playlists of the hub and of servers, folders and pictures.
@Loop
final class LibraryFeature: Feature {
    let name = FeatureName.library
    let library: LibraryService
    /// Finds the entries that items stand for, also those of shelves and playlists of a person.
    let items: ItemExpansion
    let serverLists: ServerListCommands
    let plays: PlayCounter
    let playlists: PlaylistCommands
    let bookmarks: BookmarkCommands
    let privacy: PlaylistPrivacy

    init(_ kernel: Kernel, servers: ServersFeature) {
        library = LibraryService(
            kernel.sources, servers.delivery, kernel.settling, kernel.publisher, kernel.ports, kernel.clock, kernel.log)
        items = ItemExpansion(sources: kernel.sources, library: library)
        serverLists = ServerListCommands(kernel.sources, items, servers.mirroredLists, kernel.changes, kernel.limits)
        plays = PlayCounter(library, kernel.ports, kernel.clock)
        playlists = PlaylistCommands(
            library, items, serverLists, kernel.ledger, kernel.clock, kernel.limits, users: kernel.users)
        bookmarks = BookmarkCommands(library, items, kernel.ledger, kernel.settling, kernel.clock)
        privacy = PlaylistPrivacy(library)
        kernel.personRows.add(library)
    }

    func install(in commands: CommandTable) {
        playlists.install(in: commands)
        bookmarks.install(in: commands)
    }

    var roomHearers: [RoomHearers.Hearer] {
        [
            .init("plays", .endedPlays, at: .end) { [weak plays] in plays?.look(at: $0) },
            .init("plays", .plays, at: .change, of: [.now, .timeline]) { [weak plays] in plays?.look(at: $0) },
        ]
    }

    /// Behind the players, since what was played until then is noted.
    var closing: [Closing] {
        [
            Closing("library", .afterPlayers { await self.library.close() }),
            Closing("serverLists", .afterPlayers { await self.serverLists.close() }),
        ]
    }
}
