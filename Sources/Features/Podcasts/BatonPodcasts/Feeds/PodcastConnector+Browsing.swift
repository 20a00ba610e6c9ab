/// The shelves and the search of podcasts.
package import BatonCore
package import BatonSeams

extension PodcastConnector {
    @concurrent
    package func browse(_ query: BrowseQuery) async throws(SourceFault) -> ItemPage {
        guard let node = query.node else {
            return ItemPage(try PodcastItem.Shelf.allCases.map { shelf throws(SourceFault) in try row(of: shelf) })
        }
        switch try Self.item(node) {
        case .shelf(.episodes): return try episodes(EpisodeQuery(from: query.window.offset, limit: query.window.limit))
        case .shelf(.podcasts):
            return ItemPage(of: try storage.podcasts().map { row($0) }, in: query.window)
        case .podcast(let id): return try episodes(EpisodeQuery(podcast: id, from: query.window.offset, limit: query.window.limit))
        case .newest(let id): return try episodes(EpisodeQuery(podcast: id, limit: try podcast(numbered: id).keep))
        case .episode: throw SourceFault(.unsupported, "An episode holds nothing else.")
        }
    }

    @concurrent
    package func search(_ query: SearchQuery) async throws(SourceFault) -> ItemPage {
        let words = SearchTerms(query.text).words
        let from = query.window.offset
        var podcasts: [ItemRow] = []
        if query.kinds.isEmpty || query.kinds.contains(.podcast) {
            podcasts = try storage.podcasts().filter { $0.fits(words) }.map { row($0) }
        }
        let shown = Array(podcasts.dropFirst(from).prefix(query.window.limit))
        guard query.kinds.isEmpty || query.kinds.contains(.episode) else {
            let end = from + shown.count
            return ItemPage(shown, cursor: end < podcasts.count ? String(end) : nil, total: podcasts.count)
        }
        let limit = query.window.limit - shown.count
        let page = try storage.episodes(EpisodeQuery(query.text, from: max(0, from - podcasts.count), limit: limit))
        let end = from + shown.count + page.episodes.count
        let total = podcasts.count + page.total
        return ItemPage(shown + page.episodes.map { row($0) }, cursor: end < total && end > from ? String(end) : nil, total: total)
    }

    @concurrent
    package func details(of uri: ItemURI) async throws(SourceFault) -> ItemDetails {
        switch try Self.item(uri) {
        case .shelf(let shelf): return ItemDetails(row: try row(of: shelf))
        case .podcast, .newest:
            let podcast = try podcast(uri)
            var details = ItemDetails(row: row(podcast, as: uri))
            details.about = podcast.facts.about.isEmpty ? nil : podcast.facts.about
            return details
        case .episode:
            let stored = try episode(uri)
            var details = ItemDetails(row: row(stored))
            details.about = stored.episode.about.isEmpty ? nil : stored.episode.about
            details.chapters = await server.chapters(of: stored)
            return details
        }
    }

    private func episodes(_ query: EpisodeQuery) throws(SourceFault) -> ItemPage {
        let page = try storage.episodes(query)
        let end = query.from + page.episodes.count
        return ItemPage(
            page.episodes.map { row($0) }, cursor: end < page.total && !page.episodes.isEmpty ? String(end) : nil, total: page.total)
    }

    // MARK: Rows

    private func row(of shelf: PodcastItem.Shelf) throws(SourceFault) -> ItemRow {
        let (title, count) =
            switch shelf {
            case .episodes: ("New episodes", try storage.episodes(EpisodeQuery(limit: 0)).total)
            case .podcasts: ("Podcasts", try storage.podcasts().count)
            }
        var tags = Tags(title: title)
        tags.kind = .shelf
        return ItemRow(uri: PodcastItem.shelf(shelf).uri, tags: tags, count: count)
    }

    private func row(_ podcast: StoredPodcast, as uri: ItemURI? = nil) -> ItemRow {
        ItemRow(uri: uri ?? self.uri(of: podcast), tags: tags(of: podcast), count: podcast.episodes)
    }

    private func row(_ stored: StoredEpisode) -> ItemRow {
        var row = ItemRow(uri: PodcastItem.episode(stored.id).uri, tags: tags(of: stored))
        row.publishedMs = stored.episode.publishedMs
        return row
    }

    func entry(_ stored: StoredEpisode) -> NewEntry { NewEntry(uri: PodcastItem.episode(stored.id).uri, tags: tags(of: stored)) }

    package func uri(of podcast: StoredPodcast) -> ItemURI { PodcastItem.podcast(podcast.id).uri }

    package func newest(of podcast: StoredPodcast) -> ItemURI { PodcastItem.newest(podcast.id).uri }

    package func tags(of podcast: StoredPodcast) -> Tags {
        var tags = Tags(title: podcast.title, artists: podcast.facts.author.isEmpty ? [] : [podcast.facts.author])
        tags.kind = .podcast
        tags.art = Self.art(PodcastPicture.name(of: podcast))
        return tags
    }

    private func tags(of stored: StoredEpisode) -> Tags {
        let author = stored.podcast.facts.author
        var tags = Tags(title: stored.episode.title, artists: author.isEmpty ? [] : [author], durationMs: stored.episode.durationMs)
        tags.kind = .episode
        tags.album = stored.podcast.title
        tags.art = Self.art(PodcastPicture.name(of: stored))
        return tags
    }

    private static func art(_ name: String?) -> Artwork? {
        name.flatMap { ArtworkID(source: PodcastItem.source, name: $0) }.map { Artwork(id: $0.text) }
    }
}

extension StoredPodcast {
    /// Whether each word begins a word of the title or author.
    fileprivate func fits(_ words: [String]) -> Bool {
        let text = Folding.words(Folding.fold("\(title) \(facts.author)")).map { " \($0)" }.joined()
        return !words.isEmpty && words.allSatisfy { text.contains(" \($0)") }
    }
}
