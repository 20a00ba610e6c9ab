import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// Questions to sources, and changes to the hub's data on items. They wait for a source or a disk, so they run off the loop.
@Loop
struct LibraryCommands: LaneObserver {
    let sources: Sources
    let library: LibraryService
    let ports: Ports
    let media: MediaPasses
    let changes: RoomChanges
    let clock: HubClock

    func install(in commands: CommandTable) {
        commands.find(Commands.Search.self, with: changes.ledger, search)
        commands.find(Commands.Browse.self, with: changes.ledger, browse)
        commands.find(Commands.Item.self, with: changes.ledger, item)
        commands.find(Commands.PlayedHistory.self, with: changes.ledger, history)
        /// Registers a command that changes what the library shows. Clients see the change before the answer.
        func change<Command: CommandRequest>(
            _ command: Command.Type, _ change: @escaping @Loop (Command, AcceptedCommand) async throws(SourceFault) -> Bool
        ) {
            commands.ask(command) { command, accepted async throws(SourceFault) in
                let isNew = try await change(command, accepted)
                await library.show()
                return changes.done(isNew, for: accepted)
            }
        }
        change(Commands.FavouriteSet.self) { command, accepted async throws(SourceFault) in
            if !accepted.identity.person.isUser { try await ports.stations?.star(command.uri, command.isOn) }
            return try await library.mark(command.uri, .favourite(command.uri, command.isOn), by: accepted.identity)
        }
        change(Commands.RatingSet.self) { command, accepted async throws(SourceFault) in
            try await library.mark(command.uri, .stars(command.uri, command.stars), by: accepted.identity)
        }
        change(Commands.Split.self) { command, _ async throws(SourceFault) in
            try await library.set(FoldSplit(command.uri, command.from), command.isOn)
        }
        change(Commands.FolderSet.self) { command, accepted async throws(SourceFault) in
            try await library.setFolder(command, trust: accepted.identity.trust)
        }
        change(Commands.Scan.self) { command, _ async throws(SourceFault) in try await library.scan(isFull: command.isFull) }
        commands.find(Commands.Folders.self, with: changes.ledger) { command, accepted async throws(SourceFault) in
            guard let path = command.path else { return try await library.folders() }
            return try await library.folders(in: path, trust: accepted.identity.trust)
        }
        commands.on(Commands.Picture.self, picture)
        commands.tellEndsOfLanes(to: self)
    }

    /// Drops the searches of a closed connection.
    func laneEnded(_ lane: Int) { sources.searches.leave(lane) }

    private func search(_ command: Commands.Search, _ accepted: AcceptedCommand) async throws(SourceFault) -> ItemList {
        var list = try await sources.search(command, pageBytes: accepted.context.pageBytes, by: accepted.caller)
        list.rows = await shown(list.rows, accepted)
        if command.isAvailable { await library.keepAvailable(in: &list) }
        return list
    }

    private func browse(_ command: Commands.Browse, _ accepted: AcceptedCommand) async throws(SourceFault) -> ItemList {
        var list = try await browse(command.node, sortedBy: command.sort, page: command.page, for: accepted)
        if let node = command.node, !command.isUnfolded { sources.fold(&list, of: node) }
        list.rows = await shown(list.rows, accepted)
        if command.isAvailable { await library.keepAvailable(in: &list) }
        return list
    }

    // MARK: One item

    private func item(_ command: Commands.Item, _ accepted: AcceptedCommand) async throws(SourceFault) -> ItemAnswer {
        let (uri, media) = (command.uri, command.media)
        let heard = media ? heardSoon(uri, in: accepted.live.room) : nil
        var details = try await sources.details(of: uri, trust: max(accepted.identity.trust, heard?.trust ?? .itemsOnly))
        details.row = await library.marked([details.row], for: accepted.identity.person)[0]
        if accepted.identity.trust < .musicFolders { details.path = nil }
        var answer = ItemAnswer(details)
        if command.lyrics { answer.lyrics = try await sources.lyrics(of: uri) }
        if media, !details.row.tags.kind.isContainer, let trust = accepted.identity.role >= .remote ? accepted.identity.trust : heard?.trust
        {
            func pass(_ uri: ItemURI) -> MediaLink {
                self.media.give(uri, trust: min(trust, .ownMachine), to: accepted.identity.device, at: clock.now)
            }
            answer.media = pass(details.row.uri)
            answer.files = details.files.map { .init(name: $0, media: pass(ItemURI("\(details.row.uri.text)/\($0)"))) }
        }
        return answer
    }

    /// The room's current or next entry with this item. Guests and listeners may hear it too, since a client with the
    /// permission has added it.
    private func heardSoon(_ uri: ItemURI, in room: Room) -> QueueEntry? {
        [room.currentEntry, room.upcoming].lazy.compactMap { $0 }.first { $0.uri == uri }
    }

    /// The rows as this person sees them.
    private func shown(_ rows: [ItemRow], _ accepted: AcceptedCommand) async -> [ItemRow] {
        let person = accepted.identity.person
        return await library.marked(library.visible(rows, to: person), for: person)
    }

    private func history(_ command: Commands.PlayedHistory, _ accepted: AcceptedCommand) async throws(SourceFault) -> PlayedList {
        let window = PageWindow(from: command.from, limit: command.limit)
        let person = accepted.identity.person
        let played =
            person.isUser
            ? try await library.lookAtPersons { persons throws(SourceFault) in try persons.history(of: person, window) }
            : try await library.look { userMarks throws(SourceFault) in try userMarks.history(window) }
        let rows = await library.marked(played.map(\.row), for: person)
        return PlayedList(zip(played, rows).map { PlayedItem(item: $1, room: $0.room, atMs: $0.atMs, askedBy: $0.askedBy) })
    }

    // MARK: Pictures

    private func picture(_ command: Commands.Picture, _ accepted: AcceptedCommand) throws(ProtocolFault) -> Handling {
        guard let pictures = accepted.context.pictures else {
            throw ProtocolFault(
                .unsupported, "Whoever understands frames of pictures says the cap art in hello; others get /art.", at: "/m")
        }
        return .working(for: accepted) { () async throws(ProtocolFault) in
            let picture = try await ProtocolFault.translating { () async throws(SourceFault) in
                try await library.picture(
                    command.id, width: command.width, height: command.height, format: command.format == .png ? .png : .jpeg,
                    mostBytes: pictures.mostBytes)
            }
            return Answer(changes.ledger.done(true, for: accepted).reply, picture: picture)
        }
    }
}
