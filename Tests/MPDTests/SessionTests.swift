import BatonCore
import BatonProtocol
import BatonSeams
import Harness
import Testing

@testable import BatonHub
@testable import MPD

/// Lines of a program become commands of the hub, and its answers lines.
@Suite struct SessionTests {
    // MARK: Lines

    @Test func `a program is greeted and answered`() async throws {
        try await onLoop {
            let world = try MPDWorld()
            let peer = world.connect()
            #expect(peer.take() == ["OK MPD 0.24.0"])
            #expect(await peer.ask("ping") == [])
            #expect(await peer.ask("nonsense") == ["ACK [5@0] {} unknown command \"nonsense\""])
            #expect(await peer.ask("play 0 1") == ["ACK [2@0] {play} too many arguments for \"play\""])
            #expect(await peer.ask("setvol") == ["ACK [2@0] {setvol} wrong number of arguments for \"setvol\""])
            peer.send("close")
            #expect(peer.isClosed && world.mpd.connections == 0)
        }
    }

    @Test(arguments: ["GET / HTTP/1.1", "", " ping", "\tping", "PING", "\u{E9}ping"])
    func `a line of another protocol ends the connection`(line: String) async throws {
        try await onLoop {
            let world = try MPDWorld()
            let peer = world.connect()
            _ = peer.take()
            peer.send(line)
            #expect(peer.isClosed && peer.take() == [])
        }
    }

    @Test func `a zero ends a line, and spaces at its end are nothing`() async throws {
        try await onLoop {
            let peer = try MPDWorld().connect()
            _ = peer.take()
            peer.send(Array("ping\u{0}x".utf8))
            peer.send("ping \t ")
            #expect(peer.take() == ["OK", "OK"])
        }
    }

    @Test func `noise is refused, or ends the connection`() async throws {
        try await onLoop {
            let world = try MPDWorld()
            var random = SeededGenerator(5)
            let names = AllCommands.all.map(\.name).filter { $0 != "idle" && $0 != "close" }
            let words = [
                "0", "-1", "1:", "a.flac", "\"\"", "\"x", "artist", "(any contains 'a')", "song", "999999999999", "+1", "sort", "window",
            ]
            var peer = world.connect()
            for _ in 0..<2_000 {
                if peer.isClosed { peer = world.connect() }
                let count = Int.random(in: 0..<5, using: &random)
                let line = ([names.randomElement(using: &random)!] + (0..<count).map { _ in words.randomElement(using: &random)! })
                    .joined(separator: " ")
                _ = peer.take()
                peer.send(line)
                _ = await world.sim.time.until(within: .seconds(20)) {
                    peer.isClosed || peer.lines.last == "OK" || peer.lines.last?.hasPrefix("ACK [") == true
                }
                #expect(peer.isClosed || !peer.lines.isEmpty, "\(line)")
            }
        }
    }

    // MARK: The queue

    @Test func `songs are queued, shown and moved`() async throws {
        try await onLoop {
            let peer = try MPDWorld().connect()
            #expect(await peer.ask("add a.flac") == [])
            #expect(await peer.ask("add folder") == [])
            let id = try #require(await peer.value("addid b.flac 0", "Id"))
            #expect(await peer.ask("playlist") == ["0:file: b.flac", "1:file: a.flac", "2:file: folder/d.flac", "3:file: folder/e.flac"])
            #expect(
                await peer.ask("playlistid \(id)") == [
                    "file: b.flac", "Last-Modified: 2020-09-13T12:26:41Z", "Format: 48000:16:2", "Artist: Amber Lane", "Title: Song b",
                    "Track: 1", "Time: 180", "duration: 180.000", "Pos: 0", "Id: \(id)",
                ])
            let version = try #require(await peer.value("status", "playlist"))
            #expect(await peer.ask("swap 0 3") == [])
            #expect(await peer.ask("plchangesposid \(version)").filter { $0.hasPrefix("cpos") } == ["cpos: 0", "cpos: 3"])
            #expect(await peer.ask("move 1:3 0") == [])
            #expect(await peer.ask("playlist") == ["0:file: a.flac", "1:file: folder/d.flac", "2:file: folder/e.flac", "3:file: b.flac"])
            #expect(await peer.ask("delete 9") == ["ACK [2@0] {delete} Bad song index"])
            #expect(await peer.ask("add nowhere") == ["ACK [50@0] {add} No such directory"])
            #expect(await peer.ask("add /etc/passwd") == ["ACK [4@0] {add} Access denied"])
            #expect(await peer.ask("clear") == [])
            #expect(await peer.value("status", "playlistlength") == "0")
        }
    }

    @Test func `a version of another life gets the whole queue`() async throws {
        try await onLoop {
            let peer = try MPDWorld().connect()
            await peer.ask("add folder")
            #expect(await peer.ask("plchangesposid 4000000000").count == 4)
            #expect(await peer.ask("plchangesposid 0").count == 4)
        }
    }

    @Test func `a current song of a room that has not played is none`() async throws {
        try await onLoop {
            let peer = try MPDWorld().connect()
            await peer.ask("add folder")
            #expect(await peer.value("status", "song") == nil)
            #expect(await peer.ask("currentsong") == [])
            #expect(await peer.ask("play 1") == [])
            #expect(await peer.value("status", "song") == "1")
            #expect(await peer.ask("stop") == [])
            #expect(await peer.value("status", "song") == "1")
            #expect(await peer.ask("play 1") == [])
            #expect(await peer.ask("next") == [])
            #expect(await peer.value("status", "song") == nil)
            #expect(await peer.ask("next") == ["ACK [55@0] {next} Not playing"])
        }
    }

    @Test func `a seek to another song keeps a paused room paused`() async throws {
        try await onLoop {
            let peer = try await MPDWorld().playing()
            #expect(await peer.ask("seek 1 20") == [])
            #expect(await peer.value("status", "state") == "play")
            #expect(await peer.ask("pause 1") == [])
            #expect(await peer.ask("seek 2 45") == [])
            let status = await peer.ask("status")
            #expect(status.contains("state: pause") && status.contains("song: 2") && status.contains("elapsed: 45.000"))
        }
    }

    // MARK: Presses

    @Test func `a press just after the end of a song skips nothing`() async throws {
        try await onLoop {
            let world = try MPDWorld(trackMs: 10_000)
            let peer = await world.playing()
            #expect(await peer.value("status", "song") == "0")
            await world.sim.time.passQuietly(.milliseconds(10_400))
            #expect(await peer.ask("next") == [])
            #expect(await peer.value("status", "song") == "1")
            // The program knows it now, so it means what plays.
            #expect(await peer.ask("next") == [])
            #expect(await peer.value("status", "song") == "2")
        }
    }

    @Test func `a later press, and one of a program that asks nothing, means what plays`() async throws {
        try await onLoop {
            let world = try MPDWorld(trackMs: 10_000)
            let peer = await world.playing()
            let blind = world.connect()
            #expect(await peer.value("status", "song") == "0")
            await world.sim.time.passQuietly(.milliseconds(10_400))
            #expect(await blind.ask("next") == [])
            #expect(await blind.value("status", "song") == "2")
        }
    }

    @Test func `two presses count twice`() async throws {
        try await onLoop {
            let peer = try await MPDWorld().playing()
            #expect(await peer.value("status", "song") == "0")
            await peer.ask(["next", "next"])
            #expect(await peer.value("status", "song") == "2")
        }
    }

    @Test func `a press after the own removal of what played skips what plays then`() async throws {
        try await onLoop {
            let peer = try await MPDWorld().playing()
            #expect(await peer.value("status", "song") == "0")
            await peer.ask(["delete 0", "next"])
            #expect(await peer.value("status", "song") == "1")
        }
    }

    // MARK: Volume and modes

    @Test func `the ceiling of a room is kept without a word`() async throws {
        try await onLoop {
            let peer = try MPDWorld(volume: VolumeRail(level: 30, ceiling: 60, startMax: 60)).connect()
            #expect(await peer.ask("setvol 90") == [])
            #expect(await peer.ask("getvol") == ["volume: 60"])
            #expect(await peer.ask("volume -70") == [])
            #expect(await peer.ask("getvol") == ["volume: 0"])
        }
    }

    @Test func `modes have the values of the protocol`() async throws {
        try await onLoop {
            let peer = try MPDWorld().connect()
            for (line, answer) in [
                ("repeat 1", "repeat: 1"), ("random 1", "random: 1"), ("single oneshot", "single: oneshot"), ("single 1", "single: 1"),
                ("single 0", "single: 0"), ("consume oneshot", "consume: oneshot"), ("consume 1", "consume: 1"),
            ] {
                #expect(await peer.ask(line) == [])
                #expect(await peer.ask("status").contains(answer), "\(line)")
            }
            #expect(await peer.ask("consume 2") == ["ACK [2@0] {consume} Boolean (0/1) expected: 2"])
            #expect(await peer.ask("replay_gain_mode track") == [])
            #expect(await peer.ask("replay_gain_status") == ["replay_gain_mode: track"])
        }
    }
}
