import BatonClient
import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import Harness
import Testing

@testable import BatonHub
@testable import BatonKernel

/// The order in which the parts of a hub hear of an event: some of them read what others have done by then.
@Suite struct `Parts hear of an event in order` {
    /// The parts of a hub that are told of the event, which is sent to them.
    @Loop
    private func parts(_ event: HubEvent, _ sim: SimulatedHub) -> [String] {
        let trace = EventTrace()
        sim.hub.hear(event, noting: trace)
        return trace.parts
    }

    @Test func `of sources that go down or come back`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            #expect(
                parts(.sourcesChanged, sim) == [
                    "changes", "listening", "delivery", "mirrorPasses", "savedQueues", "queueSync", "accounts", "keeping", "serverPlaces",
                    "publisher",
                ])
            #expect(parts(.sourceChanged("attic"), sim) == ["listening", "queueSync", "delivery", "mirrorPasses", "joining"])
            #expect(parts(.sourceForgotten("attic"), sim) == ["savedQueues", "joining"])
        }
    }

    @Test func `of people`() async throws {
        try await onLoop {
            let (sim, room) = (try SimulatedHub(), RoomID("main"))
            #expect(parts(.personArrived, sim) == ["savedQueues", "serverPlaces"])
            #expect(parts(.peopleMoved, sim) == ["privateRooms"])
            #expect(parts(.personLeft(room), sim) == ["presence"])
            #expect(parts(.listenersChanged(room, saidGoodbye: true), sim) == ["emptyRooms"])
            #expect(parts(.streamsChanged(room), sim) == ["emptyRooms", "ahead"])
            #expect(parts(.usersChanged, sim) == ["deviceRegistry", "dialects"])
            #expect(parts(.featureFailed(.radio, FeatureFault("It is silent.")), sim) == ["problems"])
            #expect(parts(.pairingWindowChanged, sim) == ["changes", "publisher"])
        }
    }

    @Test func `of music`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let (live, uri) = (sim.hub.rooms.first, ItemURI("file:track/1"))
            #expect(parts(.queueMoved(from: live, to: live), sim) == ["endless"])
            #expect(parts(.itemFinished(uri, .home), sim) == ["keeping", "places"])
            #expect(parts(.personReplaced(Person("anna"), by: .home), sim) == ["places"])
            #expect(parts(.copyArrived(uri), sim) == ["players"])
            #expect(parts(.copyLost(uri), sim) == ["keeping"])
            #expect(parts(.madePiecesChanged, sim) == ["keeping"])
        }
    }

    @Test func `parts that work by themselves do not hear of sources while that is held back`() async throws {
        try await onLoop {
            let sim = try SimulatedHub(crashes: TwoCrashes())
            #expect(sim.hub.hold.isOn)
            #expect(parts(.sourcesChanged, sim) == ["changes", "accounts", "keeping", "publisher"])
            #expect(parts(.sourceChanged("attic"), sim) == [])
            #expect(parts(.sourceForgotten("attic"), sim) == ["savedQueues", "joining"])
        }
    }

    @Test func `a device that comes and goes is heard of at once`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let hub = sim.hub!
            let trace = EventTrace()
            let observer = EventObserver { event in hub.hear(event, noting: trace) }
            defer { withExtendedLifetime(observer) {} }
            hub.events.observer = observer

            let remote = try sim.remote()
            #expect(trace.parts == ["savedQueues", "serverPlaces", "privateRooms"])
            remote.drop()

            #expect(trace.parts == ["savedQueues", "serverPlaces", "privateRooms", "presence", "privateRooms"])
        }
    }
}

/// The record of a hub that crashed at its last two starts.
private struct TwoCrashes: CrashNoting {
    var lines: String { "SIGSEGV 10 1764345600000\nSIGTRAP 60000 1764345600000\n" }
    func forget() {}
    func countFromNow() {}
}
