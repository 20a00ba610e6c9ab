import BatonClient
import BatonCore
import BatonProtocol
import BatonSeams
import Crypto
import EventLoop
import Glibc
import Player
import WebClient

/// The whole program: the connection to the hub, downloads, and the room's player.
@Loop
final class ListeningProgram {
    nonisolated static let signals = [SIGINT, SIGTERM]
    private static let reportPause = Duration.seconds(1)
    /// Shorter interval after a change, because the published timeline is less exact than the one in the hub's answers.
    private static let soonPause = Duration.milliseconds(250)
    private static let soonCount = 6
    /// Interval for renewing addresses, which expire after ten minutes.
    private static let renewUs: Microseconds = 240_000_000
    /// Interval for asking again about an unavailable entry.
    private static let againUs: Microseconds = 5_000_000

    private let start: ListenerStart
    private let loop: EventLoop
    private let listener: RoomListener
    private var volume: VolumeRail
    private var items: [EntryID: DownloadedItem] = [:]
    private var fetching: [EntryID: Task<Void, Never>] = [:]
    private var refused: [EntryID: String] = [:]
    private var askedFor: [EntryID] = []
    private var askedUs: Microseconds = 0
    private var soon = soonCount
    private var shown: String?

    init(_ start: ListenerStart, _ loop: EventLoop) {
        self.start = start
        self.loop = loop
        volume = VolumeRail(level: start.level)
        listener = RoomListener(loop, output: AudioChoice(text: start.output) ?? .auto, offsetMs: start.offsetMs) { Terminal.say($0) }
        listener.player.setGain(volume.gain)
    }

    /// Runs until a signal, the key `q` or the loss of the hub; returns the exit code.
    func run() async -> Int32 {
        listener.run()
        let interrupts = loop.signals(Self.signals)
        let code = await withTaskGroup(of: Int32.self) { group in
            group.addTask { await self.listen() }
            group.addTask {
                for await _ in interrupts { break }
                return 0
            }
            group.addTask { await self.handleKeys() }
            let first = await group.next() ?? 0
            group.cancelAll()
            return first
        }
        for task in fetching.values { task.cancel() }
        for task in fetching.values { await task.value }
        await listener.close()
        return code
    }

    private func listen() async -> Int32 {
        do {
            try await ReconnectingHub.withHub(plan, over: SocketTransport(loop: loop), settings: settings, nowUs: Self.nowUs) { hub in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { await self.followState(of: hub) }
                    group.addTask { try await self.followClock(of: hub) }
                    group.addTask { try await self.report(to: hub) }
                    try await group.next()
                    group.cancelAll()
                }
            }
            return 0
        } catch {
            switch error {
            case let fault as ConnectFault: Terminal.complain(fault.sentence)
            case let error as WireError: Terminal.complain(error.message)
            case is MissingProfile: Terminal.complain("This hub cannot be listened to on other devices.")
            default: Terminal.complain("\(error)")
            }
            return 1
        }
    }

    @Sendable nonisolated private static func nowUs() -> Microseconds { Clock.system.nowUs }

    private var settings: ReconnectingHub.Settings {
        var settings = ReconnectingHub.Settings.lasting
        // `HubTime` estimates the clock with more exchanges.
        settings.keepsClock = false
        settings.ttlMs = 5000
        return settings
    }

    private var credential: Credential? { start.device.map { Credential(device: $0.id, key: $0.key, cryptography: OpenSSL()) } }

    private var plan: HubConnection.Plan {
        let client = Hello.Client(
            id: start.client, run: Keys.random(length: 6), name: start.name, app: "baton-listen/\(HubIdentity.version)")
        var plan = HubConnection.Plan(
            endpoint: start.hub, hello: Hello(view: StateView.full.rawValue, client: client, rooms: start.room.map { [$0] } ?? []))
        plan.credential = credential
        plan.hello.user = start.user
        return plan
    }

    // MARK: The hub

    private func followState(of hub: ReconnectingHub) async {
        for await change in await hub.changes() {
            switch change {
            case .hub(.state(let mirror)):
                // The hub falls back to another room, whose music this device was not asked to play.
                if let room = start.room, room.isPrivate, mirror.room != room {
                    return Terminal.complain("What was played only here is over: the room was ended, or the hub has started anew.")
                }
                take(mirror)
            case .away: Terminal.say("The hub is away. What is held is played on.")
            default: break
            }
        }
    }

    private func take(_ mirror: Mirror) {
        let timeline = mirror.timeline
        // With single, the room stops behind this entry or plays it again.
        let isSingle = mirror.modes.map { $0.modes.single != .off } ?? false
        listener.take(timeline, lengthMs: mirror.now?.tags.durationMs, next: isSingle ? nil : mirror.queue?.next)
        if let gain = mirror.modes?.modes.gain {
            let measure: Levelling.Measure = gain == .album ? .album : gain == .off ? .none : .track
            listener.player.setLevelling(Levelling(by: measure, preampDb: mirror.modes?.modes.preampDb ?? 0))
        }
        soon = Self.soonCount
        guard let now = mirror.now, now.tags.title != shown else { return }
        shown = now.tags.title
        Terminal.say(now.tags.title)
        if let rate = timeline?.rate, rate != 0, rate != 1000 {
            Terminal.say("It is played at another speed, which this device does not follow.")
        }
    }

    private func followClock(of hub: ReconnectingHub) async throws {
        let listener = listener
        while true {
            let connection = try await hub.live()
            do {
                try await HubTime.follow(connection, nowUs: Self.nowUs) { exchange in listener.take(exchange) }
            } catch let fault as ConnectFault {
                if Task.isCancelled { throw fault }
            }
        }
    }

    /// Reports the playback state, and receives the timeline measured at the room's output.
    private func report(to hub: ReconnectingHub) async throws {
        while true {
            let media = await needsMedia(hub.mirror)
            let report = ListenerReport(
                driftUs: listener.driftUs, delayMs: start.offsetMs, bufferMs: await heldMs(await hub.mirror), starts: listener.starts)
            do {
                let answer = try await hub.ask(
                    Commands.ListenHere(media: media, quality: start.quality, report: report), room: await hub.mirror.room)
                if let line = answer.line { listener.take(line) }
                if let items = answer.items { await take(items) }
            } catch let error as WireError {
                if error.known == .forbidden { throw error }
            } catch is ConnectFault {
                // The hub is away and the client reconnects.
                try Task.checkCancellation()
            }
            soon = max(0, soon - 1)
            try await Task.sleep(for: soon > 0 ? Self.soonPause : Self.reportPause)
        }
    }

    // MARK: Items

    private func needsMedia(_ mirror: Mirror) async -> Bool {
        let wanted = [mirror.now?.entry, mirror.queue?.next].compactMap { $0 }
        guard !wanted.isEmpty else { return false }
        var isMissing = wanted.contains { items[$0] == nil && refused[$0] == nil }
        // After a restart, the hub's earlier addresses are invalid.
        for held in wanted.compactMap({ items[$0] }) where await held.isAddressGone { isMissing = true }
        guard wanted != askedFor || loop.nowUs - askedUs > (isMissing ? Self.againUs : Self.renewUs) else { return false }
        askedFor = wanted
        askedUs = loop.nowUs
        return true
    }

    private func take(_ answer: [ListeningAnswer.Item]) async {
        let wanted = Set(answer.map(\.entry))
        for entry in fetching.keys where !wanted.contains(entry) { fetching.removeValue(forKey: entry)?.cancel() }
        items = items.filter { wanted.contains($0.key) || $0.key == listener.loaded }
        refused = refused.filter { wanted.contains($0.key) }
        for item in answer {
            guard let path = item.url else {
                if refused[item.entry] == nil { Terminal.say("Not in step: \(item.sentence ?? "the hub does not hand it out.")") }
                refused[item.entry] = item.sentence ?? ""
                continue
            }
            if let held = items[item.entry] {
                await held.move(to: path)
            } else {
                await hold(item, at: path)
            }
        }
    }

    private func hold(_ item: ListeningAnswer.Item, at path: String) async {
        do throws(SocketsError) {
            let held = try await DownloadedItem.open(path, of: .init(hub: start.hub, loop: loop, credential: credential))
            items[item.entry] = held
            fetching[item.entry] = Task { await held.fetch() }
            var playables = listener.playables
            playables[item.entry] = Playable(.bytes(NamedBytes("sound", held)), startMs: item.startMs, endMs: item.endMs)
            listener.take(playables.filter { items[$0.key] != nil })
        } catch {
            Terminal.complain(error.sentence)
        }
    }

    /// Duration of the downloaded sound of the current entry.
    private func heldMs(_ mirror: Mirror) async -> Milliseconds? {
        guard let entry = mirror.now?.entry, let held = items[entry], let lengthMs = mirror.now?.tags.durationMs else { return nil }
        return min(max(Milliseconds(await held.heldPart * Double(lengthMs)), 0), ListenerReport.buffers.upperBound)
    }

    // MARK: Keys

    /// Handles keys: `+` and `-` change the volume, `m` mutes, `q` quits.
    private func handleKeys() async -> Int32 {
        for await word in Keyboard.lines() {
            switch word {
            case "+": _ = volume.set(to: volume.level + 5)
            case "-": _ = volume.set(to: volume.level - 5)
            case "m": volume.muted.toggle()
            case "q": return 0
            default: continue
            }
            listener.player.setGain(volume.gain)
            Terminal.say(volume.muted ? "Muted." : "Volume \(volume.level).")
        }
        // A service has no keyboard and runs until a signal.
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) }
        return 0
    }
}
