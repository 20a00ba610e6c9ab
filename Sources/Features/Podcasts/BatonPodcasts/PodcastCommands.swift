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
        commands.find(Commands.PodcastListing.self, with: ledger, list)
        commands.ask(Commands.PodcastAdd.self, add)
        commands.change(Commands.PodcastImport.self, with: ledger) { command, accepted async throws(SourceFault) in
            try await podcasts.add(all: command.urls.map(\.text), isOwn: accepted.identity.trust >= .ownMachine)
        }
        commands.change(Commands.PodcastRefresh.self, with: ledger) { command, _ async throws(SourceFault) in
            if let uri = command.uri {
                try await podcasts.refresh(try await podcasts.podcast(uri))
            } else {
                try await podcasts.refreshAll()
            }
            return true
        }
        commands.change(Commands.PodcastKeep.self, with: ledger) { command, _ async throws(SourceFault) in
            try await podcasts.keep(command.uri, command.count)
        }
        commands.change(Commands.PodcastRemove.self, with: ledger) { command, _ async throws(SourceFault) in
            try await podcasts.remove(command.uri)
        }
    }

    private func add(_ new: Commands.PodcastAdd, _ accepted: AcceptedCommand) async throws(SourceFault) -> Answer {
        let isOwn = accepted.identity.trust >= .ownMachine
        let (row, isNew) = try await podcasts.change { shelf throws(SourceFault) in
            let (podcast, isNew) = try await shelf.add(new.url, SourceSecrets(user: new.user, password: new.password), isOwn: isOwn)
            return (PodcastList.Row(podcast, shelf, showsAddress: true), isNew)
        }
        return ledger.done(isNew, for: accepted, PodcastList([row], total: 1))
    }

    private func list(_ command: Commands.PodcastListing, _ accepted: AcceptedCommand) async throws(SourceFault) -> PodcastList {
        let (window, showsAddresses) = (command.page.window, accepted.identity.role >= .remote)
        return try await podcasts.look { shelf throws(SourceFault) in
            let all = try shelf.storage.podcasts()
            let rows = window.rows(of: all).map { PodcastList.Row($0, shelf, showsAddress: showsAddresses) }
            return PodcastList(rows, total: all.count, cursor: window.next(after: rows.count, of: all.count))
        }
    }
}

extension PodcastList.Row {
    init(_ podcast: StoredPodcast, _ shelf: any PodcastShelf, showsAddress: Bool) {
        self.init(
            uri: shelf.uri(of: podcast), title: podcast.title, author: podcast.facts.author, episodes: podcast.episodes, keep: podcast.keep,
            art: shelf.tags(of: podcast).art?.id, url: showsAddress ? podcast.url : "",
            checkedMs: podcast.checkedMs, dueMs: podcast.dueMs, sentence: podcast.sentence)
    }
}
