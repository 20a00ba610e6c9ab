import BatonCore
import BatonSeams

extension CommandFamilies {
    /// The commands of the kernel and of all features. They are made when all features are there, since many ask parts of several.
    init(_ kernel: Kernel, _ features: AllFeatures) {
        let (sources, changes, ledger, settling) = (kernel.sources, kernel.changes, kernel.ledger, kernel.settling)
        let (servers, making, library, books) = (features.servers, features.making, features.library, features.books)
        let playback = features.playing.playback
        let sessions = ClipCommands(making.clips, changes, settling)
        let pieces = GenerationCommands(making.generating, sessions, playback, changes, settling)
        let queueLength = kernel.limits.queueLength
        self.init(
            playback: playback, arranging: features.playing.arranging,
            library: LibraryCommands(
                sources, library.library, features.radio.radio, books.places, kernel.media, kernel.rooms, changes, settling, kernel.clock),
            playlists: PlaylistCommands(
                library.library, library.items, library.serverLists, ledger, settling, kernel.clock, kernel.limits, users: kernel.users),
            accounts: SourceCommands(
                servers.accounts, servers.delivery, servers.savedQueues, servers.mirrorPasses, ledger, settling),
            savedQueues: SavedQueueCommands(sources, playback, servers.savedQueues, ledger, settling, kernel.clock),
            keeping: KeepCommands(features.copies.keeping, library.library, ledger, settling),
            radio: RadioCommands(features.radio.radio, features.radio.pasts, playback, ledger, settling),
            podcasts: features.podcasts.commands,
            bookmarks: BookmarkCommands(library.library, library.items, ledger, settling, kernel.clock),
            progress: ProgressCommands(books.places, sources, library.library, changes, settling, kernel.clock),
            generating: pieces,
            composing: ComposingCommands(making.generating, making.endless, making.clips, pieces, changes, settling),
            clips: sessions,
            prompts: PromptCommands(making.generating, ledger, settling),
            workers: WorkerCommands(making.generating.workers, ledger, settling),
            joining: JoiningCommands(features.joining.joining, library.items, changes, settling, queueLength: queueLength),
            presence: features.playing.presence,
            listening: ListeningCommands(
                kernel.people, sources, kernel.media, settling, ledger, kernel.clock,
                LinkCommands(features.listening.streams, changes),
                PrivateRoomCommands(features.listening.privateRooms, changes, library.items, books.places, queueLength: queueLength)),
            devices: kernel.deviceRegistry, users: features.users.commands, information: kernel.information, hold: kernel.hold,
            guests: kernel.guests, privacy: PlaylistPrivacy(library: library.library), rules: features.users.rules, ledger: ledger)
    }
}
