import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// Commands about podcasts. They wait for a disk or a server, so they run off the loop.
@Loop
struct PodcastCommands {
    let podcasts: PodcastService
    let ledger: Ledger

    func install(in commands: CommandTable) {
        commands.ask(Commands.PodcastListing.self, list)
        commands.ask(Commands.PodcastAdd.self, add)
        commands.ask(Commands.PodcastImport.self) { command, visit async throws(SourceFault) in
            let isOwn = visit.identity.trust >= .ownMachine
            return ledger.done(try await podcasts.add(all: command.urls.map(\.text), isOwn: isOwn), for: visit)
        }
        commands.ask(Commands.PodcastRefresh.self) { command, visit async throws(SourceFault) in
            if let uri = command.uri {
                try await podcasts.refresh(try await podcasts.podcast(uri))
            } else {
                try await podcasts.refreshAll()
            }
            return ledger.done(true, for: visit)
        }
        commands.ask(Commands.PodcastKeep.self) { command, visit async throws(SourceFault) in
            ledger.done(try await podcasts.keep(command.uri, command.count), for: visit)
        }
        commands.ask(Commands.PodcastRemove.self) { command, visit async throws(SourceFault) in
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
        let (window, showsAddresses) = (command.page.window, visit.identity.role >= .remote)
        let list = try await podcasts.look { shelf throws(SourceFault) in
            let all = try shelf.keeper.podcasts()
            let rows = window.rows(of: all).map { PodcastList.Row($0, shelf, showsAddress: showsAddresses) }
            return PodcastList(rows, total: all.count, cursor: window.next(after: rows.count, of: all.count))
        }
        return ledger.found(list, for: visit)
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
