/// Who is in a room, votes for skipping, and people who are sent out: over the companion protocol, and after a crash.
import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import Harness
import Testing

@testable import BatonHub
@testable import BatonKernel
@testable import Companion

@Suite struct `People in a room` {
    @Loop
    private func playing(_ remote: TestRemote) async -> EntryID {
        _ = await remote.awaitReply(remote.send(Commands.Play(ItemURI("file:track/album:3")), key: "play-it"))
        return remote.mirror.now?.entry ?? EntryID(0)
    }

    @Test func `those who follow a room are listed within a second, newest first`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let ana = try sim.remote(id: "ana-1")
            #expect(ana.mirror.listeners?.listeners.map(\.name) == ["ana-1"])
            let ben = try sim.remote(.watch, id: "ben-1", over: .loopback)
            sim.time.pass(.seconds(1))
            #expect(ana.mirror.listeners?.listeners.map(\.name) == ["ben-1", "ana-1"])
            #expect(ana.mirror.listeners?.listeners.allSatisfy { !$0.hears } == true)
            ben.close(1000, "")
            sim.time.pass(.seconds(1))
            #expect(ana.mirror.listeners?.listeners.map(\.name) == ["ana-1"])
        }
    }

    @Test func `an entry is skipped with the last vote that it takes, and votes outlive a crash`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let ana = try sim.remote(id: "ana-1")
            let first = await playing(ana)
            _ = await ana.awaitReply(ana.send(Commands.VoteRule(1000), key: "rule-one"))
            let ben = try sim.remote(.remote, id: "ben-1", over: .loopback)
            sim.time.pass(.seconds(1))
            #expect(ana.mirror.listeners?.vote == .init(share: 1000, entry: nil, count: 0, needed: 2))
            #expect(await ana.awaitReply(ana.send(Commands.VoteSkip(first), key: "vote-one"))?.reply.outcome == .applied())
            #expect(await ana.awaitReply(ana.send(Commands.VoteSkip(first), key: "vote-two"))?.reply.outcome == .noop(why: .same))
            #expect(sim.hub.rooms.first.room.queue.current == first)
            _ = ben

            try sim.restart()
            let again = try sim.remote(id: "ana-1")
            let other = try sim.remote(.remote, id: "ben-1", over: .loopback)
            #expect(sim.hub.rooms.first.room.presence.votes(for: first) == 1)
            #expect(await again.awaitReply(again.send(Commands.VoteSkip(first), key: "vote-six"))?.reply.outcome == .noop(why: .same))
            #expect(await other.awaitReply(other.send(Commands.VoteSkip(first), key: "vote-ten"))?.reply.outcome == .applied())
            #expect(sim.hub.rooms.first.room.queue.currentIndex == 1)
            #expect(await other.awaitReply(other.send(Commands.VoteSkip(first), key: "vote-ten-b"))?.reply.outcome == .noop(why: .moved))
        }
    }

    @Test func `votes are enough when others leave`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let ana = try sim.remote(id: "ana-1")
            let first = await playing(ana)
            _ = await ana.awaitReply(ana.send(Commands.VoteRule(1000), key: "rule-one"))
            let ben = try sim.remote(.remote, id: "ben-1", over: .loopback)
            _ = await ana.awaitReply(ana.send(Commands.VoteSkip(first), key: "vote-one"))
            #expect(sim.hub.rooms.first.room.queue.currentIndex == 0)
            ben.close(1000, "")
            sim.time.settle()
            #expect(sim.hub.rooms.first.room.queue.currentIndex == 1)
        }
    }

    @Test func `without voting there is no vote`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let ana = try sim.remote(id: "ana-1")
            let first = await playing(ana)
            _ = await ana.awaitReply(ana.send(Commands.VoteRule(0), key: "rule-one"))
            sim.time.pass(.seconds(1))
            #expect(ana.mirror.listeners?.vote == nil)
            #expect(await ana.awaitReply(ana.send(Commands.VoteSkip(first), key: "vote-one"))?.reply.isSuccess == false)
        }
    }

    @Test func `a person who is sent out is refused until the time is over, also after a crash`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let ana = try sim.remote(id: "ana-1")
            let ben = try sim.remote(.remote, id: "ben-1", over: .loopback)
            sim.time.pass(.seconds(1))
            let who = try #require(ana.mirror.listeners?.listeners.first { $0.name == "ben-1" }?.who)
            #expect(await ana.awaitReply(ana.send(Commands.PeopleKick("nobody"), key: "kick-none"))?.reply.isSuccess == false)
            #expect(await ana.awaitReply(ana.send(Commands.PeopleKick(who, minutes: 5), key: "kick-ben"))?.reply.isSuccess == true)
            sim.time.pass(.milliseconds(1))
            #expect(ben.closed?.code == 1000 && ben.frames.last?.contains("sent out") == true)

            try sim.restart()
            let again = try sim.remote(.remote, id: "ben-1", over: .loopback)
            #expect(again.closed?.code == 1000)
            sim.time.pass(.seconds(301))
            let late = try sim.remote(.remote, id: "ben-1", over: .loopback)
            #expect(late.closed == nil && late.mirror.revision > 0)
        }
    }

    @Test func `an admin is not sent out`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let ana = try sim.remote(id: "ana-1")
            let who = try #require(ana.mirror.listeners?.listeners.first?.who)
            #expect(await ana.awaitReply(ana.send(Commands.PeopleKick(who), key: "kick-self"))?.reply.isSuccess == false)
            #expect(ana.closed == nil)
        }
    }
}
