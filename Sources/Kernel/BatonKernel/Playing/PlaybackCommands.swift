package import BatonCore
package import BatonProtocol
package import BatonSeams

/// Commands to one room: for its player, its queue and its modes.
@Loop
package final class PlaybackCommands {
    private let rooms: RoomList
    private let changes: RoomChanges
    private let arranging: RoomCommands
    private let items: ItemExpansion
    private let ports: Ports
    private let kept: StoredAnswers
    private let settling: Settling
    private let guests: GuestRules
    private let queueLength: Int
    /// The part that knows what `play` starts in an empty room; `nil` if the program has none.
    package weak var welcomeMusic: (any WelcomeMusic)?

    init(
        rooms: RoomList, changes: RoomChanges, arranging: RoomCommands, items: ItemExpansion, ports: Ports,
        settling: Settling, guests: GuestRules, limits: WireLimits
    ) {
        self.rooms = rooms
        self.changes = changes
        self.arranging = arranging
        self.items = items
        self.ports = ports
        self.settling = settling
        self.guests = guests
        kept = StoredAnswers(ledger: changes.ledger)
        queueLength = limits.queueLength
    }

    func install(in commands: CommandTable) {
        for decided in DecidedCommand.all {
            commands.on(decided.kind) { [self] command, accepted throws(ProtocolFault) in try handle(decided.decision(command), accepted) }
        }
        commands.on(Commands.Play.self) { [self] command, accepted throws(ProtocolFault) in
            guard let uri = command.uri else { return try handle(command.decision, accepted) }
            return play(uri, from: .uri, index: command.index ?? 0, positionMs: command.positionMs ?? 0, accepted)
        }
        commands.on(Commands.QueueAdd.self, add)
        commands.on(Commands.QueueReplace.self, replace)
    }

    private func handle(_ command: Command, _ accepted: AcceptedCommand) throws(ProtocolFault) -> Handling {
        changes.noteHalt(command, accepted)
        switch command {
        case .play(entry: nil, positionMs: let position) where accepted.live.room.queue.isEmpty:
            guard settling.isDone else {
                return settling.working(accepted.id) { [self] () async throws(ProtocolFault) in
                    try await handle(command, accepted).finished()
                }
            }
            // `play` in an empty room plays the welcome music.
            guard let music = welcomeMusic?.welcome else { return .answered(try apply(.play(positionMs: position), accepted)) }
            return fetching([music], from: .none, for: accepted, trust: .musicFolders) {
                .replace(base: nil, with: $0, start: 0, positionMs: 0, play: true)
            }
        case .next(from: let from, count: _) where isLastStation(accepted.live.room.queue, from):
            guard let station = accepted.live.room.currentEntry, let preset = ports.stations?.preset(after: station.uri) else {
                return .answered(try apply(command, accepted))
            }
            return fetching([preset], from: .none, for: accepted, trust: .itemsOnly) {
                .replace(base: nil, with: $0, start: 0, positionMs: 0, play: true)
            }
        case .rewind(let entry, to: .title(let number)):
            return settling.working(accepted.id) { [self] () async throws(ProtocolFault) in
                try await goBack(toTitle: number, entry, accepted)
            }
        case .setModes(let change) where change.unfinished?.filler != nil:
            return settling.working(accepted.id) { [self] () async throws(ProtocolFault) in
                if let filler = change.unfinished?.filler {
                    _ = try await items.items(of: [filler], trust: .itemsOnly, most: queueLength, in: "queue") { _ in "/p/filler" }
                }
                return try apply(command, accepted)
            }
        case .undo:
            if let sender = accepted.live.room.sender, let source = rooms[sender], source !== accepted.live,
                source.isThere(for: accepted.identity)
            {
                return .answered(try arranging.takeMoveBack(accepted, from: source))
            }
            return .answered(try apply(.undo, accepted))
        default: return .answered(try apply(command, accepted))
        }
    }

    private func goBack(toTitle number: Int, _ entry: EntryID?, _ accepted: AcceptedCommand) async throws(ProtocolFault) -> Answer {
        let current = accepted.live.room.queue.current
        guard let stations = ports.stations else { throw ProtocolFault(.unsupported, "This hub has no stations.") }
        let target = try await ProtocolFault.translating { () async throws(SourceFault) in
            try await stations.target(ofTitle: number, accepted)
        }
        // The title belongs to the station that was current when the source was asked.
        return try apply(.rewind(entry: entry ?? current, to: target), accepted)
    }

    /// True when a station plays at the end of the queue, so that the next entry is the next preset.
    private func isLastStation(_ queue: PlaybackQueue, _ from: EntryID?) -> Bool {
        guard let current = queue.currentEntry, current.tags.kind == .station, queue.entry(ahead: 1, wrapping: false) == nil else {
            return false
        }
        return from == nil || from == current.id
    }

    // MARK: Entries from sources

    /// Replaces the queue by the entries of an item and starts at one of them, after its source was asked.
    package func play(
        _ uri: ItemURI, from parameter: ItemParameter, index: Int, positionMs: Milliseconds, _ accepted: AcceptedCommand
    ) -> Handling {
        fetching([uri], from: parameter, for: accepted) { .replace(base: nil, with: $0, start: index, positionMs: positionMs, play: true) }
    }

    private func add(_ command: Commands.QueueAdd, _ accepted: AcceptedCommand) -> Handling {
        fetching(command.uris, from: .uris, for: accepted) { [self] in .add(shared($0, by: accepted), at: command.place) }
    }

    /// The entries, counted for a guest who adds them.
    private func shared(_ items: [NewEntry], by accepted: AcceptedCommand) -> [NewEntry] {
        var items = items
        for index in items.indices { items[index].share = accepted.identity.share }
        return items
    }

    private func replace(_ command: Commands.QueueReplace, _ accepted: AcceptedCommand) -> Handling {
        let play = accepted.live.isPlaying
        return fetching(command.uris, from: .uris, for: accepted) {
            .replace(base: command.base, with: $0, start: command.start, positionMs: command.positionMs, play: play)
        }
    }

    private func fetching(
        _ uris: [ItemURI], from parameter: ItemParameter, for accepted: AcceptedCommand, trust: Trust? = nil,
        command: @escaping @Loop ([NewEntry]) -> Command
    ) -> Handling {
        .working(for: accepted) { [self] () async throws(ProtocolFault) in
            let items = try await items.entries(of: uris, from: parameter, for: accepted, trust: trust, most: queueLength)
            if let known = try kept.answer(to: accepted) { return known }
            let change = command(items)
            try checkLength(after: change, accepted.live.room.queue)
            return try apply(change, accepted)
        }
    }

    /// Replaces the queue with these items and plays them, unless the same command was answered meanwhile.
    package func begin(_ items: [NewEntry], start: Int, positionMs: Milliseconds, _ accepted: AcceptedCommand) throws(ProtocolFault)
        -> Answer
    {
        if let known = try kept.answer(to: accepted) { return known }
        guard items.count <= queueLength else { throw .queueFull(queueLength) }
        return try apply(.replace(base: nil, with: items, start: start, positionMs: positionMs, play: true), accepted)
    }

    /// Adds these, unless the same press was answered by now; `data` is a part of the answer.
    package func add(_ items: [NewEntry], at place: InsertionPoint, answering data: any ReplyContent, _ accepted: AcceptedCommand)
        throws(ProtocolFault)
        -> Answer
    {
        let command = Command.add(shared(items, by: accepted), at: place)
        try checkLength(after: command, accepted.live.room.queue)
        return try apply(command, answering: data, accepted)
    }

    /// Throws when the queue would be longer than the owner allows, which may be less than the core's limit.
    private func checkLength(after command: Command, _ queue: PlaybackQueue) throws(ProtocolFault) {
        guard case .add(let new, _) = command, queue.count + new.count > queueLength else { return }
        throw .queueFull(queueLength)
    }

    private func apply(_ command: Command, answering data: (any ReplyContent)? = nil, _ accepted: AcceptedCommand) throws(ProtocolFault)
        -> Answer
    {
        let (author, share) = (accepted.identity.author, accepted.identity.share)
        let halt = command.beginsToPlay ? accepted.laterHalt(in: accepted.live) : nil
        return try changes.change(accepted.live, for: accepted.id, under: accepted.key, answering: data) {
            room, numbers, now throws(Refusal) in
            if case .add(let items, _) = command, let share { try guests.checkShare(share, adding: items.count, in: room) }
            return try room.apply(command, before: halt, by: author, at: now, numbers: &numbers)
        }
    }
}

extension Command {
    /// Whether it may set a silent room playing.
    fileprivate var beginsToPlay: Bool {
        switch self {
        case .play, .jump: true
        case .replace(_, _, _, _, let play): play
        default: false
        }
    }
}
