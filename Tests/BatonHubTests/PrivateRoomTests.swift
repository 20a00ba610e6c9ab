/// Rooms in which one person listens alone: who sees them, how many there are, and when they end.
import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import Harness
import Testing

@testable import BatonHub
@testable import BatonKernel
@testable import BatonListening
@testable import Companion

@Suite struct `Private rooms` {
    private static let album = ItemURI("file:track/album:3")

    @Loop
    private func only(_ remote: TestRemote, key: String, in room: RoomID? = nil) async throws -> RoomID {
        let reply = try #require(await remote.awaitReply(remote.send(Commands.ListenOnly(Self.album), key: key, room: room)))
        return try CreatedRoom(from: #require(reply.data)).room
    }

    private struct Missing: Error {}

    @Loop
    private func wait(_ sim: SimulatedHub, until holds: @Loop () -> Bool) async {
        #expect(await sim.time.until(within: .seconds(10), holds))
    }

    private static func person(_ number: Int) -> Identity {
        Identity(client: "p\(number)", role: .remote, trust: .itemsOnly, origin: "lan/10.0.\(number / 200).\(number % 200)")
    }

    /// BT-LSN-005
    @Test func `it begins with the first device that plays along, and pauses when the last has said goodbye`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let ana = try sim.remote(id: "ana-1")
            let room = try await only(ana, key: "only-1")
            await wait(sim) { sim.hub.rooms[room]?.playerOrders?.measuredMs != nil }
            sim.time.pass(.seconds(30))
            let phone = try sim.remote(id: "phone", rooms: [room])
            #expect(phone.mirror.timeline?.state == .paused && phone.mirror.timeline?.positionMs == 0)

            _ = await phone.awaitReply(phone.send(Commands.ListenHere()))
            await wait(sim) { phone.mirror.timeline?.rate == 1000 }
            #expect(phone.mirror.timeline?.rate == 1000)
            _ = await phone.awaitReply(phone.send(Commands.ListenHere(isOn: false)))
            sim.time.pass(.seconds(1))
            #expect(phone.mirror.timeline?.state == .paused)
        }
    }

    /// BT-RTY-016
    @Test func `a repeat tells of the queue of the private room, and of none once it has ended`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let ana = try sim.remote(id: "ana-1")
            @Loop func ask() async -> ReceivedReply? { await ana.awaitReply(ana.send(Commands.ListenOnly(Self.album), key: "only-1")) }
            let first = await ask()
            let room = try CreatedRoom(from: #require(first?.data)).room
            _ = await ana.awaitReply(ana.send(Commands.QueueAdd([Self.album]), key: "add-1", room: room))
            let queue = try #require(sim.hub.rooms[room]).room.queue
            let again = await ask()
            #expect(again?.reply.why == .dup && again?.reply.queue?.ids == first?.reply.queue?.ids)
            #expect(again?.reply.queue?.revision == queue.revision && queue.revision != first?.reply.queue?.revision)

            sim.hub.privateRooms.end(try #require(sim.hub.rooms[room]))
            #expect(sim.hub.rooms[room] == nil)
            let late = await ask()
            #expect(late?.reply.why == .dup && late?.reply.queue == nil)
        }
    }

    /// BT-LSN-006
    @Test func `other people get nothing of it`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let ana = try sim.remote(id: "ana-1")
            let ben = try sim.remote(id: "ben-1", over: .loopback)
            let room = try await only(ana, key: "only-1")
            let phone = try sim.remote(id: "phone", rooms: [room])
            sim.time.pass(.seconds(2))

            #expect(phone.mirror.room == room)
            #expect(ben.mirror.rooms?.rooms.map(\.id) == [RoomID("main")] && ben.mirror.timeline?.state == .stopped)
            guard case .list(let people, more: 0)? = ben.mirror.people else { throw Missing() }
            #expect(people.first { $0.name == "phone" }?.room == nil && people.first { $0.name == "ana-1" }?.room == RoomID("main"))
            let intruder = try sim.remote(id: "eve-1", over: .loopback, rooms: [room])
            #expect(intruder.mirror.room == RoomID("main"))
            #expect(sim.hub.outputs.holder(of: "null", besides: nil) == nil)
        }
    }

    /// BT-LSN-008
    @Test func `it ends ten minutes after it was left, and not while a connection follows it`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let ana = try sim.remote(id: "ana-1")
            let room = try await only(ana, key: "only-1")
            let phone = try sim.remote(id: "phone", rooms: [RoomID("main"), room])
            sim.time.pass(.seconds(3600))
            #expect(sim.hub.rooms[room] != nil)
            phone.close(1000, "")
            sim.time.pass(.seconds(595))
            #expect(sim.hub.rooms[room] != nil)
            sim.time.pass(.seconds(10))
            #expect(sim.hub.rooms[room] == nil && sim.hub.rooms.personal.isEmpty)
            #expect(sim.hub.rooms.deleted.isEmpty, "it cannot be restored")
        }
    }

    @Test func `nothing of it is kept, and the names of its entries are not given again`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let ana = try sim.remote(id: "ana-1")
            let room = try await only(ana, key: "only-1")
            let entries = try #require(sim.hub.rooms[room]).room.queue.entries.map(\.id)
            try sim.restart()
            #expect(sim.hub.rooms.all.map(\.room.id) == [RoomID("main")])
            let again = try sim.remote(id: "ana-1")
            _ = await again.awaitReply(again.send(Commands.Play(Self.album), key: "play-1"))
            let new = sim.hub.rooms.first.room.queue.entries.map(\.id)
            #expect(!new.isEmpty && Set(new).isDisjoint(with: entries))
        }
    }

    @Test func `its music goes on in a room of the hub, and is kept there`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let ana = try sim.remote(id: "ana-1")
            let room = try await only(ana, key: "only-1")
            let entries = try #require(sim.hub.rooms[room]).room.queue.entries.map(\.id)
            let moved = await ana.awaitReply(ana.send(Commands.RoomMove(RoomID("main")), key: "move-1", room: room))
            #expect(moved?.reply.isSuccess == true)
            try sim.restart()
            #expect(sim.hub.rooms.first.room.queue.entries.map(\.id) == entries)
        }
    }

    /// BT-LSN-007
    @Test func `a person has four, and one that was left gives way`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let ana = try sim.remote(id: "ana-1")
            var rooms: [RoomID] = []
            for number in 0..<4 {
                rooms.append(try await only(ana, key: "only-\(number)"))
                sim.time.pass(.seconds(1))
            }
            let phone = try sim.remote(id: "phone", rooms: [rooms[0]])
            rooms.append(try await only(ana, key: "only-5"))
            #expect(sim.hub.rooms[rooms[1]] == nil && sim.hub.rooms.personal.map(\.room.id) == [rooms[0], rooms[2], rooms[3], rooms[4]])
            let second = try sim.remote(id: "tablet", rooms: [rooms[2], rooms[3], rooms[4]])
            let refused = await ana.awaitReply(ana.send(Commands.ListenOnly(Self.album), key: "only-6"))
            #expect(refused?.reply.isSuccess == false)
            // In a room of the person's own it replaces what plays there.
            #expect(try await only(second, key: "only-7", in: rooms[2]) == rooms[2])
            #expect(phone.mirror.room == rooms[0])
        }
    }

    @Test func `a thousand that are asked for are refused in a sentence, and no other room notices`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let ben = try sim.remote(id: "ben-1", over: .loopback)
            _ = await ben.awaitReply(ben.send(Commands.Play(Self.album), key: "play-1"))
            let queue = sim.hub.rooms.first.room.queue
            var refusals: Set<String> = []
            for number in 0..<1000 {
                do throws(ProtocolFault) { _ = try sim.hub.privateRooms.make(for: Self.person(number / 4)) } catch {
                    refusals.insert(error.sentence)
                }
            }
            #expect(sim.hub.rooms.personal.count == PrivateRooms.most && refusals.count == 1)
            #expect(sim.hub.rooms.shared.count == 1 && sim.hub.rooms.first.room.queue == queue)
            sim.time.pass(.seconds(1))
            #expect(ben.mirror.rooms?.rooms.count == 1)
            sim.time.pass(PrivateRooms.leftFor)
            #expect(sim.hub.rooms.personal.isEmpty)
        }
    }
}
