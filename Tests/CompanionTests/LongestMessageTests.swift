/// A client that takes no long messages says so in `hello.max`, and everything it is sent fits. BT-HS-019
import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import Harness
import Testing

@testable import BatonHub
@testable import BatonKernel
@testable import BatonLibrary
@testable import Companion

@Suite struct LongestMessageTests {
    private static let bounds = [256, 400, 1024, 4096]
    private static let views: [StateView] = [.watch, .remote, .full]

    /// A hub in which every text is long, every list is long, and there are several rooms.
    @Loop
    private func hub() async throws -> (sim: SimulatedHub, owner: TestRemote) {
        var limits = WireLimits()
        limits.commandBurst = 1000
        let library = LibraryParts(
            userMarks: MemoryUserMarks(), control: MemoryLibraryControl(), connectors: [MemorySource(textBytes: 240)])
        let sim = try SimulatedHub(limits: limits, library: library)
        let owner = try sim.remote(id: "owner-1")
        for number in 0..<6 {
            let name = "Room \(number) " + String(repeating: "\"", count: 50)
            _ = await owner.awaitReply(owner.send(Commands.RoomCreate(name), key: "room-\(number)"))
        }
        _ = await owner.awaitReply(
            owner.send(Commands.QueueAdd([ItemURI("lib:shelf/tracks")]), key: "key-add"))
        _ = await owner.awaitReply(owner.send(Commands.Play()))
        return (sim, owner)
    }

    @Loop
    private func remote(
        _ sim: SimulatedHub, _ view: StateView, _ longest: Int, over channel: Peer.Channel = .loopback
    ) throws -> TestRemote {
        let remote = try sim.connect(over: channel)
        remote.sendText(
            #"{"t":"hello","core":"1.0","view":"\#(view.rawValue)","max":\#(longest),"client":{"id":"small-\#(longest)"}}"#)
        return remote
    }

    @Loop
    private func longest(of remote: TestRemote) -> Int { remote.frames.map(\.utf8.count).max() ?? 0 }

    @Test(arguments: bounds) func `the state comes in messages that fit, and whole`(longest: Int) async throws {
        try await onLoop {
            let (sim, owner) = try await hub()
            for view in Self.views {
                let remote = try remote(sim, view, longest)
                let free = try sim.connect()
                free.sendText(#"{"t":"hello","core":"1.0","view":"\#(view.rawValue)","client":{"id":"free-one"}}"#)
                for number in 0..<5 {
                    _ = owner.send(Commands.Next(), key: "next-\(number)")
                    _ = owner.send(Commands.VolumeSet(number * 7))
                    sim.time.pass(.seconds(1))
                }
                remote.sendText(#"{"t":"sync"}"#)

                #expect(self.longest(of: remote) <= longest, "\(view)")
                #expect(remote.gaps == 0)
                let wholes = remote.frames.filter { $0.contains(#""full":1"#) }
                let areParts = longest == 256 && view != .watch
                #expect(!areParts || wholes.allSatisfy { $0.contains(#""rev":0,"#) }, "only the last part leads to a revision")
                #expect(remote.mirror.revision == free.mirror.revision)
                #expect(remote.mirror.sections == free.mirror.sections, "\(view)")
                #expect(remote.frames.contains { $0.contains(#""max":\#(longest)"#) })
                remote.drop()
                free.drop()
            }
        }
    }

    @Test(arguments: bounds) func `a queue can be read to its end, page by page`(longest: Int) async throws {
        try await onLoop {
            let (sim, _) = try await hub()
            let remote = try remote(sim, .remote, longest)
            var rows: [EntryID] = []
            var pages = 0
            while true {
                let id = remote.send(Commands.QueueWindow(from: rows.count))
                let page = try QueuePage(from: try #require(remote.reply(id)?.data))
                if page.rows.isEmpty { break }
                rows += page.rows.map(\.entry)
                pages += 1
                sim.time.pass(.milliseconds(100))
            }

            #expect(rows.count == sim.hub.rooms.first.room.queue.count)
            #expect(Set(rows).count == rows.count)
            #expect(pages > 1)
            #expect(self.longest(of: remote) <= longest)
        }
    }

    @Test(arguments: bounds) func `every other answer fits, too, or says that it cannot`(longest: Int) async throws {
        try await onLoop {
            let (sim, _) = try await hub()
            let remote = try remote(sim, .full, longest, over: .unix(uid: 0, gid: 0))
            var refused: [String] = []
            @Loop func ask(_ command: some WireCommand, key: String? = nil) async {
                let reply = await remote.awaitReply(remote.send(command, key: key))
                if case .failed(let error)? = reply?.reply.outcome { refused.append("\(type(of: command)): \(error.code)") }
                sim.time.pass(.milliseconds(200))
            }
            await ask(Commands.Search("Song"))
            await ask(Commands.Browse())
            await ask(Commands.Browse(node: ItemURI("lib:shelf/tracks")))
            await ask(Commands.Item(ItemURI("lib:track/7"), lyrics: true))
            await ask(Commands.QueueHistory())
            await ask(Commands.Info())
            await ask(Commands.PairOpen(), key: "open-1")
            await ask(Commands.Devices())
            await ask(Commands.QueueAdd([ItemURI("lib:shelf/tracks")]), key: "many-ids")
            remote.sendText(#"{"t":"cmd","id":99999,"m":"\#(String(repeating: "x", count: 60))"}"#)

            #expect(self.longest(of: remote) <= longest)
            #expect(longest < 1024 || refused.isEmpty, "\(refused)")
            #expect(refused.filter { !$0.hasSuffix("too_large") } == [])
        }
    }

    @Test func `a queue that is followed is read anew when what happened does not fit`() async throws {
        try await onLoop {
            let (sim, owner) = try await hub()
            let remote = try remote(sim, .remote, 400)
            remote.sendText(#"{"t":"sub","id":1,"queue":{"from":0,"n":5}}"#)
            _ = await owner.awaitReply(owner.send(Commands.QueueAdd([ItemURI("lib:shelf/tracks")]), key: "key-again"))
            sim.time.pass(.seconds(1))

            #expect(remote.frames.contains { $0.contains(#""t":"q""#) && $0.contains(#""reset":1"#) })
            #expect(longest(of: remote) <= 400)
        }
    }

    @Test func `a bound below 256 is refused with a sentence`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let remote = try remote(sim, .watch, 255)

            #expect(remote.closed?.code == 4400)
            #expect(remote.closed?.why.contains("max") == true)
            #expect(remote.closed?.why.contains("256") == true)
        }
    }
}
