import BatonAdmin
import BatonBooks
import BatonCopies
import BatonCore
import BatonDialectAccess
import BatonJoining
import BatonKernel
import BatonLibrary
import BatonListening
import BatonMaking
import BatonPodcasts
import BatonRadio
import BatonSeams
import BatonServers
import BatonUsers

/// The features of the hub, one in each line. They are installed, and hear of events and room changes, in the order of `all`, and
/// are closed in reverse order.
///
/// They are made in the order in which they need each other: `playing` comes first, since `servers`, `radio` and `making` play by it,
/// although it is installed after `radio`.
@Loop
struct AllFeatures {
    let users: UsersFeature
    let servers: ServersFeature
    let library: LibraryFeature
    let radio: RadioFeature
    let playing: PlayingFeature
    let listening: ListeningFeature
    let making: MakingFeature
    let copies: CopiesFeature
    let podcasts: PodcastsFeature
    let books: BooksFeature
    let joining: JoiningFeature
    let admin: AdminFeature
    let dialectAccess: DialectAccessFeature
    let all: [any Feature]

    init(_ kernel: Kernel, _ parts: HubParts) {
        playing = PlayingFeature(kernel)
        users = UsersFeature(kernel)
        servers = ServersFeature(kernel, playback: playing.playback)
        library = LibraryFeature(kernel, servers: servers.delivery, serverLists: servers.lists)
        radio = RadioFeature(kernel, playback: playing.playback)
        listening = ListeningFeature(kernel, parts)
        making = MakingFeature(kernel, marks: library.library, playback: playing.playback)
        copies = CopiesFeature(kernel, made: making.jobs, streams: listening.streams, marks: library.library)
        podcasts = PodcastsFeature(kernel, wishes: copies.keeping)
        books = BooksFeature(kernel, servers: servers.delivery, accounts: servers.accounts, marks: library.library)
        joining = JoiningFeature(kernel, accounts: servers.accounts)
        admin = AdminFeature(kernel)
        dialectAccess = DialectAccessFeature(kernel)
        all = [users, servers, library, radio, playing, listening, making, copies, podcasts, books, joining, admin, dialectAccess]
    }
}
