public import BatonCore

/// Commands about podcasts.
extension Commands {
    /// Lists the podcasts to which the hub is subscribed.
    public struct PodcastListing: HubRequest {
        public typealias Answer = PodcastList

        public static let kind = RequestKind.podcastList
        public var page: LibraryRequest.Page

        public init(_ page: LibraryRequest.Page = LibraryRequest.Page(limit: 80)) { self.page = page }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(try p.page(value?.page, usual: 80))
        }

        package var request: Request { .podcasts(.list(page)) }
    }

    /// Looks for new episodes now: of one podcast, or of all.
    public struct PodcastRefresh: HubRequest {
        public static let kind = RequestKind.podcastRefresh
        public var uri: ItemURI?

        public init(_ uri: ItemURI? = nil) { self.uri = uri }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(try p.uri("uri", value?.uri))
        }

        package var request: Request { .podcasts(.refresh(uri)) }
    }

    /// How many of the newest episodes of a podcast are kept on the hub's disk.
    public struct PodcastKeep: HubRequest {
        public static let kind = RequestKind.podcastKeep
        public var uri: ItemURI
        public var count: Int

        public init(_ uri: ItemURI, _ count: Int) {
            self.uri = uri
            self.count = count
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                try p.required("uri", p.uri("uri", value?.uri)),
                try p.required("n", p.int("n", value?.count, in: 0...PodcastText.mostKept)))
        }

        package var request: Request { .podcasts(.keep(uri, count)) }
    }
}

extension Commands.PodcastImport: HubRequest { package var request: Request { .podcasts(.importAll(urls)) } }
extension Commands.PodcastRemove: HubRequest { package var request: Request { .podcasts(.remove(uri)) } }

extension Commands.PodcastAdd: HubRequest {
    public typealias Answer = PodcastList
    public init(_ podcast: NewPodcast) { self.init(podcast.url, user: podcast.user, password: podcast.password) }
    package var request: Request { .podcasts(.add(NewPodcast(url, user: user, password: password))) }
}
