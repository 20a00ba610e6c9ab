import BatonCore
package import BatonKernel
package import BatonSeams

/// The library: marks, plays, playlists of the hub and of servers, folders and pictures.
@Loop
package final class LibraryFeature: Feature {
    package let name = FeatureName.library
    package let library: LibraryService
    package let plays: PlayCounter
    let commands: LibraryCommands
    let playlists: PlaylistCommands
    let bookmarks: BookmarkCommands
    package let privacy: PlaylistPrivacy

    package init(_ kernel: Kernel, servers: any ServerTelling, serverLists: any ServerListEditing) {
        library = LibraryService(
            sources: kernel.sources, servers: servers, settling: kernel.settling, publisher: kernel.publisher, ports: kernel.ports,
            rooms: kernel.rooms, clock: kernel.clock, log: kernel.log)
        plays = PlayCounter(in: library, ports: kernel.ports, clock: kernel.clock)
        commands = LibraryCommands(
            sources: kernel.sources, library: library, ports: kernel.ports, media: kernel.media, changes: kernel.changes,
            clock: kernel.clock)
        playlists = PlaylistCommands(
            library: library, items: kernel.items, ledger: kernel.ledger, clock: kernel.clock, atServers: serverLists, users: kernel.users,
            playlistLength: kernel.limits.playlistLength)
        bookmarks = BookmarkCommands(
            library: library, items: kernel.items, ledger: kernel.ledger, settling: kernel.settling, clock: kernel.clock)
        privacy = PlaylistPrivacy(library)
        kernel.personRows.add(library)
        kernel.ports.personItems = library
    }

    package var profiles: Set<HubProfile> { [.library, .playlists] }

    package func install(in commands: CommandTable) {
        self.commands.install(in: commands)
        playlists.install(in: commands)
        bookmarks.install(in: commands)
    }

    package var roomObservers: [RoomObservers.Observer] {
        [
            .init("plays", .endedPlays, at: .end) { [self] in plays.look(at: $0) },
            .init("plays", .plays, at: .change, of: [.now, .timeline]) { [self] in plays.look(at: $0) },
        ]
    }

    /// The parts to close. They close after the players, so that the last plays are stored.
    package var closing: [Closing] {
        [Closing("library", .afterPlayers { await self.library.close() })]
    }

    package var metricFamilies: [MetricFamily] {
        guard case .library(let library)? = library.publisher.state.posted(.library, of: nil)?.value else { return [] }
        let parts = [("tracks", library.tracks), ("albums", library.albums), ("artists", library.artists)]
        return [
            MetricFamily(
                "library_items", help: "What the local library holds.", .gauge(parts.map { .init(Double($0.1), [.init("kind", $0.0)]) })),
            .gauge("library_scans", help: "Scans of music folders that are running.", library.scan == nil ? 0 : 1),
        ]
    }
}

extension FeatureName {
    package static let library = FeatureName("library")
}
