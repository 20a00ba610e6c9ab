import BatonCore
import BatonProtocol
import BatonSeams
import Harness
import Testing

@testable import BatonHub
@testable import MPD

/// A connection may do what its channel, or its password, allows.
@Suite struct AccessTests {
    @Test func `a program of another machine needs a password`() async throws {
        try await onLoop {
            let world = try MPDWorld()
            world.passwords.all = [
                DialectPassword(name: "anna", role: .remote, createdMs: 1), DialectPassword(name: "guest", role: .listener, createdMs: 2),
            ]
            let peer = world.connect(over: .network, from: "192.168.1.9")
            #expect(await peer.ask("ping") == [])
            #expect(await peer.ask("status") == ["ACK [4@0] {status} you don't have permission for \"status\""])
            #expect(
                await peer.ask("commands") == [
                    "command: binarylimit", "command: close", "command: commands", "command: notcommands", "command: password",
                    "command: ping",
                    "command: protocol", "command: tagtypes",
                ])
            #expect(await peer.ask("password wrong") == ["ACK [3@0] {password} incorrect password"])
            #expect(await peer.ask("password guest") == [])
            #expect(await peer.value("status", "state") == "stop")
            #expect(await peer.ask("setvol 1") == ["ACK [4@0] {setvol} you don't have permission for \"setvol\""])
            #expect(await peer.ask("password anna") == [])
            #expect(await peer.ask("setvol 1") == [])
            #expect(world.mpd.connected.map(\.password) == ["anna"] && world.mpd.connected.map(\.lastCommand) == ["setvol"])
        }
    }

    @Test func `a stranger is not among the people of a room, and sends no long list`() async throws {
        try await onLoop {
            let world = try MPDWorld()
            world.passwords.all = [DialectPassword(name: "anna", role: .remote, createdMs: 1)]
            let (peer, other) = (world.connect(over: .network, from: "192.168.1.9"), world.connect(over: .network, from: "192.168.1.8"))
            let people = { world.sim.hub.ports.attendance.names(in: RoomID("main")) }
            #expect(people() == [])
            #expect(await peer.ask("password anna") == [])
            #expect(people() == ["anna"])
            for one in [peer, other] {
                one.send("command_list_begin")
                for _ in 0..<200 { one.send("find artist \(String(repeating: "x", count: 100))") }
            }
            #expect(other.isClosed && !peer.isClosed)
            peer.close()
            #expect(people() == [])
        }
    }

    @Test func `a listener reads stickers and changes none`() async throws {
        try await onLoop {
            let world = try MPDWorld()
            world.passwords.all = [DialectPassword(name: "guest", role: .listener, createdMs: 1)]
            let (peer, admin) = (world.connect(over: .network, from: "192.168.1.9"), world.connect())
            #expect(await peer.ask("password guest") == [])
            #expect(await admin.ask("sticker set song a.flac mood calm") == [])
            for change in ["set song a.flac mood wild", "delete song a.flac mood", "inc song a.flac mood 1", "dec song a.flac mood 1"] {
                #expect(await peer.ask("sticker \(change)") == ["ACK [4@0] {sticker} you don't have permission for \"sticker\""])
            }
            #expect(await peer.ask("sticker get song a.flac mood") == ["sticker: mood=calm"])
        }
    }

    @Test func `connections that have ended are counted no more, and the others hear on`() async throws {
        try await onLoop {
            let world = try MPDWorld()
            let peers = (0..<40).map { _ in world.connect() }
            for peer in peers { peer.send("idle mixer") }
            for (number, peer) in peers.enumerated() where number % 13 != 0 { peer.close() }
            #expect(world.mpd.connections == 4 && world.mpd.connected.count == 4)
            for number in [0, 13, 26, 39] { _ = peers[number].take() }
            await world.connect().ask("setvol 31")
            await world.sim.time.passQuietly(.milliseconds(10))
            for number in [0, 13, 26, 39] { #expect(peers[number].take() == ["changed: mixer", "OK"]) }
            #expect(world.mpd.connections == 5)
        }
    }

    @Test func `a password that is removed ends its connections`() async throws {
        try await onLoop {
            let world = try MPDWorld()
            world.passwords.all = [DialectPassword(name: "anna", role: .remote, createdMs: 1)]
            let (peer, near) = (world.connect(over: .network, from: "192.168.1.9"), world.connect())
            #expect(await peer.ask("password anna") == [])
            world.passwords.all = [DialectPassword(name: "anna", role: .remote, createdMs: 2)]
            world.mpd.passwordsChanged()
            #expect(peer.isClosed && !near.isClosed)
        }
    }

    @Test func `a program of this machine steers rooms, and the socket file the hub`() async throws {
        try await onLoop {
            let world = try MPDWorld()
            let (near, admin) = (world.connect(over: .loopback, from: "127.0.0.1"), world.connect())
            #expect(await near.ask("setvol 20") == [])
            #expect(await near.ask("newpartition attic") == ["ACK [4@0] {newpartition} you don't have permission for \"newpartition\""])
            #expect(await near.ask("kill") == ["ACK [4@0] {kill} you don't have permission for \"kill\""])
            #expect(await near.ask("config") == ["ACK [4@0] {config} Command only permitted to local clients"])
            #expect(await admin.ask("newpartition attic") == [])
            #expect(await admin.ask("config") == [])
        }
    }

    @Test func `rooms are partitions`() async throws {
        try await onLoop {
            let world = try MPDWorld()
            let (peer, other) = (world.connect(), world.connect())
            #expect(await peer.ask("listpartitions") == ["partition: main"])
            #expect(await peer.ask("newpartition attic") == [])
            #expect(await peer.ask("newpartition attic") == ["ACK [56@0] {newpartition} name already exists"])
            #expect(await other.ask("partition attic") == [])
            #expect(await other.ask("add a.flac") == [])
            #expect(await other.value("status", "partition") == "attic")
            #expect(await peer.value("status", "playlistlength") == "0")
            #expect(await peer.ask("delpartition attic") == ["ACK [5@0] {delpartition} partition still has clients"])
            #expect(await other.ask("partition default") == [])
            #expect(await other.value("status", "partition") == "main")
            #expect(await peer.ask("delpartition attic") == [])
            #expect(await peer.ask("delpartition main") == ["ACK [5@0] {delpartition} cannot delete the default partition"])
        }
    }

    @Test func `a connection of a deleted room goes to the first one`() async throws {
        try await onLoop {
            let world = try MPDWorld()
            let (peer, admin) = (world.connect(), world.connect())
            #expect(await admin.ask("newpartition attic") == [])
            #expect(await peer.ask("partition attic") == [])
            let remote = try world.sim.remote(id: "owner-1")
            _ = await remote.awaitReply(remote.send(Commands.RoomDelete(RoomID("attic"))))
            #expect(await peer.value("status", "partition") == "main")
        }
    }
}
