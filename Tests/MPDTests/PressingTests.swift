import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import Harness
import Testing

@testable import BatonHub
@testable import BatonKernel
@testable import MPD
@testable import MPRIS

/// Programs of MPD, programs of a desktop and 30 companions press at once. Afterwards each program was answered, and all see what the hub has.
@Suite struct PressingTests {
    private static let seeds = seedRange(usually: 20)

    @Test func `programs and companions press at once, and all see the same afterwards`() async throws {
        try await onLoop {
            for seed in Self.seeds {
                let world = try PressingWorld(seed)
                await world.live(steps: 60)
                let problems = await world.checkRest()
                world.world.sim.kill()
                if !problems.isEmpty { Issue.record("BATON_SEED=\(seed): \(problems.joined(separator: "\n  "))") }
                await Task.yield()
            }
        }
    }

    @Test func `all who were told of the same song skip only that one`() async throws {
        try await onLoop {
            let world = try PressingWorld(1)
            await world.begin()
            let first = world.current
            for program in world.programs { program.send(line: "status") }
            for program in world.programs { program.send(line: "next") }
            for remote in world.remotes { _ = remote.send(Commands.Next(from: first), key: Token.random(length: 10)) }
            await world.pass(ms: 3_000)
            let played = await world.programs[0].peer.value("status", "song")
            #expect(played == "1")
        }
    }
}

/// A program that keeps the queue by its changes, as programs do.
@Loop
private final class Program {
    let peer: LinePeer
    private let time: VirtualTime
    private(set) var sent = 0
    private(set) var answered = 0
    private var version = "0"
    private(set) var songs: [String] = []

    init(_ peer: LinePeer, _ time: VirtualTime) {
        self.peer = peer
        self.time = time
        _ = peer.take()
    }

    func send(line: String) {
        sent += 1
        peer.send(line)
    }

    /// Waits until all lines are answered: what is asked then cannot take the answer of an earlier line for its own.
    func catchUp() async {
        _ = await time.until(within: .seconds(30)) {
            answered += peer.take().count { $0 == "OK" || $0.hasPrefix("ACK [") }
            return answered >= sent
        }
    }

    /// Takes over the changes since the last time.
    func follow() async {
        await catchUp()
        let changes = await peer.ask("plchangesposid \(version)")
        let status = await peer.ask("status")
        func value(_ name: String) -> String? { status.first { $0.hasPrefix("\(name): ") }.map { String($0.dropFirst(name.count + 2)) } }
        guard let length = value("playlistlength").flatMap({ Int($0) }) else { return }
        version = value("playlist") ?? version
        songs = Array(songs.prefix(length)) + Array(repeating: "", count: max(0, length - songs.count))
        for (place, id) in zip(changes, changes.dropFirst()) where place.hasPrefix("cpos: ") {
            if let place = Int(place.dropFirst(6)), songs.indices.contains(place) { songs[place] = String(id.dropFirst(4)) }
        }
    }
}

@Loop
private final class PressingWorld {
    let world: MPDWorld
    let programs: [Program]
    let remotes: [TestRemote]
    private let bus = MemoryBus()
    private let desktop: MPRIS
    /// Presses of programs of the desktop.
    private var calls = 0
    private let answers = Answers()
    private var random: SeededGenerator
    private static let room = RoomID("main")

    init(_ seed: UInt64) throws {
        let world = try MPDWorld(volume: VolumeRail(level: 30, ceiling: 60, startMax: 60), trackMs: 9_000)
        self.world = world
        random = SeededGenerator(seed)
        programs = (0..<6).map { number in
            Program(number < 3 ? world.connect() : world.connect(from: "unix \(number)"), world.sim.time)
        }
        desktop = MPRIS(
            world.sim.hub.ports,
            .init(bus: bus, uid: 1000, process: 99, wallMs: { 1_700_000_000_000 }, storePicture: { id, _ in "file:///art/\(id)" }))
        world.sim.hub.add(desktop)
        desktop.begin()
        remotes = try (0..<30).map { number in try world.sim.remote(id: "companion-\(number)") }
    }

    var current: EntryID? { world.sim.hub.rooms.first.room.currentEntry?.id }

    func pass(ms: Int) async {
        await world.sim.time.passQuietly(.milliseconds(ms))
        for remote in remotes { remote.becomeWritable() }
    }

    func begin() async {
        for path in ["a.flac", "b.flac", "c.flac", "folder", "a.flac", "b.flac"] { await programs[0].peer.ask("add \(path)") }
        await programs[0].peer.ask("play 0")
        await pass(ms: 2_000)
    }

    func live(steps: Int) async {
        await begin()
        for _ in 0..<steps {
            for _ in 0..<random.number(1..<6) { press() }
            if random.chance(10) { await random.one(of: programs).follow() }
            await pass(ms: random.chance(40) ? 0 : random.number(0..<900))
        }
    }

    private func press() {
        if random.chance(50) { return random.one(of: programs).send(line: line()) }
        if random.chance(30) { return call() }
        let remote = random.one(of: remotes)
        let command: any WireCommand =
            switch random.number(0..<8) {
            case 0...2: Commands.Next(from: random.chance(75) ? current : nil)
            case 3: Commands.Pause()
            case 4: Commands.Play()
            case 5: Commands.VolumeSet(random.number(0..<101))
            case 6: Commands.ModeSet(shuffle: random.chance(50))
            default: Commands.QueueAdd([ItemURI("file:track/\(random.one(of: ["a", "b", "c"])).flac")])
            }
        _ = remote.send(command, key: command.needsKey ? Token.random(length: 10) : nil)
    }

    /// A press of one of three programs of the desktop.
    private func call() {
        guard let player = bus.player("main") else { return }
        let caller = BusCaller(name: ":1.\(random.number(7..<10))", uid: 1000)
        calls += 1
        if random.chance(20) {
            let level = BusValue.double(Double(random.number(0..<101)) / 100)
            return player.object.set("Volume", in: MemoryPlayer.interface, to: level, from: caller) { [answers] _ in answers.count += 1 }
        }
        let (method, arguments): (String, [BusValue]) = random.one(of: [
            ("Next", []), ("Next", []), ("Previous", []), ("PlayPause", []), ("Play", []), ("Pause", []), ("Stop", []),
            ("Seek", [.int64(Int64(random.number(-5_000_000..<5_000_000)))]),
            ("SetPosition", [.path(current.map { PlayerNames.path(of: $0) } ?? PlayerNames.noTrack), .int64(3_000_000)]),
        ])
        let call = BusCall(method, of: MemoryPlayer.interface, arguments, from: caller)
        player.object.take(call) { [answers] _ in answers.count += 1 }
    }

    private func line() -> String {
        let place = random.number(0..<6)
        return random.one(of: [
            "next", "next", "previous", "pause", "play", "play \(place)", "stop", "setvol \(random.number(0..<101))", "volume -5",
            "seekcur +3",
            "add a.flac", "addid b.flac \(place)", "delete \(place)", "move \(place) 0", "swap \(place) 1", "shuffle", "repeat 1",
            "single oneshot",
            "consume 1", "consume 0", "random 0", "status", "currentsong", "playlistinfo", "search any song", "lsinfo",
        ])
    }

    /// Differences between the player and what a program of the desktop knows that has followed all changes.
    private func desktopProblems() -> [String] {
        guard let player = bus.player("main") else { return ["The desktop has no player."] }
        return player.object.interfaces.compactMap { interface in
            let (known, there) = (player.known[interface.name], player.read(interface))
            return known == there ? nil : "A program of the desktop knows \(known ?? [:]) of \(interface.name), and there is \(there)."
        }
    }

    func checkRest() async -> [String] {
        var problems: [String] = []
        for program in programs { await program.catchUp() }
        await programs[0].peer.ask("stop")
        await pass(ms: 30_000)
        let room = world.sim.hub.rooms.first.room
        let ids = room.queue.entries.map { String($0.id.number) }
        var statuses = Set<[String]>()
        for (number, program) in programs.enumerated() {
            await program.follow()
            if program.answered != program.sent {
                problems.append("Program \(number) got \(program.answered) answers to \(program.sent) lines.")
            }
            if program.songs != ids { problems.append("Program \(number) keeps \(program.songs), and the queue is \(ids).") }
            let status = await program.peer.ask("status")
            statuses.insert(status)
            let shown = await program.peer.ask("playlistinfo").filter { $0.hasPrefix("Id: ") }.map { String($0.dropFirst(4)) }
            if shown != ids { problems.append("Program \(number) is shown \(shown), and the queue is \(ids).") }
        }
        if statuses.count != 1 { problems.append("Programs see \(statuses).") }
        if answers.count != calls { problems.append("Programs of the desktop got \(answers.count) answers to \(calls) presses.") }
        problems += desktopProblems()
        if room.volume.level > 60 { problems.append("The room is as loud as \(room.volume.level), above its ceiling.") }
        if world.mpd.connections != programs.count { problems.append("\(world.mpd.connections) connections of \(programs.count).") }
        return problems
    }
}

/// Number of calls that were answered.
@Loop
private final class Answers {
    var count = 0
}

extension SeededGenerator {
    fileprivate mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &self) }
    fileprivate mutating func chance(_ percent: Int) -> Bool { number(0..<100) < percent }
    fileprivate mutating func one<Element>(of elements: [Element]) -> Element { elements[number(0..<elements.count)] }
}
