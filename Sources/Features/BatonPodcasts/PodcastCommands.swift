import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// Commands about podcasts. They wait for a disk or a server, so they run off the loop.
@Loop
final class PodcastCommands {
    private let podcasts: PodcastService
    private let ledger: Ledger

    init(_ podcasts: PodcastService, _ ledger: Ledger) {
        self.podcasts = podcasts
        self.ledger = ledger
    }

    func install(in commands: CommandTable) {
        commands.ask(Commands.PodcastListing.self, list)
        commands.ask(Commands.PodcastAdd.self, add)
        commands.ask(Commands.PodcastImport.self, importAll)
        commands.ask(Commands.PodcastRefresh.self) { [self] command, visit async throws(SourceFault) in
            if let uri = command.uri {
                try await podcasts.refresh(try await podcasts.podcast(uri))
            } else {
                try await podcasts.refreshAll()
            }
            return ledger.done(true, for: visit)
        }
        commands.ask(Commands.PodcastKeep.self) { [self] command, visit async throws(SourceFault) in
            ledger.done(try await podcasts.keep(command.uri, command.count), for: visit)
        }
        commands.ask(Commands.PodcastRemove.self) { [self] command, visit async throws(SourceFault) in
            ledger.done(try await podcasts.remove(command.uri), for: visit)
        }
    }

    private func add(_ new: Commands.PodcastAdd, _ visit: Visit) async throws(SourceFault) -> Answer {
        let isOwn = visit.identity.trust >= .ownMachine
        let (row, isNew) = try await podcasts.change { shelf throws(SourceFault) in
            let (podcast, isNew) = try await shelf.add(new.url, SourceSecrets(user: new.user, password: new.password), isOwn: isOwn)
            return (PodcastList.Row(podcast, shelf, showsAddress: true), isNew)
        }
        return ledger.done(isNew, for: visit, PodcastList([row], total: 1))
    }

    private func list(_ command: Commands.PodcastListing, _ visit: Visit) async throws(SourceFault) -> Answer {
        let page = command.page
        let showsAddresses = visit.identity.role >= .remote
        let from = page.window.place
        let list = try await podcasts.look { shelf throws(SourceFault) in
            let all = try shelf.keeper.podcasts()
            let rows = all.dropFirst(from).prefix(page.limit).map { PodcastList.Row($0, shelf, showsAddress: showsAddresses) }
            let end = from + rows.count
            return PodcastList(rows, total: all.count, cursor: end < all.count && !rows.isEmpty ? String(end) : nil)
        }
        return ledger.found(list, for: visit)
    }

    /// Imports all podcasts or none: an invalid address refuses the whole list.
    private func importAll(_ command: Commands.PodcastImport, _ visit: Visit) async throws(SourceFault) -> Answer {
        let isOwn = visit.identity.trust >= .ownMachine
        let nowMs = podcasts.nowMs
        let isNew = try await podcasts.change { shelf throws(SourceFault) in
            var new: [KeptPodcast] = []
            for url in command.urls {
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
        return ledger.done(isNew, for: visit)
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
