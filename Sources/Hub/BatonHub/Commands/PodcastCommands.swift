import BatonCore
import BatonProtocol
import BatonSeams

/// Commands about podcasts. All of it waits for a disk or a server, so the loop does not wait for any of it.
@Loop
final class PodcastCommands {
    private let podcasts: PodcastService
    private let ledger: Ledger
    private let settling: Settling

    init(_ podcasts: PodcastService, _ ledger: Ledger, _ settling: Settling) {
        self.podcasts = podcasts
        self.ledger = ledger
        self.settling = settling
    }

    func handle(_ request: PodcastRequest, _ visit: Visit) -> Handling {
        settling.working(visit.id) { [self] () async throws(ProtocolFault) in
            do throws(SourceFault) { return try await answer(request, visit) } catch { throw ProtocolFault(error, at: nil) }
        }
    }

    private func answer(_ request: PodcastRequest, _ visit: Visit) async throws(SourceFault) -> Answer {
        switch request {
        case .list(let page): return done(true, visit, .podcasts(try await list(page, visit)))
        case .add(let new):
            let isOwn = visit.identity.trust >= .ownMachine
            let (row, isNew) = try await podcasts.change { shelf throws(SourceFault) in
                let (podcast, isNew) = try await shelf.add(new.url, SourceSecrets(user: new.user, password: new.password), isOwn: isOwn)
                return (PodcastList.Row(podcast, shelf, showsAddress: true), isNew)
            }
            return done(isNew, visit, .podcasts(PodcastList([row], total: 1)))
        case .importAll(let urls): return done(try await importAll(urls, visit), visit)
        case .refresh(let uri):
            if let uri { try await podcasts.refresh(try await podcasts.podcast(uri)) } else { try await podcasts.refreshAll() }
            return done(true, visit)
        case .keep(let uri, let count): return done(try await podcasts.keep(uri, count), visit)
        case .remove(let uri): return done(try await podcasts.remove(uri), visit)
        }
    }

    private func done(_ isNew: Bool, _ visit: Visit, _ data: ReplyData? = nil) -> Answer {
        Answer(Reply(id: visit.id, isNew ? .applied() : .noop(why: .same), revision: ledger.revision, data: data))
    }

    private func list(_ page: PageRequest, _ visit: Visit) async throws(SourceFault) -> PodcastList {
        let showsAddresses = visit.identity.role >= .remote
        let from = page.window.place
        return try await podcasts.look { shelf throws(SourceFault) in
            let all = try shelf.keeper.podcasts()
            let rows = all.dropFirst(from).prefix(page.limit).map { PodcastList.Row($0, shelf, showsAddress: showsAddresses) }
            let end = from + rows.count
            return PodcastList(rows, total: all.count, cursor: end < all.count && !rows.isEmpty ? String(end) : nil)
        }
    }

    /// All of them or none: one address that is none keeps the rest out.
    private func importAll(_ urls: [ItemURI], _ visit: Visit) async throws(SourceFault) -> Bool {
        let isOwn = visit.identity.trust >= .ownMachine
        let nowMs = podcasts.nowMs
        let isNew = try await podcasts.change { shelf throws(SourceFault) in
            var new: [KeptPodcast] = []
            for url in urls {
                guard let address = WebAddress(url.text)?.text, address.utf8.count <= PodcastText.urlBytes else {
                    throw SourceFault(.badRequest, "“\(url.text)” is no http or https address, so nothing was added.")
                }
                var podcast = KeptPodcast(id: 0, url: address, home: address, isOwn: isOwn)
                podcast.dueMs = nowMs
                if try shelf.keeper.podcast(at: address) == nil, !new.contains(podcast) { new.append(podcast) }
            }
            for podcast in new { _ = try shelf.keeper.add(podcast) }
            return !new.isEmpty
        }
        if isNew { podcasts.lookSoon() }
        return isNew
    }
}

extension PodcastList.Row {
    init(_ podcast: KeptPodcast, _ shelf: any PodcastShelf, showsAddress: Bool) {
        self.init(
            uri: shelf.uri(of: podcast), title: podcast.title, author: podcast.facts.author, episodes: podcast.episodes, keep: podcast.keep,
            art: shelf.tags(of: podcast).art?.id, url: showsAddress ? podcast.url : "",
            checkedMs: podcast.checkedMs, dueMs: podcast.dueMs, sentence: podcast.sentence)
    }
}
