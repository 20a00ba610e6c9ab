public import BatonCore

/// Commands about podcasts.
public enum PodcastRequest: Equatable, Sendable {
    case list(PageRequest)
    case add(NewPodcast)
    /// By the addresses of their feeds, which are read afterwards.
    case importAll([ItemURI])
    /// One, or all.
    case refresh(ItemURI?)
    case keep(ItemURI, Int)
    case remove(ItemURI)
}

/// A podcast to subscribe to, and what its server asks for.
public struct NewPodcast: Equatable, Sendable {
    public var url: String
    public var user: String?
    public var password: String?

    public init(_ url: String, user: String? = nil, password: String? = nil) {
        self.url = url
        self.user = user
        self.password = password
    }
}
