import BatonCore
import BatonSeams

/// The features of the hub, one line for each, in the order in which they are installed, hear of events and are told that a room has changed.
/// They stop in the reverse order.
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
    let all: [any Feature]

    init(_ kernel: Kernel, _ parts: HubParts) {
        playing = PlayingFeature(kernel)
        users = UsersFeature(kernel)
        servers = ServersFeature(kernel, playback: playing.playback)
        library = LibraryFeature(kernel, servers: servers.delivery, serverLists: servers.lists)
        radio = RadioFeature(kernel, playback: playing.playback)
        listening = ListeningFeature(kernel, parts)
        making = MakingFeature(kernel, marks: library.library, playback: playing.playback)
        copies = CopiesFeature(kernel, made: making.generating, streams: listening.streams, marks: library.library)
        podcasts = PodcastsFeature(kernel, wishes: copies.keeping)
        books = BooksFeature(kernel, servers: servers.delivery, accounts: servers.accounts, marks: library.library)
        joining = JoiningFeature(kernel, accounts: servers.accounts)
        all = [users, servers, library, radio, playing, listening, making, copies, podcasts, books, joining]
    }
}

extension FeatureName {
    package static let users = FeatureName("users")
    package static let servers = FeatureName("servers")
    package static let library = FeatureName("library")
    package static let radio = FeatureName("radio")
    package static let listening = FeatureName("listening")
    package static let making = FeatureName("making")
    package static let copies = FeatureName("copies")
    package static let podcasts = FeatureName("podcasts")
    package static let books = FeatureName("books")
    package static let joining = FeatureName("joining")
    package static let playing = FeatureName("playing")
}
