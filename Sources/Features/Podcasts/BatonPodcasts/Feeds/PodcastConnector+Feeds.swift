/// Subscribes to podcasts and looks for new episodes.
package import BatonCore
package import BatonSeams

extension PodcastConnector {
    @concurrent
    package func add(
        _ url: String, _ secrets: SourceSecrets, isOwn: Bool
    ) async throws(SourceFault) -> (StoredPodcast, isNew: Bool) {
        guard let address = WebAddress(url)?.text, address.utf8.count <= PodcastText.urlBytes else {
            throw SourceFault(.badRequest, "A podcast is added by the http or https address of its feed.")
        }
        guard !address.dropFirst(8).prefix(while: { $0 != "/" }).contains("@") else {
            throw SourceFault(.badRequest, "Name user and password apart from the address, so that they are kept as secrets.")
        }
        if let known = try storage.podcast(at: address) { return (known, false) }
        var podcast = StoredPodcast(id: 0, url: address, home: address, isOwn: isOwn)
        let answer = await server.feed(of: podcast, secrets, reading)
        guard case .feed(let feed, _) = answer.answer else { throw answer.fault(adding: address) }
        // The feed may have moved to an address that is subscribed already.
        if let moved = answer.movedTo, let known = try storage.podcast(at: moved) { return (known, false) }
        podcast.facts = feed.facts
        podcast.id = try storage.add(podcast)
        if secrets != SourceSecrets() {
            do throws(SourceFault) { try self.secrets.store(secrets, of: FeedServer.secretName(podcast.id)) } catch {
                _ = try storage.remove(podcast: podcast.id)
                throw error
            }
        }
        return (try store(podcast, answer), true)
    }

    @concurrent
    package func refresh(_ podcast: StoredPodcast) async throws(SourceFault) -> StoredPodcast {
        let secrets = try self.secrets.secrets(of: FeedServer.secretName(podcast.id)) ?? SourceSecrets()
        return try store(podcast, await server.feed(of: podcast, secrets, reading))
    }

    private func store(_ podcast: StoredPodcast, _ answer: FeedServer.Reply) throws(SourceFault) -> StoredPodcast {
        try storage.store(
            FeedChange(
                podcast, answer.answer, movedTo: answer.movedTo, known: try storage.episodeKeys(of: podcast.id), nowMs: clock.wallMs,
                random: random()))
        return try self.podcast(numbered: podcast.id)
    }

    package func remove(_ podcast: StoredPodcast) throws(SourceFault) -> Bool {
        guard try storage.remove(podcast: podcast.id) else { return false }
        try secrets.remove(FeedServer.secretName(podcast.id))
        return true
    }
}

extension FeedServer.Reply {
    fileprivate func fault(adding url: String) -> SourceFault {
        let code = fault?.code ?? .unavailable
        switch answer {
        case .failed(let sentence, _): return SourceFault(code, sentence)
        case .gone: return SourceFault(.gone, "The server says that there is no such feed any more (410).")
        case .feed, .unchanged: return SourceFault(.failed, "The server did not send the feed.")
        }
    }
}
