import BatonCore
import BatonProtocol
import BatonSeams
import Harness
import Testing

@testable import BatonHub
@testable import BatonKernel

/// A feature that fails is named, and all others run.
@Suite struct `A feature that does not run costs the hub no other` {
    @Test func `copies whose store is damaged are named among the problems, and music plays`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let owner = try sim.remote(id: "owner-1")
            #expect(owner.mirror.hub?.problems == [])

            await sim.hub.keep(DamagedCopies(), limit: 1 << 20)

            try await until(sim) { owner.mirror.hub?.problems.isEmpty == false }
            let sentences = owner.mirror.hub?.problems.map(\.message)
            #expect(sentences?.count == 1)
            #expect(sentences?.first?.hasPrefix("The feature “copies” does not run as it should. ") == true)
            #expect(sentences?.first?.contains("kept.db is damaged.") == true)
            await owner.play("/music/album:3", of: sim)
            #expect(sim.hub.rooms.first.room.isPlaying)
            let refused = await owner.awaitReply(owner.send(Commands.KeepSet(.item(ItemURI("file:track/1")), true), key: "keep-1"))
            #expect(refused?.reply.isSuccess == false, "what cannot be kept is refused")
        }
    }

    @Test func `the features behind one that does not start are started, and its sentence is told once`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let owner = try sim.remote(id: "owner-1")
            let (broken, sound) = (Broken(), Sound())

            sim.hub.start([broken, sound])
            sim.hub.start([broken])

            #expect(sound.isStarted)
            try await until(sim) { owner.mirror.hub?.problems.isEmpty == false }
            #expect(
                owner.mirror.hub?.problems.map(\.message) == ["The feature “broken” does not run as it should. Its table is not there."])
        }
    }

    @Test func `features stop in the reverse order of their installation`() async throws {
        try await onLoop {
            let hub = try SimulatedHub().hub!
            let installed = hub.features.all.map(\.name)
            #expect(Set(installed).count == installed.count)

            for isIt in [\Closing.isAtOnce, \.isWaiting, \.isAfterPlayers] {
                let stopping = hub.closing.filter { $0[keyPath: isIt] }.compactMap { closing in
                    hub.features.all.first { feature in feature.closing.contains { $0.part == closing.part } }?.name
                }
                let order = stopping.reduce(into: [FeatureName]()) { order, name in if order.last != name { order.append(name) } }
                #expect(order == installed.reversed().filter(order.contains))
            }
        }
    }

    @Test func `a feature is told of the kinds of events that it names, and of no others`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let (live, room) = (sim.hub.rooms.first, RoomID("main"))
            let events: [HubEvent] = [
                .sourcesChanged, .sourceChanged("attic"), .sourceForgotten("attic"), .personArrived, .peopleMoved, .personLeft(room),
                .listenersChanged(room, saidGoodbye: true), .streamsChanged(room), .queueMoved(from: live, to: live),
                .itemFinished(ItemURI("file:track/1"), .home), .personReplaced(Person("anna"), by: .home),
                .copyArrived(ItemURI("file:track/1")), .copyLost(ItemURI("file:track/1")), .madePiecesChanged, .usersChanged,
                .featureFailed(FeatureName("attic"), FeatureFault("It is cold.")),
                .pairingWindowChanged,
            ]
            #expect(events.reduce(0) { $0 | $1.kind.rawValue } == 1 << events.count - 1, "each kind is one of its own, and all are here")
            for event in events {
                for feature in sim.hub.features.all {
                    let trace = EventTrace()
                    feature.handle(event, EventRound(isHeld: false, trace: trace))
                    #expect(trace.parts.isEmpty == !feature.hears.contains(event.kind), "\(feature.name.text), \(event)")
                }
            }
        }
    }
}

@Loop
private final class Broken: Feature {
    let name = FeatureName("broken")

    func start() throws(FeatureFault) { throw FeatureFault("Its table is not there.") }
}

@Loop
private final class Sound: Feature {
    let name = FeatureName("sound")
    private(set) var isStarted = false

    func start() throws(FeatureFault) { isStarted = true }
}

/// Copies of tracks in a file that is damaged.
private struct DamagedCopies: KeptTracks {
    private static let fault = SourceFault(.unavailable, "kept.db is damaged.")

    var spareBytes: Int64? { nil }
    func contents() throws(SourceFault) -> KeptContents { throw Self.fault }
    func put(_ wish: KeptContents.Wish, _ tracks: [KeptContents.Track], dropping dropped: [ItemURI]) throws(SourceFault) {
        throw Self.fault
    }
    func remove(_ wish: KeepWish, dropping dropped: [ItemURI]) throws(SourceFault) { throw Self.fault }
    func setLimit(_ bytes: Int64) throws(SourceFault) { throw Self.fault }
    func has(_ uri: ItemURI) -> Bool { false }
    func copy(of uri: ItemURI) -> NamedFile? { nil }

    func fetch(
        _ track: NamedBytes, of uri: ItemURI, most: Int64, while mayGoOn: @Sendable (KeepPlan.Progress) async -> Bool
    ) async throws(SourceFault) -> Int64 { throw Self.fault }
}
