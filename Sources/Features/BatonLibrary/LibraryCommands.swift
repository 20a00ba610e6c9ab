import BatonCore
package import BatonKernel
import BatonProtocol
package import BatonSeams

/// Questions to sources, and changes to the hub's data on items. They wait for a source or a disk, so they run off the loop.
@Loop
package final class LibraryCommands: LaneHearer {
    package let sources: Sources
    package let library: LibraryService
    package let ports: Ports
    private let media: MediaPasses
    private let rooms: RoomList
    private let changes: RoomChanges
    private let clock: HubClock

    init(
        _ sources: Sources, _ library: LibraryService, _ ports: Ports, _ media: MediaPasses, _ rooms: RoomList, _ changes: RoomChanges,
        _ clock: HubClock
    ) {
        self.sources = sources
        self.library = library
        self.ports = ports
        self.media = media
        self.rooms = rooms
        self.changes = changes
        self.clock = clock
    }

    package func install(in commands: CommandTable) {
        commands.ask(Commands.Search.self, search)
        commands.ask(Commands.Browse.self, browse)
        commands.ask(Commands.Item.self, item)
        commands.ask(Commands.PlayedHistory.self, history)
        commands.ask(Commands.FavouriteSet.self) { [self] command, visit async throws(SourceFault) in
            if !visit.identity.person.isUser { try await ports.stations?.star(command.uri, command.isOn) }
            return try await mark(command.uri, visit, .favourite(command.uri, command.isOn))
        }
        commands.ask(Commands.RatingSet.self) { [self] command, visit async throws(SourceFault) in
            try await mark(command.uri, visit, .stars(command.uri, command.stars))
        }
        commands.ask(Commands.Split.self) { [self] command, visit async throws(SourceFault) in
            await done(try await library.set(FoldSplit(command.uri, command.from), command.isOn), visit)
        }
        commands.ask(Commands.Folders.self) { [self] command, visit async throws(SourceFault) in
            guard let path = command.path else { return found(try await folders(), visit) }
            return found(try await folders(in: path, visit.identity.trust), visit)
        }
        commands.ask(Commands.FolderSet.self, setFolder)
        commands.ask(Commands.Scan.self) { [self] command, visit async throws(SourceFault) in
            let (keeper, isFull) = (try keeper(), command.isFull)
            let hasBegun = try await library.scanning { [sources] () async throws(SourceFault) in
                try await sources.inBlockingPool { () async throws(SourceFault) in await keeper.scan(isFull: isFull) }
            }
            return await done(hasBegun, visit)
        }
        commands.on(Commands.Picture.self, picture)
        commands.tellEndsOfLanes(to: self)
    }

    /// Drops the searches of a closed connection.
    package func laneEnded(_ lane: Int) { sources.searches.leave(lane) }

    private func search(_ command: Commands.Search, _ visit: Visit) async throws(SourceFault) -> Answer {
        var list = try await sources.search(command, pageBytes: visit.context.pageBytes, by: visit.caller)
        list.rows = await shown(list.rows, visit)
        if command.isAvailable { await library.keepAvailable(in: &list) }
        return found(list, visit)
    }

    private func browse(_ command: Commands.Browse, _ visit: Visit) async throws(SourceFault) -> Answer {
        var list = try await browse(command.node, command.sort, command.page, visit)
        if let node = command.node, !command.isUnfolded { sources.fold(&list, of: node) }
        list.rows = await shown(list.rows, visit)
        if command.isAvailable { await library.keepAvailable(in: &list) }
        return found(list, visit)
    }

    private func setFolder(_ command: Commands.FolderSet, _ visit: Visit) async throws(SourceFault) -> Answer {
        let (keeper, trust) = (try keeper(), visit.identity.trust)
        let change: @Loop () async throws(SourceFault) -> Bool = { [sources] () async throws(SourceFault) in
            try await sources.inBlockingPool { () async throws(SourceFault) in
                try await keeper.setFolder(command.path, isWanted: command.isOn, holds: command.holds, trust: trust)
            }
        }
        return await done(try await command.isOn ? library.scanning(change) : change(), visit)
    }

    private func keeper() throws(SourceFault) -> any LibraryKeeper {
        guard let keeper = library.keeper else { throw SourceFault(.unsupported, "This hub has no library of its own.") }
        return keeper
    }

    private func found(_ data: any ReplyContent, _ visit: Visit) -> Answer {
        changes.ledger.found(data, for: visit)
    }

    /// The answer. Clients see the change before it.
    private func done(_ isNew: Bool, _ visit: Visit) async -> Answer {
        await library.show()
        let reply = Reply(id: visit.id, isNew ? .applied() : .noop(why: .same), revision: changes.ledger.revision)
        return Answer(changes.keeping(reply, under: visit.key, in: visit.live))
    }

    // MARK: One item

    private func item(_ command: Commands.Item, _ visit: Visit) async throws(SourceFault) -> Answer {
        let (uri, media) = (command.uri, command.media)
        let heard = media ? heardSoon(uri, in: visit.live.room) : nil
        var details = try await sources.details(of: uri, trust: max(visit.identity.trust, heard?.trust ?? .itemsOnly))
        details.row = await library.marked([details.row], for: visit.identity.person)[0]
        if visit.identity.trust < .musicFolders { details.path = nil }
        var answer = ItemAnswer(details)
        if command.lyrics { answer.lyrics = try await sources.lyrics(of: uri) }
        if media, !details.row.tags.kind.isContainer, let trust = visit.identity.role >= .remote ? visit.identity.trust : heard?.trust {
            func pass(_ uri: ItemURI) -> MediaLink {
                self.media.give(uri, trust: min(trust, .ownMachine), to: visit.identity.device, at: clock.now)
            }
            answer.media = pass(details.row.uri)
            answer.files = details.files.map { .init(name: $0, media: pass(ItemURI("\(details.row.uri.text)/\($0)"))) }
        }
        return found(answer, visit)
    }

    /// The room's current or next entry with this item. Guests and listeners may hear it too, since a client with the
    /// permission has added it.
    private func heardSoon(_ uri: ItemURI, in room: Room) -> QueueEntry? {
        [room.currentEntry, room.upcoming].lazy.compactMap { $0 }.first { $0.uri == uri }
    }

    /// The rows as this person sees them.
    private func shown(_ rows: [ItemRow], _ visit: Visit) async -> [ItemRow] {
        let person = visit.identity.person
        return await library.marked(library.visible(rows, to: person), for: person)
    }

    private func history(_ command: Commands.PlayedHistory, _ visit: Visit) async throws(SourceFault) -> Answer {
        let window = PageWindow(from: command.page.from, limit: command.page.limit)
        let person = visit.identity.person
        let played =
            person.isUser
            ? try await library.lookAtPersons { persons throws(SourceFault) in try persons.history(of: person, window) }
            : try await library.look { userMarks throws(SourceFault) in try userMarks.history(window) }
        let rows = await library.marked(played.map(\.row), for: person)
        let list = PlayedList(zip(played, rows).map { PlayedItem(item: $1, room: $0.room, atMs: $0.atMs, askedBy: $0.askedBy) })
        return found(list, visit)
    }

    private func folders() async throws(SourceFault) -> LibraryFolders {
        let keeper = try keeper()
        let (folders, last) = try await sources.limited(Sources.Limit.list) { () async throws(SourceFault) in
            try await (keeper.folders(), keeper.lastReport())
        }
        // Clients ask often during a scan, which itself needs the disks.
        let mayLook = library.scanReport.map(\.isDone) ?? true
        let found = await mayLook ? foundFolders(keeper) : []
        return LibraryFolders(
            folders.map(LibraryFolders.Folder.init), found: found.map { .init(path: $0.path, tracks: $0.tracks) },
            report: (library.scanReport ?? last).map(LibraryFolders.Report.init))
    }

    /// The folders with music on the disks; none when a disk does not answer, so that the library's own folders are still
    /// sent. Later results are used by the next question.
    private func foundFolders(_ keeper: any LibraryKeeper) async -> [LibraryFolder] {
        do throws(SourceFault) {
            return try await sources.limited(Self.patience) { () async throws(SourceFault) in try await keeper.foundFolders() }
        } catch {
            return []
        }
    }

    /// The folders in a path. When a disk is too slow to count its music, only the counts are left out.
    private func folders(in path: String, _ trust: Trust) async throws(SourceFault) -> LibraryFolders {
        let keeper = try keeper()
        let (folders, all) = try await sources.limited(Self.patience) { () async throws(SourceFault) in
            try await (keeper.folders(), keeper.folders(in: path, trust: trust))
        }
        let inside = Array(all.prefix(Self.mostInside))
        let counts = try? await sources.limited(Self.patience) { () async throws(SourceFault) in await keeper.tracks(in: inside) }
        return LibraryFolders(
            folders.map(LibraryFolders.Folder.init), inside: inside.map { LibraryFolders.Inside(path: $0, tracks: counts?[$0]) },
            hasMore: all.count > inside.count)
    }

    /// Limit on listed folders: more than a person reads.
    private static let mostInside = 500
    /// Time limit for a search, longer than working disks need.
    private static let patience: Duration = .seconds(2)

    // MARK: Pictures

    private func picture(_ command: Commands.Picture, _ visit: Visit) throws(ProtocolFault) -> Handling {
        guard let pictures = visit.context.pictures else {
            throw ProtocolFault(
                .unsupported, "Whoever understands frames of pictures says the cap art in hello; others get /art.", at: "/m")
        }
        return .working { [self] in
            do throws(SourceFault) {
                let picture = try await library.picture(
                    command.id, command.width, command.height, command.format == .png ? .png : .jpeg, mostBytes: pictures.mostBytes)
                return answer(with: picture, visit)
            } catch {
                return Answer(visit.id, ProtocolFault(error, at: nil))
            }
        }
    }

    private func answer(with picture: Picture, _ visit: Visit) -> Answer {
        Answer(changes.ledger.done(true, for: visit).reply, picture: picture)
    }

    // MARK: Marks

    /// Sets the mark on all known places of the track. Without known places they are searched afterwards.
    private func mark(_ uri: ItemURI, _ visit: Visit, _ note: WriteBack) async throws(SourceFault) -> Answer {
        let (item, shown) = try await known(uri, visit)
        // This comes before the server is told.
        try item.checkMark(isSet: note.isMark)
        let atMs = clock.now.wallMs
        let person = visit.identity.person
        if person.isUser { return await done(try await library.markOwn(item, note, of: person, atMs: atMs), visit) }
        let others = sources.knownPlaces.others(of: uri)
        let isNew = try await library.mark([item] + (others ?? []).map { item.at($0) }, note, shown: shown, atMs: atMs)
        if isNew, others == nil, sources.hasRemote {
            library.backgroundQueue.add { [sources, library] in
                let places = await sources.findPlaces(of: item.uri, item.tags)
                _ = try? await library.mark(places.map { item.at($0) }, note, atMs: atMs)
            }
        }
        return await done(isNew, visit)
    }

    /// The item with its texts, which are stored with the mark for the time when the source is down. If it is down already,
    /// the texts come from earlier answers or a queue. Also returns the item's mark at its source, if the source stores
    /// marks.
    private func known(_ uri: ItemURI, _ visit: Visit) async throws(SourceFault) -> (NewEntry, ItemMark?) {
        do throws(SourceFault) {
            let row = try await sources.details(of: uri, trust: visit.identity.trust).row
            let marks = !row.isAway && sources.able(to: .marks).contains(sources.name(of: row.uri))
            return (NewEntry(uri: row.uri, tags: row.tags), marks ? row.mark : nil)
        } catch {
            let queued = rooms.all.lazy.compactMap { $0.room.queue.entries.first { $0.uri == uri } }.first
            guard error.code == .unavailable, let tags = sources.shownTracks[uri]?.tags ?? queued?.tags else { throw error }
            return (NewEntry(uri: uri, tags: tags), nil)
        }
    }
}

extension WriteBack {
    /// True when a mark is set, false when it is removed.
    fileprivate var isMark: Bool {
        switch self {
        case .favourite(_, let isFavourite): isFavourite
        case .stars(_, let stars): stars > 0
        default: false
        }
    }
}

extension NewEntry {
    /// Another place of the same track, with that place's picture.
    fileprivate func at(_ uri: ItemURI) -> NewEntry {
        var tags = tags
        tags.art = nil
        return NewEntry(uri: uri, tags: tags)
    }
}

extension LibraryFolders.Folder {
    fileprivate init(_ folder: LibraryFolder) {
        self.init(path: folder.path, tracks: folder.tracks, problem: folder.problem, holds: folder.holds)
    }
}

extension LibraryFolders.Report {
    fileprivate init(_ report: ScanReport) {
        self.init()
        seen = report.seen
        read = report.read
        moved = report.moved
        gone = report.gone
        failed = report.failed
        tookMs = report.tookMs
        isDone = report.isDone
        problems = report.problems
    }
}
