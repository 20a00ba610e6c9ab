import BatonCore

// How the hub carries out commands about podcasts.

extension Commands.PodcastImport: HubRequest { package var request: Request { .podcasts(.importAll(urls)) } }
extension Commands.PodcastRemove: HubRequest { package var request: Request { .podcasts(.remove(uri)) } }

extension Commands.PodcastAdd: HubRequest {
    public init(_ podcast: NewPodcast) { self.init(podcast.url, user: podcast.user, password: podcast.password) }
    package var request: Request { .podcasts(.add(NewPodcast(url, user: user, password: password))) }
}

extension Commands.PodcastListing: HubRequest {
    package var request: Request { .podcasts(.list(page)) }
}

extension Commands.PodcastRefresh: HubRequest { package var request: Request { .podcasts(.refresh(uri)) } }
extension Commands.PodcastKeep: HubRequest { package var request: Request { .podcasts(.keep(uri, count)) } }
