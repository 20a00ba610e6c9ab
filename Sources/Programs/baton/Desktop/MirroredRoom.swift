import BatonClient
import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import DesktopBus
import EventLoop
import Glibc
import MPRIS

/// A room of a hub behind a player of this desktop.
///
/// The presses of programs are sent with keys and guards, several at once if they are quick. While the hub is away the player leaves the bus.
@Loop
final class MirroredRoom: PlayerHost {
    struct Parts: Sendable {
        let bus: SessionBus
        let loop: EventLoop
        let endpoint: Endpoint
        /// Stores a picture as a file. It blocks.
        let storePicture: @Sendable (_ id: String, _ bytes: [UInt8]) -> String?
        /// Ends the whole mirror.
        let end: AsyncStream<Void>.Continuation
    }

    private struct Pressed: Sendable {
        let press: PlayerPress
        let answer: @Loop @Sendable (BusFault?) -> Void
    }

    private let room: RoomID
    private let hub: ReconnectingHub
    private let parts: Parts
    private let art: DesktopArt
    private let presses: AsyncStream<Pressed>
    private let press: AsyncStream<Pressed>.Continuation
    private let questions: AsyncStream<@Loop @Sendable (Result<[PlaylistRow], BusFault>) -> Void>
    private let ask: AsyncStream<@Loop @Sendable (Result<[PlaylistRow], BusFault>) -> Void>.Continuation
    /// The first of the rows that are read next; the newest wish wins.
    private let rowWishes: AsyncStream<Int>
    private let rowWish: AsyncStream<Int>.Continuation
    private lazy var player = MPRISPlayer(PlayerView(room: room, name: room.text), host: self)
    private var isOpen = false
    private var rows: [QueueRow] = []
    private var rowsOf: (revision: Int, index: Int?)?
    private var role: Role?
    private var shownRevision = 0
    /// The hub's clock less this machine's.
    private var clockOffsetUs: Microseconds = 0
    private var absence: (any Alarm)?

    /// Time without a hub after which the player vanishes; a restart of the hub is shorter.
    private static let patience = Duration.seconds(5)
    /// Presses that may wait for the hub.
    private static let mostWaiting = 32

    /// Shows the room until it is deleted.
    static func mirror(_ room: RoomID, of hub: ReconnectingHub, _ parts: Parts) async throws {
        let mirrored = MirroredRoom(room, of: hub, parts)
        defer { mirrored.close() }
        try await mirrored.run()
    }

    private init(_ room: RoomID, of hub: ReconnectingHub, _ parts: Parts) {
        self.room = room
        self.hub = hub
        self.parts = parts
        (presses, press) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.mostWaiting))
        (questions, ask) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.mostWaiting))
        (rowWishes, rowWish) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        art = DesktopArt(pool: parts.loop.blockingPool, store: parts.storePicture) { id in
            try? await hub.picture(id, width: DesktopArt.side, format: .jpeg)
        }
    }

    private func close() {
        absence?.cancel()
        art.close()
        player.close()
    }

    private func run() async throws {
        let changes = await hub.changes()
        await show(try await hub.state())
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.follow(changes) }
            group.addTask { await self.carryOutPresses() }
            group.addTask { await self.answerQuestions() }
            group.addTask { await self.readRows() }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    // MARK: State

    private func follow(_ changes: AsyncStream<ReconnectingHub.Change>) async throws {
        for await change in changes {
            switch change {
            case .hub(.state(let mirror)):
                // The hub moves those who follow a deleted room to another one.
                guard mirror.room == room else { return }
                await show(mirror)
            case .away: becomeAbsent()
            case .hub: break
            }
        }
        _ = try await hub.live()
    }

    private func becomeAbsent() {
        // Another life of the hub may count anew.
        (role, shownRevision) = (nil, 0)
        absence =
            absence
            ?? parts.loop.after(Self.patience) { [weak self] in
                self?.player.close()
                self?.isOpen = false
            }
    }

    private func show(_ mirror: Mirror) async {
        absence?.cancel()
        absence = nil
        let localUs = Clock.nowUs()
        if let moment = await hub.hubMoment(of: localUs) { clockOffsetUs = moment.us - localUs }
        if role == nil { role = try? await hub.live().welcome.role }
        // A newer state may have been shown meanwhile.
        guard mirror.room == room, mirror.revision >= shownRevision else { return }
        shownRevision = mirror.revision
        wishRows(for: mirror.queue)
        player.show(view(of: mirror))
        guard !isOpen else { return }
        isOpen = true
        // A hub on this desktop may show the room itself, and one player is enough then.
        let names = PlayerNames.buses(of: room, process: getpid())
        player.open(on: parts.bus, as: Array(names.prefix(parts.endpoint.isLocal ? 1 : names.count)))
    }

    private func view(of mirror: Mirror) -> PlayerView {
        var view = PlayerView(room: room, name: mirror.rooms?.rooms.first { $0.id == room }?.name ?? player.view.name)
        (view.now, view.timeline, view.volume) = (mirror.now, mirror.timeline, mirror.volume)
        (view.queue, view.playlists) = (mirror.queue, mirror.playlists)
        view.modes = mirror.modes?.modes ?? view.modes
        view.sources = (mirror.sources?.sources.map(\.name) ?? []) + ItemURI.usualSources.sorted()
        view.tracks = rows
        view.abilities = PlayerView.Abilities(
            raises: true, quits: true, opensFiles: parts.endpoint.isLocal, controls: (role ?? .remote) >= .remote)
        if let id = mirror.now?.tags.art?.id {
            view.art[id] = art.url(of: id) { [weak self] in self?.showPicture(of: id) }
        }
        return view
    }

    private func showPicture(of id: String) {
        var view = player.view
        guard view.now?.tags.art?.id == id else { return }
        view.art[id] = art.url(of: id) {}
        player.show(view)
    }

    // MARK: Rows

    private func wishRows(for queue: QueueSection?) {
        guard let queue else { return rows = [] }
        guard rowsOf?.revision != queue.revision || rowsOf?.index != queue.index else { return }
        rowsOf = (queue.revision, queue.index)
        rowWish.yield(PlayerView.firstTrack(around: queue.index))
    }

    private func readRows() async {
        for await first in rowWishes {
            guard let page = try? await hub.ask(Commands.QueueWindow(from: first, count: PlayerView.mostTracks)) else {
                // It is read again with the next change.
                rowsOf = nil
                continue
            }
            rows = page.rows
            var view = player.view
            view.tracks = rows
            player.show(view)
        }
    }

    // MARK: Presses

    var nowUs: Microseconds { Clock.nowUs() + clockOffsetUs }

    func take(_ press: PlayerPress, named name: String, from caller: BusCaller, answer: @escaping @Loop (BusFault?) -> Void) {
        guard caller.uid == getuid() || caller.uid == 0 else {
            return answer(.accessDenied("Only programs of the user whose mirror this is may do this."))
        }
        if case .enqueued = self.press.yield(Pressed(press: press, answer: answer)) { return }
        answer(.limitsExceeded("Too many presses wait for the hub."))
    }

    /// Quick presses are sent without waiting for each other, as `ReconnectingHub.next` wants it.
    private func carryOutPresses() async {
        await withDiscardingTaskGroup { group in
            for await pressed in presses {
                group.addTask { await self.carryOut(pressed) }
            }
        }
    }

    private func carryOut(_ pressed: Pressed) async {
        do {
            try await carryOut(pressed.press)
            // The press has led to this, which programs learn before they have their answer.
            await show(await hub.mirror)
            pressed.answer(nil)
        } catch {
            pressed.answer(Self.fault(for: error))
        }
    }

    private func carryOut(_ press: PlayerPress) async throws {
        switch press {
        case .command(is Commands.Next): try await hub.next()
        case .command(let command): try await send(command)
        case .add(let uri, let place, let plays):
            let answered = try await hub.send(Commands.QueueAdd([uri], place: place))
            if plays, let entry = answered.reply.queue?.ids?.first { try await hub.send(Commands.Jump(entry)) }
        case .raise: try await PageOpener.open(hub)
        case .quit: parts.end.yield()
        case .nothing, .listPlaylists: break
        }
    }

    private func send(_ command: some WireCommand) async throws { try await hub.send(command) }

    private static func fault(for error: any Error) -> BusFault {
        switch error {
        case let error as WireError where error.known == .forbidden: .accessDenied(error.message)
        case let error as WireError where error.known == .rateLimited: .limitsExceeded(error.message)
        case is MissingProfile: .notSupported(Satellite.stop(for: error).sentence)
        default: .failed(Satellite.stop(for: error).sentence)
        }
    }

    func playlists(most: Int, from caller: BusCaller?, answer: @escaping @Loop (Result<[PlaylistRow], BusFault>) -> Void) {
        if case .enqueued = ask.yield(answer) { return }
        answer(.failure(.limitsExceeded("Too many questions wait for the hub.")))
    }

    private func answerQuestions() async {
        for await answer in questions {
            do { answer(.success(try await hub.playlists().rows)) } catch { answer(.failure(Self.fault(for: error))) }
        }
    }

    func left(_ caller: BusCaller) {}
    func connectionChanged(to state: BusState) {}
}
