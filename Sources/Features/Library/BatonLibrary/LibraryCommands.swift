import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// Questions to sources, and changes to the hub's data on items. They wait for a source or a disk, so they run off the loop.
@Loop
struct LibraryCommands: LaneHearer {
    let sources: Sources
    let library: LibraryService
    let ports: Ports
    let media: MediaPasses
    let changes: RoomChanges
    let clock: HubClock

    func install(in commands: CommandTable) {
        commands.ask(Commands.Search.self, search)
        commands.ask(Commands.Browse.self, browse)
        commands.ask(Commands.Item.self, item)
        commands.ask(Commands.PlayedHistory.self, history)
        commands.ask(Commands.FavouriteSet.self) { command, visit async throws(SourceFault) in
            if !visit.identity.person.isUser { try await ports.stations?.star(command.uri, command.isOn) }
            return await done(try await library.mark(command.uri, .favourite(command.uri, command.isOn), by: visit.identity), visit)
        }
        commands.ask(Commands.RatingSet.self) { command, visit async throws(SourceFault) in
            await done(try await library.mark(command.uri, .stars(command.uri, command.stars), by: visit.identity), visit)
        }
        commands.ask(Commands.Split.self) { command, visit async throws(SourceFault) in
            await done(try await library.set(FoldSplit(command.uri, command.from), command.isOn), visit)
        }
        commands.ask(Commands.Folders.self) { command, visit async throws(SourceFault) in
            guard let path = command.path else { return changes.ledger.found(try await library.folders(), for: visit) }
            return changes.ledger.found(try await library.folders(in: path, trust: visit.identity.trust), for: visit)
        }
        commands.ask(Commands.FolderSet.self) { command, visit async throws(SourceFault) in
            await done(try await library.setFolder(command, trust: visit.identity.trust), visit)
        }
        commands.ask(Commands.Scan.self) { command, visit async throws(SourceFault) in
            await done(try await library.scan(isFull: command.isFull), visit)
        }
        commands.on(Commands.Picture.self, picture)
        commands.tellEndsOfLanes(to: self)
    }

    /// Drops the searches of a closed connection.
    func laneEnded(_ lane: Int) { sources.searches.leave(lane) }

    private func search(_ command: Commands.Search, _ visit: Visit) async throws(SourceFault) -> Answer {
        var list = try await sources.search(command, pageBytes: visit.context.pageBytes, by: visit.caller)
        list.rows = await shown(list.rows, visit)
        if command.isAvailable { await library.keepAvailable(in: &list) }
        return changes.ledger.found(list, for: visit)
    }

    private func browse(_ command: Commands.Browse, _ visit: Visit) async throws(SourceFault) -> Answer {
        var list = try await browse(command.node, sortedBy: command.sort, page: command.page, for: visit)
        if let node = command.node, !command.isUnfolded { sources.fold(&list, of: node) }
        list.rows = await shown(list.rows, visit)
        if command.isAvailable { await library.keepAvailable(in: &list) }
        return changes.ledger.found(list, for: visit)
    }

    /// The answer. Clients see the change before it.
    private func done(_ isNew: Bool, _ visit: Visit) async -> Answer {
        await library.show()
        return changes.done(isNew, for: visit)
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
        return changes.ledger.found(answer, for: visit)
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
        return changes.ledger.found(list, for: visit)
    }

    // MARK: Pictures

    private func picture(_ command: Commands.Picture, _ visit: Visit) throws(ProtocolFault) -> Handling {
        guard let pictures = visit.context.pictures else {
            throw ProtocolFault(
                .unsupported, "Whoever understands frames of pictures says the cap art in hello; others get /art.", at: "/m")
        }
        return .working(for: visit) { () async throws(ProtocolFault) in
            let picture = try await ProtocolFault.translating { () async throws(SourceFault) in
                try await library.picture(
                    command.id, width: command.width, height: command.height, format: command.format == .png ? .png : .jpeg,
                    mostBytes: pictures.mostBytes)
            }
            return Answer(changes.ledger.done(true, for: visit).reply, picture: picture)
        }
    }
}
