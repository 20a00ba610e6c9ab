/// The WebSocket of a room: what it sends and when, what it understands, and what becomes of a client that does not read.
import BatonCore
import BatonJSON
import BatonProtocol
import BatonSeams
import Harness
import Testing

@testable import BatonHub
@testable import BatonKernel
@testable import MusicRoomServer

@Suite struct `The socket of a room` {
    /// A client that was told where it is.
    @Loop
    private func greeted(_ world: RoomWorld, _ name: String = "ada", _ role: Role = .remote) async throws -> RoomPeer {
        let peer = try world.open(as: world.signedIn(name, role))
        #expect(await world.settle { !peer.states.isEmpty && !peer.typed("channel_list").isEmpty })
        return peer
    }

    @Test func `it says where the room is, with the queue, when it opens`() async throws {
        try await onLoop {
            let world = try RoomWorld()
            try await world.play(3)
            let peer = try await greeted(world)
            let state = try #require(peer.states.first)
            #expect(state["queue"]?.array?.count == 3 && state["currentIndex"]?.int == 0 && state["paused"]?.bool == false)
            #expect(state["track"]?["title"]?.string == "album:3 1" && state["channelId"]?.string == "main")
            #expect(state["listenerCount"]?.int == 2 && state["isDefault"]?.bool == true)
            #expect(peer.typed("channel_list").first?["channels"]?.array?.count == 1)
        }
    }

    @Test func `its position is that of the moment at which it is sent`() async throws {
        try await onLoop {
            let world = try RoomWorld()
            try await world.play(3)
            world.sim.time.pass(.milliseconds(12_750))
            let peer = try await greeted(world)
            let playing = world.sim.hub.rooms.first.room.timeline.positionMs(atUs: world.sim.time.nowUs)
            #expect(peer.states.first?["currentTimestamp"] == .double(Double(playing) / 1000) || playing % 1000 == 0)
        }
    }

    @Test func `pause, unpause, seek and jump reach the room, and the state that follows has no queue`() async throws {
        try await onLoop {
            let world = try RoomWorld()
            try await world.play(3)
            let peer = try await greeted(world)
            for (text, isSo) in [
                (#"{"action":"pause"}"#, { $0["paused"]?.bool == true }), (#"{"action":"unpause"}"#, { $0["paused"]?.bool == false }),
                (#"{"action":"seek","timestamp":45.5}"#, { ($0["currentTimestamp"] ?? .null) == .double(45.5) }),
                (#"{"action":"jump","index":2}"#, { $0["currentIndex"]?.int == 2 }),
            ] as [(String, (JSON) -> Bool)] {
                peer.forget()
                peer.send(text)
                #expect(await world.settle { peer.states.contains(where: isSo) }, "\(text)")
                #expect(peer.states.allSatisfy { $0["queue"] == nil })
                #expect(peer.typed("error").isEmpty)
            }
        }
    }

    @Test func `a changed queue is sent to all who are in the room`() async throws {
        try await onLoop {
            let world = try RoomWorld()
            try await world.play(3)
            let peers = [try await greeted(world, "ada"), try await greeted(world, "ben")]
            for peer in peers { peer.forget() }
            let song = MemoryNames.id(0).description
            _ = await world.ask(.patch, "/api/channels/main/queue", #"{"add":["\#(song)"]}"#, as: world.signedIn("ada"))
            #expect(await world.settle { peers.allSatisfy { $0.states.contains { $0["queue"]?.array?.count == 4 } } })
        }
    }

    @Test func `who comes and goes is told to all others within a second`() async throws {
        try await onLoop {
            let world = try RoomWorld()
            let ada = try await greeted(world, "ada")
            let ben = try await greeted(world, "ben")
            @Loop func names() -> [String]? {
                ada.typed("channel_list").last?["channels"]?.array?.first?["listeners"]?.array?.compactMap(\.string)
            }
            world.sim.time.pass(.seconds(1))
            #expect(names() == ["ada", "ben"])
            ben.close(1000, "")
            world.sim.time.pass(.seconds(1))
            #expect(names() == ["ada"])
        }
    }

    @Test func `many who come at once are told to each other in one list, not in one for each of them`() async throws {
        try await onLoop {
            let world = try RoomWorld()
            var peers: [RoomPeer] = []
            for number in 0..<20 { peers.append(try await greeted(world, "user\(number)")) }
            #expect(peers.allSatisfy { $0.typed("channel_list").count == 1 })

            world.sim.time.pass(.seconds(1))
            for peer in peers {
                let lists = peer.typed("channel_list")
                #expect(lists.count == 2)
                #expect(lists.last?["channels"]?.array?.first?["listeners"]?.array?.count == 20)
            }
        }
    }

    @Test func `everything is sent again after thirty seconds`() async throws {
        try await onLoop {
            let world = try RoomWorld()
            try await world.play(3)
            let peer = try await greeted(world)
            // After the opening the player begins, which is a change too.
            #expect(await world.pass(.seconds(3)) { peer.states.count > 1 })
            peer.forget()
            world.sim.time.pass(.seconds(25))
            #expect(peer.states.isEmpty)
            world.sim.time.pass(.seconds(5))
            #expect(await world.settle { peer.states.contains { $0["queue"] != nil } })
        }
    }

    @Test(arguments: [
        "", "nonsense", #"{"action":"dance"}"#, #"{"action":"jump","index":9}"#, #"{"action":"seek","timestamp":"soon"}"#,
        #"{"action":"switch","channelId":"nowhere"}"#,
    ])
    func `what is wrong is answered with a sentence, and the socket goes on`(text: String) async throws {
        try await onLoop {
            let world = try RoomWorld()
            try await world.play(3)
            let peer = try await greeted(world)
            peer.send(text)
            #expect(await world.settle { peer.typed("error").first?["message"]?.string?.hasSuffix(".") == true })
            peer.send(#"{"action":"pause"}"#)
            #expect(await world.settle { peer.states.last?["paused"]?.bool == true })
        }
    }

    @Test func `a listener hears of refusals, and changes nothing`() async throws {
        try await onLoop {
            let world = try RoomWorld()
            try await world.play(3)
            let peer = try await greeted(world, "ada", .listener)
            peer.send(#"{"action":"pause"}"#)
            #expect(await world.settle { peer.typed("error").count == 1 })
            #expect(world.sim.hub.rooms.first.room.isPlaying)
        }
    }

    @Test func `a socket moves to another room and is shown that one`() async throws {
        try await onLoop {
            let world = try RoomWorld()
            try await world.play(3)
            let made = await world.ask(.post, "/api/channels", #"{"name":"Garden"}"#, as: world.signedIn("boss", .admin))
            let id = try #require(made.json?["id"]?.string)
            let peer = try await greeted(world)
            peer.forget()
            peer.send(#"{"action":"switch","channelId":"\#(id)"}"#)
            #expect(await world.settle { peer.states.contains { $0["channelId"]?.string == id && $0["queue"]?.array?.isEmpty == true } })
            #expect(peer.typed("switched").first?["channelId"]?.string == id)

            peer.forget()
            _ = await world.ask(.delete, "/api/channels/\(id)", as: world.signedIn("boss", .admin))
            #expect(await world.settle { peer.states.contains { $0["channelId"]?.string == "main" } })
        }
    }

    @Test func `a socket that is not read holds no list of states, and is ended; others are unharmed`() async throws {
        try await onLoop {
            let world = try RoomWorld()
            try await world.play(3)
            let deaf = try await greeted(world, "deaf")
            let other = try await greeted(world, "ben")
            deaf.isReading = false
            let before = deaf.bytes
            let control = world.signedIn("ada")
            for number in 0..<50 {
                let mode = number.isMultiple(of: 2) ? "shuffle" : "once"
                _ = await world.ask(.post, "/api/channels/main/mode", #"{"mode":"\#(mode)"}"#, as: control)
                world.sim.time.pass(.milliseconds(60))
            }
            #expect(await world.settle { other.states.last?["playbackMode"]?.string == "once" })
            #expect(deaf.bytes == before)
            world.sim.time.pass(.seconds(12))
            #expect(deaf.closed == 1008 && other.closed == nil)
        }
    }

    @Test func `one that reads again is sent the newest state and nothing older`() async throws {
        try await onLoop {
            let world = try RoomWorld()
            try await world.play(3)
            let slow = try await greeted(world)
            slow.isReading = false
            slow.forget()
            let control = world.signedIn("ben")
            for mode in ["shuffle", "repeat-one", "repeat-all"] {
                _ = await world.ask(.post, "/api/channels/main/mode", #"{"mode":"\#(mode)"}"#, as: control)
            }
            #expect(await world.settle { world.rooms.queue(of: RoomID("main")).isCurrent })
            slow.isReading = true
            #expect(await world.settle { !slow.states.isEmpty })
            #expect(slow.states.map { $0["playbackMode"]?.string } == ["repeat-all"])
        }
    }

    @Test func `one session has only so many sockets`() async throws {
        try await onLoop {
            let world = try RoomWorld()
            let token = world.signedIn("ada")
            let peers = try (0..<RoomSession.mostSockets).map { _ in try world.open(as: token) }
            #expect(throws: RoomWorld.Refused.self) { try world.open(as: token) }
            peers[0].close(1000, "")
            #expect(throws: Never.self) { try world.open(as: token) }
        }
    }
}
