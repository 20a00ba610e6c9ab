import BatonCore
import BatonSeams

extension CommandFamilies {
    /// The commands of the kernel and of all features. Four of them ask parts of features that are installed later, so they are made here.
    init(_ kernel: Kernel, _ features: AllFeatures) {
        let (sources, changes, ledger, settling) = (kernel.sources, kernel.changes, kernel.ledger, kernel.settling)
        let (library, making, playing, books) = (features.library, features.making, features.playing, features.books)
        let queueLength = kernel.limits.queueLength
        self.init(
            playback: playing.playback, arranging: playing.arranging,
            library: LibraryCommands(
                sources, library.library, features.radio.radio, books.places, kernel.media, kernel.rooms, changes, settling, kernel.clock),
            playlists: library.playlists, accounts: features.servers.commands,
            savedQueues: SavedQueueCommands(sources, playing.playback, features.servers.savedQueues, ledger, settling, kernel.clock),
            keeping: features.copies.commands,
            radio: RadioCommands(features.radio.radio, features.radio.pasts, playing.playback, ledger, settling),
            podcasts: features.podcasts.commands, bookmarks: library.bookmarks, progress: books.commands, generating: making.pieces,
            composing: making.composing, clips: making.sessions, prompts: making.prompts, workers: making.workers,
            joining: features.joining.commands, presence: playing.presence,
            listening: ListeningCommands(
                kernel.people, sources, kernel.media, settling, ledger, kernel.clock, LinkCommands(features.listening.streams, changes),
                PrivateRoomCommands(features.listening.privateRooms, changes, library.items, books.places, queueLength: queueLength)),
            devices: kernel.deviceRegistry, users: features.users.commands, information: kernel.information, hold: kernel.hold,
            guests: kernel.guests, privacy: library.privacy, rules: features.users.rules, ledger: ledger)
    }
}
