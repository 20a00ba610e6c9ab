import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import Harness
import Testing

@testable import MPRIS

/// Rooms of a whole hub on a bus in memory: what programs see, and what their calls do.
@Suite struct `Rooms as players` {
    /// A hub that plays the first of so many tracks of three minutes.
    private func withRoom(
        _ count: Int = 5, volume: VolumeRail = VolumeRail(), limits: WireLimits = .standard,
        _ body: @Loop @Sendable (DesktopWorld, MemoryPlayer) async throws -> Void
    ) async throws {
        try await onLoop {
            let bus = MemoryBus()
            let world = try DesktopWorld(on: bus, volume: volume, limits: limits)
            await world.play(count)
            try await body(world, try #require(bus.player("main")))
        }
    }

    @Loop private static func title(_ player: MemoryPlayer) -> String? {
        guard case .table(let facts)? = player["Metadata"] else { return nil }
        return facts["xesam:title"]?.text
    }

    @Test func `a room shows what plays`() async throws {
        try await withRoom { world, player in
            #expect(player["PlaybackStatus"] == .text("Playing"))
            #expect(Self.title(player) == "album:5 1")
            #expect(player["CanGoNext"] == .boolean(true) && player["CanGoPrevious"] == .boolean(false))
            #expect(player["Identity", of: PlayerInterfaces.root.name]?.text?.hasSuffix("(Baton)") == true)
            #expect(player["DesktopEntry", of: PlayerInterfaces.root.name] == .text("baton"))
            #expect(player["Tracks", of: PlayerInterfaces.trackList.name]?.list?.count == 5)
            await world.pass(.seconds(7))
            #expect((7_000_000...8_500_000).contains(player["Position"]?.int64 ?? 0))
        }
    }

    @Test func `playing on tells nothing, and a jump tells where`() async throws {
        try await withRoom { world, player in
            player.forget()
            await world.pass(.seconds(60))
            #expect(player.changes.isEmpty && player.signals.isEmpty)

            await world.send(Commands.Seek(positionMs: 90_000))
            await world.pass(.seconds(1))
            let jumps = player.signals.filter { $0.name == "Seeked" }
            #expect(jumps.count == 1)
            let us = jumps.first?.arguments.first?.int64 ?? 0
            #expect((90_000_000...91_100_000).contains(us))
            #expect(!player.changes.contains { $0.changed["Position"] != nil })

            player.forget()
            await world.send(Commands.Pause())
            await world.send(Commands.Play())
            await world.pass(.seconds(2))
            #expect(!player.signals.contains { $0.name == "Seeked" })
            #expect(player.announced("PlaybackStatus") == .text("Playing"))
        }
    }

    @Test func `a change is told with its new values alone`() async throws {
        try await withRoom { world, player in
            player.forget()
            await world.send(Commands.VolumeSet(33))
            #expect(player.announced("Volume") == .double(0.33))
            #expect(Set(player.changes.flatMap { $0.changed.keys }) == ["Volume"])
            player.forget()
            await world.send(Commands.ModeSet(repeat: true, shuffle: true))
            #expect(player.announced("LoopStatus") == .text("Playlist") && player.announced("Shuffle") == .boolean(true))
        }
    }

    @Test func `each level is shown so that a program which cuts off gets it again`() async throws {
        try await withRoom(volume: VolumeRail(level: 30, ceiling: 100, startMax: 100)) { world, player in
            for level in [0, 7, 14, 28, 29, 55, 56, 57, 58, 100] {
                await world.pass(.seconds(1))
                await world.send(Commands.VolumeSet(level))
                guard case .double(let shown)? = player["Volume"] else {
                    Issue.record("There is no volume at \(level).")
                    continue
                }
                #expect(Int(shown * 100) == level && (shown * 100).rounded() == Double(level))
            }
        }
    }

    @Test func `two quick presses of Next count twice`() async throws {
        try await withRoom { world, player in
            player.call("Next")
            player.call("Next")
            world.settle()
            #expect(Self.title(player) == "album:5 3")
            player.call("Next", by: ":1.7")
            player.call("Next", by: ":1.8")
            #expect(Self.title(player) == "album:5 5")
        }
    }

    @Test func `a press for what has ended meanwhile skips nothing`() async throws {
        try await withRoom { world, player in
            let other = Identity(client: "other", role: .remote, trust: .itemsOnly)
            let key = CommandContext.Key("another-press", fingerprint: 1)
            // Others are told of a change after its sender has the answer.
            var wasTold = true
            world.sim.hub.ports.door.take(
                Commands.Next(from: world.current), CommandContext(other, .alone(meter: "other"), number: 1, key: key, room: RoomID("main"))
            ) { _ in
                wasTold = Self.title(player) != "album:5 1"
                player.call("Next")
            }
            world.settle()
            #expect(!wasTold)
            #expect(Self.title(player) == "album:5 2")
        }
    }

    @Test func `Next and Previous keep a paused room paused`() async throws {
        try await withRoom { world, player in
            player.call("Pause")
            player.call("Next")
            #expect(player["PlaybackStatus"] != .text("Playing") && Self.title(player) == "album:5 2")
            await world.pass(.seconds(1))
            player.call("Previous")
            #expect(player["PlaybackStatus"] != .text("Playing") && Self.title(player) == "album:5 1")
            player.call("PlayPause")
            #expect(player["PlaybackStatus"] == .text("Playing"))
        }
    }

    @Test func `Next at the end stops, as does Seek beyond it`() async throws {
        try await withRoom(1) { world, player in
            #expect(player["CanGoNext"] == .boolean(false))
            player.call("Seek", .int64(1_000_000_000))
            world.settle()
            #expect(player["PlaybackStatus"] == .text("Stopped"))
            #expect(player["Position"] == .int64(0))
        }
    }

    @Test func `the ceiling of a room holds`() async throws {
        try await withRoom(volume: VolumeRail(level: 20, ceiling: 60)) { world, player in
            #expect(player.set("Volume", .double(0.9)) == nil)
            #expect(player["Volume"] == .double(0.6))
        }
    }

    @Test func `a muted room is silent, and a new volume lets it be heard`() async throws {
        try await withRoom { world, player in
            await world.send(Commands.VolumeMute(true))
            #expect(player["Volume"] == .double(0) && player.announced("Volume") == .double(0))
            player.set("Volume", .double(0.25))
            #expect(player["Volume"] == .double(0.25))
        }
    }

    @Test func `programs of other users are refused, and those of root are not`() async throws {
        try await withRoom { world, player in
            let refused = player.call("Next", by: ":1.9", uid: 1001)
            guard case .failure(let fault)? = refused else { _ = Issue.record("not refused"); return }
            #expect(fault.name.hasSuffix("AccessDenied"))
            #expect(player.set("Volume", .double(0.1), uid: 1001) != nil)
            #expect(Self.title(player) == "album:5 1")
            player.call("Next", by: ":1.10", uid: 0)
            #expect(Self.title(player) == "album:5 2")
        }
    }

    @Test func `a program that floods is told to wait, and others go on`() async throws {
        try await withRoom { world, player in
            var refused = 0
            for _ in 0..<400 {
                if case .failure(let fault)? = player.call("PlayPause"), fault.name.hasSuffix("LimitsExceeded") { refused += 1 }
            }
            #expect(refused > 100)
            await world.pass(.seconds(1))
            let before = Self.title(player)
            player.call("Next", by: ":1.8")
            #expect(Self.title(player) != before)
        }
    }

    @Test func `who is connected is known until it leaves`() async throws {
        try await withRoom { world, player in
            player.call("Pause")
            player.call("Next", by: ":1.8")
            let facts = world.dialect.facts
            #expect(facts.isOn && facts.problem == nil && facts.addresses == ["org.mpris.MediaPlayer2.baton.main"])
            #expect(facts.connections.map(\.address) == [":1.7", ":1.8"])
            #expect(facts.connections.map(\.lastCommand) == ["Pause", "Next"])
            #expect(facts.connections[0].role == .remote && facts.connections[0].room == RoomID("main"))
            player.leave()
            #expect(world.dialect.facts.connections.map(\.address) == [":1.8"] && world.dialect.connections == 1)
        }
    }

    @Test func `OpenUri adds behind what plays, and plays it`() async throws {
        try await withRoom { world, player in
            player.forget()
            player.call("OpenUri", .text("file:///music/new"))
            try await onLoopUntil {
                world.settle()
                return Self.title(player) == "/music/new"
            }
            #expect(player["PlaybackStatus"] == .text("Playing"))
            #expect(player.signals.contains { $0.name == "TrackAdded" })
            #expect(player["Tracks", of: PlayerInterfaces.trackList.name]?.list?.count == 6)
        }
    }

    @Test func `the track list is edited through the queue`() async throws {
        try await withRoom { world, player in
            let list = PlayerInterfaces.trackList.name
            let paths = try #require(player["Tracks", of: list]?.list)
            player.forget()
            player.call("RemoveTrack", paths[1], of: list)
            player.call("GoTo", paths[3], of: list)
            #expect(Self.title(player) == "album:5 4")
            #expect(player.signals.contains { $0.name == "TrackRemoved" && $0.arguments == [paths[1]] })
            #expect(player.changes.contains { $0.interface == list && $0.outdated == ["Tracks"] })
            guard
                case .success(let answer)? = player.call("GetTracksMetadata", .list(of: "o", [paths[0], paths[1], .path("/x")]), of: list)
            else {
                _ = Issue.record("no metadata")
                return
            }
            #expect(answer.first?.list?.count == 1)
        }
    }

    @Test func `a long queue shows the rows around the current one`() async throws {
        try await withRoom(500) { world, player in
            let list = PlayerInterfaces.trackList.name
            #expect(player["Tracks", of: list]?.list?.count == PlayerView.mostTracks)
            for _ in 0..<30 { await world.send(Commands.Next(from: world.current)) }
            let paths = player["Tracks", of: list]?.list ?? []
            #expect(paths.count == PlayerView.mostTracks)
            let current = try #require(world.current)
            #expect(paths.contains(.path(PlayerNames.path(of: current))))
        }
    }

    @Test func `players come and go with their rooms`() async throws {
        try await onLoop {
            let bus = MemoryBus()
            let world = try DesktopWorld(on: bus)
            #expect(bus.player("main") != nil && bus.player("kitchen_two") == nil)
            _ = await world.send(Commands.RoomCreate("Kitchen Two"))
            world.settle()
            let kitchen = try #require(bus.player("kitchen_two"))
            #expect(kitchen["Identity", of: PlayerInterfaces.root.name] == .text("Kitchen Two (Baton)"))
            kitchen.forget()
            _ = await world.send(Commands.RoomRename(RoomID("kitchen-two"), name: "Cellar"))
            #expect(kitchen.announced("Identity") == .text("Cellar (Baton)"))
            _ = await world.send(Commands.RoomDelete(RoomID("kitchen-two")))
            world.settle()
            #expect(kitchen.state == .closed && bus.player("main") != nil)
        }
    }

    @Test func `a bus that comes later finds the room as it is then`() async throws {
        try await onLoop {
            let bus = MemoryBus()
            bus.isThere = false
            let world = try DesktopWorld(on: bus)
            await world.play(3)
            let player = try #require(bus.player("main"))
            #expect(player.changes.isEmpty && world.dialect.facts.addresses.isEmpty && world.dialect.facts.problem == nil)
            player.connect()
            #expect(Self.title(player) == "album:3 1" && world.dialect.facts.problem == nil)
            player.disconnect()
            player.forget()
            await world.send(Commands.Next(from: world.current))
            #expect(player.changes.isEmpty)
            player.connect()
            #expect(Self.title(player) == "album:3 2")
            player.call("Next")
            #expect(Self.title(player) == "album:3 3")
        }
    }

    @Test func `who switches it on without a bus is told why nothing appears`() async throws {
        try await onLoop {
            let bus = MemoryBus()
            bus.isThere = false
            let world = try DesktopWorld(on: bus)
            await world.dialect.turn(on: false)
            await world.dialect.turn(on: true)
            #expect(world.dialect.facts.isOn && world.dialect.facts.problem?.contains("session bus") == true)
        }
    }

    @Test func `switched off, no player is there`() async throws {
        try await withRoom { world, player in
            await world.dialect.turn(on: false)
            #expect(player.state == .closed && !world.dialect.facts.isOn)
            await world.dialect.turn(on: true)
            #expect(world.dialect.facts.addresses.count == 1 && world.dialect.facts.problem == nil)
            world.dialect.close()
            #expect(world.dialect.facts.addresses.isEmpty)
        }
    }

    @Test(arguments: UInt64(0)..<30) func `programs that follow the changes know what they would read`(seed: UInt64) async throws {
        try await withRoom(8) { world, player in
            var random = SeededGenerator(seed)
            for _ in 0..<40 {
                switch Int.random(in: 0..<12, using: &random) {
                case 0: player.call("Next", by: ":1.\(Int.random(in: 1...3, using: &random))")
                case 1: player.call("Previous")
                case 2: player.call("PlayPause")
                case 3: player.call("Seek", .int64(Int64.random(in: -200_000_000...200_000_000, using: &random)))
                case 4: player.set("Volume", .double(Double.random(in: -0.2...1.2, using: &random)))
                case 5: player.set("LoopStatus", .text(["None", "Track", "Playlist"].randomElement(using: &random) ?? "None"))
                case 6: player.set("Shuffle", .boolean(Bool.random(using: &random)))
                case 7: await world.send(Commands.Next(from: world.current))
                case 8: await world.send(Commands.VolumeMute(Bool.random(using: &random)))
                case 9:
                    let paths = player["Tracks", of: PlayerInterfaces.trackList.name]?.list ?? []
                    if let path = paths.randomElement(using: &random) {
                        player.call("RemoveTrack", path, of: PlayerInterfaces.trackList.name)
                    }
                case 10: await world.send(Commands.QueueAdd([ItemURI("file:track/more")]))
                default: await world.pass(.seconds(Int64.random(in: 1...100, using: &random)))
                }
            }
            await world.pass(.seconds(1))
            for interface in PlayerInterfaces.all { #expect(player.known[interface.name] == player.read(interface), "\(interface.name)") }
        }
    }

    @Test func `presses of many at once each count once, or mean what has ended`() async throws {
        try await withRoom(100) { world, player in
            let remotes = try (0..<30).map { try world.sim.remote(id: "r\($0)") }
            let before = world.current
            // Each remote presses for the entry that all of them see, and so does each of three programs.
            for remote in remotes { remote.send(Commands.Next(from: before), key: Token.random(length: 10)) }
            for number in 1...3 { player.call("Next", by: ":2.\(number)") }
            await world.pass(.seconds(1))
            // One press of the remotes counted. The first program had not been told of it, and its press meant the same entry; with its
            // answer all were told, so those of the others counted.
            #expect(Self.title(player) == "album:100 4")
        }
    }
}
