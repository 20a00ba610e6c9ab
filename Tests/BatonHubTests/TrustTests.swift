import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import Harness
import Synchronization
import Testing

@testable import BatonHub
@testable import BatonKernel
@testable import BatonLibrary
@testable import Companion

@Suite struct `Entries keep the trust of those who added them` {
    /// Takes any name, and notes with which trust it is looked up.
    private final class Names: Connector {
        let source = "name"
        private let state = Mutex<[String: Trust]>([:])

        var asked: [String: Trust] { state.withLock { $0 } }

        func expand(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> [NewEntry] {
            [NewEntry(uri: uri, tags: Tags(title: uri.text, durationMs: 1_000))]
        }

        func resolve(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> Playable {
            state.withLock { $0[uri.text] = trust }
            return Playable(.file(uri.text))
        }
    }

    @Loop
    private func hub(_ names: Names) throws -> SimulatedHub {
        try SimulatedHub(
            lanPlain: .guest, library: LibraryParts(userMarks: MemoryUserMarks(), connectors: [names, PlaylistShelf()]))
    }

    /// The playlists as a source, as they are stored.
    private struct PlaylistShelf: Connector {
        let source = "pl"

        func expand(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> [NewEntry] {
            [NewEntry(uri: ItemURI("name:kept"), tags: Tags(title: "kept", durationMs: 1_000), trust: .anyPath)]
        }

        func resolve(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> Playable { Playable(.file("")) }
    }

    @Test func `what is played is looked up with the trust of the connection that added it, also after a restart`() async throws {
        try await onLoop {
            let names = Names()
            let sim = try hub(names)
            let owner = try sim.remote(id: "owner")
            let near = try sim.remote(id: "near", over: .loopback)
            for (remote, name, key) in [(owner, "name:owner", "add-1"), (near, "name:near", "add-2"), (near, "pl:list/1", "add-3")] {
                let answer = await remote.awaitReply(remote.send(Commands.QueueAdd([ItemURI(name)]), key: key))
                #expect(answer?.reply.outcome == .applied(), "\(name)")
            }
            #expect(sim.hub.rooms.first.room.queue.entries.map(\.trust) == [.anyPath, .musicFolders, .anyPath])

            try sim.restart()
            sim.hub.open(LibraryParts(userMarks: MemoryUserMarks(), connectors: [names]))
            sim.hub.settle()
            let again = try sim.remote(id: "owner")
            for (number, press) in ([Commands.Play(), Commands.Next(), Commands.Next()] as [any WireCommand]).enumerated() {
                again.send(press, key: "press-\(number)")
                await sim.settle()
            }

            #expect(names.asked == ["name:owner": .anyPath, "name:near": .musicFolders, "name:kept": .anyPath])
        }
    }

    @Loop
    private final class Everything: WelcomeMusic {
        let welcome: ItemURI? = ItemURI("name:everything")
    }

    /// The hub keeps it alive no longer than others do.
    @Loop private static let everything = Everything()

    @Test func `pressing play in an empty room reaches no further than the music folders`() async throws {
        try await onLoop {
            let sim = try hub(Names())
            sim.hub.welcome(with: Self.everything)
            let owner = try sim.remote(id: "owner")
            _ = await owner.awaitReply(owner.send(Commands.Play(), key: "play-1"))
            #expect(sim.hub.rooms.first.room.queue.entries.map(\.trust) == [.musicFolders])
        }
    }
}
