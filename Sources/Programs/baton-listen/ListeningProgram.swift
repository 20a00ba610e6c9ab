import BatonClient
import BatonCore
import BatonProtocol
import BatonSeams
import Crypto
import EventLoop
import Glibc
import Player
import WebClient

/// The program from its start to its end: the connection to the hub, what is fetched, and the room's player.
@Loop
final class ListeningProgram {
    nonisolated static let signals = [SIGINT, SIGTERM]
    private static let reportPause = Duration.seconds(1)
    /// After a change the line is asked for sooner, since the one that all are shown is less exact.
    private static let soonPause = Duration.milliseconds(250)
    private static let soonCount = 6
    /// Addresses are good for ten minutes.
    private static let renewUs: Int64 = 240_000_000
    /// An entry that could not be had is asked for again after so long.
    private static let againUs: Int64 = 5_000_000

    private let start: ListenerStart
    private let loop: EventLoop
    private let listener: RoomListener
    private var volume: VolumeRail
    private var items: [EntryID: HeldItem] = [:]
    private var fetching: [EntryID: Task<Void, Never>] = [:]
    private var refused: [EntryID: String] = [:]
    private var askedFor: [EntryID] = []
    private var askedUs: Int64 = 0
    private var soon = soonCount
    private var shown: String?

    init(_ start: ListenerStart, _ loop: EventLoop) {
        self.start = start
        self.loop = loop
        volume = VolumeRail(level: start.level)
        listener = RoomListener(loop, output: AudioChoice(text: start.output) ?? .auto, offsetMs: start.offsetMs) { Terminal.say($0) }
        listener.player.setGain(volume.gain)
    }

    /// Returns the exit code: at a signal, at `q`, or when the hub is given up.
    func run() async -> Int32 {
        listener.run()
        let interrupts = loop.signals(Self.signals)
        let code = await withTaskGroup(of: Int32.self) { group in
            group.addTask { await self.listen() }
            group.addTask {
                for await _ in interrupts { break }
                return 0
            }
            group.addTask { await self.obeyKeys() }
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
            try await SteadyHub.withHub(plan, over: SocketTransport(loop: loop), manner, nowUs: Self.nowUs) { hub in
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
            Terminal.complain((error as? ConnectFault)?.sentence ?? (error as? WireError)?.message ?? "\(error)")
            return 1
        }
    }

    @Sendable nonisolated private static func nowUs() -> Int64 { Clock.system.nowUs }

    private var manner: SteadyHub.Manner {
        var manner = SteadyHub.Manner.lasting
        // It asks by itself, more often.
        manner.keepsClock = false
        manner.ttlMs = 5000
        return manner
    }

    private var credential: Credential? { start.device.map { Credential(device: $0.id, key: $0.key, cryptography: OpenSSL()) } }

    private var plan: HubConnection.Plan {
        let client = Hello.Client(
            id: start.client, run: Keys.random(length: 6), name: start.name, app: "baton-listen/\(HubIdentity.version)")
        var plan = HubConnection.Plan(
            endpoint: start.hub, hello: Hello(profile: .full, client: client, rooms: start.room.map { [$0] } ?? []))
        plan.credential = credential
        plan.hello.user = start.user
        return plan
    }

    // MARK: The hub

    private func followState(of hub: SteadyHub) async {
        for await change in await hub.changes() {
            switch change {
            case .hub(.state(let mirror)):
                // The hub leads to another room then, whose music was not asked for.
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
        listener.take(timeline, lengthMs: mirror.now?.tags.durationMs, next: mirror.queue?.next)
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

    private func followClock(of hub: SteadyHub) async throws {
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

    /// Says how it goes, and asks where the room is heard.
    private func report(to hub: SteadyHub) async throws {
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
                if error.code == "unsupported" || error.code == "forbidden" { throw error }
            } catch is ConnectFault {
                // The hub is away; the connection is made again meanwhile.
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
        // A hub that has started anew knows none of the addresses that it gave before.
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
            let held = try await HeldItem.open(path, of: .init(hub: start.hub, loop: loop, credential: credential))
            items[item.entry] = held
            fetching[item.entry] = Task { await held.fetch() }
            var playables = listener.playables
            playables[item.entry] = Playable(.bytes(NamedBytes("sound", held)), startMs: item.startMs, endMs: item.endMs)
            listener.take(playables.filter { items[$0.key] != nil })
        } catch {
            Terminal.complain(error.sentence)
        }
    }

    /// How much sound of the entries is here.
    private func heldMs(_ mirror: Mirror) async -> Int? {
        guard let entry = mirror.now?.entry, let held = items[entry], let lengthMs = mirror.now?.tags.durationMs else { return nil }
        return min(max(Int(await held.heldPart * Double(lengthMs)), 0), ListenerReport.buffers.upperBound)
    }

    // MARK: Keys

    /// `+` and `-` change the volume, `m` mutes, `q` ends.
    private func obeyKeys() async -> Int32 {
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
        // A service has no keys: it goes on until a signal.
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) }
        return 0
    }
}
