import BatonCore
package import BatonKernel
package import BatonSeams

/// The library: marks, plays, playlists of the hub and of servers, folders and pictures.
@Loop
package final class LibraryFeature: Feature {
    package let name = FeatureName.library
    package let library: LibraryService
    package let plays: PlayCounter
    package let commands: LibraryCommands
    let playlists: PlaylistCommands
    package let bookmarks: BookmarkCommands
    package let privacy: PlaylistPrivacy

    package init(_ kernel: Kernel, servers: any ServerTelling, serverLists: any ServerListEditing) {
        library = LibraryService(
            kernel.sources, servers, kernel.settling, kernel.publisher, kernel.ports, kernel.clock, kernel.log)
        plays = PlayCounter(library, kernel.ports, kernel.clock)
        commands = LibraryCommands(
            kernel.sources, library, kernel.ports, kernel.media, kernel.rooms, kernel.changes, kernel.clock)
        playlists = PlaylistCommands(
            library, kernel.items, serverLists, kernel.ledger, kernel.clock, kernel.limits, users: kernel.users)
        bookmarks = BookmarkCommands(library, kernel.items, kernel.ledger, kernel.settling, kernel.clock)
        privacy = PlaylistPrivacy(library)
        kernel.personRows.add(library)
        kernel.ports.personItems = library
    }

    package func install(in commands: CommandTable) {
        self.commands.install(in: commands)
        playlists.install(in: commands)
        bookmarks.install(in: commands)
    }

    package var roomHearers: [RoomHearers.Hearer] {
        [
            .init("plays", .endedPlays, at: .end) { [self] in plays.look(at: $0) },
            .init("plays", .plays, at: .change, of: [.now, .timeline]) { [self] in plays.look(at: $0) },
        ]
    }

    /// The parts to close. They close after the players, so that the last plays are stored.
    package var closing: [Closing] {
        [Closing("library", .afterPlayers { await self.library.close() })]
    }
}

extension FeatureName {
    package static let library = FeatureName("library")
}
