import BatonClient
import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import Harness
import Testing

@testable import BatonHub

/// The order in which the parts of a hub hear of an event: some of them read what others have done by then.
@Suite struct `Parts hear of an event in order` {
    @Loop
    private func parts(_ event: HubEvent, whileHeld isHeld: Bool = false) -> [String] {
        Hub.hearing(of: event).filter { !isHeld || !$0.isHeld }.map(\.part)
    }

    @Test func `of sources that go down or come back`() async throws {
        try await onLoop {
            #expect(
                parts(.sourcesChanged) == [
                    "listening", "delivery", "serverPlaces", "mirrorPasses", "savedQueues", "queueSync", "keeping", "changes", "accounts",
                    "publisher",
                ])
            #expect(parts(.sourceChanged("attic")) == ["joining", "listening", "queueSync", "delivery", "mirrorPasses"])
            #expect(parts(.sourceForgotten("attic")) == ["joining", "savedQueues"])
        }
    }

    @Test func `of people`() async throws {
        try await onLoop {
            let room = RoomID("main")
            #expect(parts(.personArrived) == ["savedQueues", "serverPlaces"])
            #expect(parts(.peopleMoved) == ["privateRooms"])
            #expect(parts(.personLeft(room)) == ["presence"])
            #expect(parts(.listenersChanged(room, saidGoodbye: true)) == ["emptyRooms"])
            #expect(parts(.streamsChanged(room)) == ["emptyRooms", "ahead"])
            #expect(parts(.usersChanged) == ["deviceRegistry", "dialects"])
            #expect(parts(.pairingWindowChanged) == ["changes", "publisher"])
        }
    }

    @Test func `of music`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let (live, uri) = (sim.hub.rooms.first, ItemURI("file:track/1"))
            #expect(parts(.queueMoved(from: live, to: live)) == ["endless"])
            #expect(parts(.itemFinished(uri, .home)) == ["keeping", "places"])
            #expect(parts(.copyArrived(uri)) == ["players"])
            #expect(parts(.copyLost(uri)) == ["keeping"])
            #expect(parts(.madePiecesChanged) == ["keeping"])
        }
    }

    @Test func `parts that work by themselves do not hear of sources while that is held back`() async throws {
        try await onLoop {
            #expect(parts(.sourcesChanged, whileHeld: true) == ["keeping", "changes", "accounts", "publisher"])
            #expect(parts(.sourceChanged("attic"), whileHeld: true) == [])
            #expect(parts(.sourceForgotten("attic"), whileHeld: true) == ["joining", "savedQueues"])
        }
    }

    @Test func `a device that comes and goes is heard of at once`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let hub = sim.hub!
            var heard: [String] = []
            let hearer = EventHearer { event in
                heard += Hub.hearing(of: event).map(\.part)
                hub.hear(event)
            }
            defer { withExtendedLifetime(hearer) {} }
            hub.events.hearer = hearer

            let remote = try sim.remote()
            #expect(heard == ["savedQueues", "serverPlaces", "privateRooms"])
            remote.drop()

            #expect(heard == ["savedQueues", "serverPlaces", "privateRooms", "presence", "privateRooms"])
        }
    }
}
