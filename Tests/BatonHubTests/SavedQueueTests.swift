/// Queues that accounts keep at their servers: saved, gone on with, and offered in the section `src`.
import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import Harness
import Testing

@testable import BatonHub
@testable import BatonKernel
@testable import BatonLibrary
@testable import BatonServers

@Suite struct `Queues that servers keep` {
    @Loop
    private func open(_ sim: SimulatedHub, _ server: KeepingServer, _ accounts: MemoryAccounts) async throws {
        await sim.hub.open(.inMemory(accounts) { _, _ in server })
        try await until(sim) { sim.hub.sources.latencyMs(of: "attic") != nil }
    }

    /// A hub with an account at this server.
    @Loop
    private func hub(_ server: KeepingServer, _ accounts: MemoryAccounts = MemoryAccounts()) async throws -> SimulatedHub {
        let sim = try SimulatedHub(library: LibraryParts(userMarks: MemoryUserMarks(), connectors: [MemorySource()]))
        try accounts.store(SourceAccount(name: "attic", title: "The attic", kind: "memory", url: "https://music.example.org"))
        try accounts.vault.store(SourceSecrets(user: "anna", password: "open sesame"), of: "attic")
        try await open(sim, server, accounts)
        return sim
    }

    @Loop
    private func answer(_ remote: TestRemote, _ command: some WireCommand, key: String? = nil) async throws -> ReceivedReply {
        try #require(await remote.awaitReply(remote.send(command, key: key)))
    }

    @Loop
    private func add(_ remote: TestRemote, _ uris: [ItemURI]) async throws {
        #expect(try await answer(remote, Commands.QueueAdd(uris), key: "add\(uris.count)").reply.isSuccess)
    }

    private func offered(_ remote: TestRemote) -> SourcesSection.Saved? {
        Loop.assumeIsolated { remote.mirror.sources?.sources.first?.saved }
    }

    private static let local = (0..<3).map { ItemURI("lib:track/\($0)") }

    /// BT-QUE-025 BT-CMD-queue.save
    @Test func `a queue is saved with its current track and position, and entries of other sources are passed over`() async throws {
        try await onLoop {
            let server = KeepingServer()
            let sim = try await hub(server)
            let remote = try sim.remote()
            try await add(remote, [Self.local[0], server.song(3), server.song(4), Self.local[1], server.song(3)])
            let entry = try #require(sim.hub.rooms.first.room.queue.entries[2..<3].first?.id)
            _ = try await answer(remote, Commands.Jump(entry))
            try await until(sim) { sim.hub.rooms.first.room.timeline.state == .playing }
            sim.time.pass(.seconds(40))

            let reply = try await answer(remote, Commands.QueueSave("attic"))

            #expect(try QueueSaved(from: try #require(reply.data)) == QueueSaved(saved: 3, passed: 2))
            guard case .queue(let uris, let current, let ms)? = server.saves.last else { return #expect(Bool(false)) }
            #expect(uris == [server.song(3), server.song(4), server.song(3)] && current == server.song(4))
            #expect((ms - 40_000).magnitude < 1_000)
            #expect(sim.hub.rooms.first.room.queue.count == 5)
        }
    }

    /// BT-QUE-025
    @Test func `a current entry of another source gives way to the next track that the server has`() {
        func part(_ uris: [String], current: Int) -> QueuePart? {
            let entries = uris.enumerated().map { QueueEntry(id: EntryID(UInt64($0 + 1)), uri: ItemURI($1), tags: Tags()) }
            var queue = PlaybackQueue()
            _ = queue.replace(with: entries, current: entries[current].id)
            return QueuePart(queue, positionMs: 7_000, of: "attic")
        }

        let mixed = part(["attic:track/1", "lib:track/1", "attic:track/2", "attics:track/9", "attic:station/4"], current: 1)
        #expect(mixed?.uris.map(\.text) == ["attic:track/1", "attic:track/2"] && mixed?.passed == 3)
        #expect(mixed?.current.text == "attic:track/2" && mixed?.positionMs == 0)
        #expect(part(["attic:track/1", "lib:track/1"], current: 1)?.current.text == "attic:track/1")
        #expect(part(["lib:track/1"], current: 0) == nil)

        let long = part((0..<3_000).map { "attic:track/\($0)" }, current: 2_500)
        #expect(long?.uris.count == 1_000 && long?.passed == 2_000 && long?.positionMs == 7_000)
        #expect(long?.uris.first?.text == "attic:track/2000" && long?.current.text == "attic:track/2500")
    }

    /// BT-QUE-026 BT-CMD-queue.continue
    @Test func `a queue at a server goes on here, and undo brings back the one before`() async throws {
        try await onLoop {
            let server = KeepingServer()
            server.queue = server.saved([5, 6, 7], current: 1, ms: 133_000)
            let sim = try await hub(server)
            let remote = try sim.remote()
            try await add(remote, Self.local)

            let first = try await answer(remote, Commands.QueueContinue("attic"), key: "press")
            let again = try await answer(remote, Commands.QueueContinue("attic"), key: "press")

            let room = sim.hub.rooms.first
            #expect(first.reply.queue?.ids?.count == 3 && again.reply.queue == first.reply.queue)
            #expect(room.room.queue.entries.map(\.uri) == [5, 6, 7].map(server.song))
            #expect(room.room.currentEntry?.tags.title == "Song 6" && room.room.isPlaying)
            #expect(room.room.timeline.positionMs == 133_000)
            #expect(try await answer(remote, Commands.QueueUndo(), key: "undo").reply.isSuccess)
            #expect(Set(room.room.queue.entries.map(\.uri)).isSuperset(of: Self.local))
        }
    }

    /// BT-QUE-027
    @Test func `a queue that another player saved is offered until this hub saved one or went on with it, also after a restart`()
        async throws
    {
        try await onLoop {
            let (server, accounts) = (KeepingServer(), MemoryAccounts())
            server.queue = server.saved([5, 6, 7], current: 1, ms: 133_000)
            let sim = try await hub(server, accounts)
            let remote = try sim.remote()
            try await until(sim) { offered(remote) != nil }
            #expect(offered(remote) == .init(title: "Song 6", positionMs: 133_000, atMs: 1_700_000_000_000))

            _ = try await answer(remote, Commands.QueueContinue("attic"), key: "press")
            #expect(offered(remote) == nil)
            _ = try await answer(remote, Commands.QueueSave("attic"))
            let reads = server.reads
            _ = try await answer(remote, Commands.SourceTest(name: "attic"))
            try await until(sim) { server.reads > reads }
            await untilQuiet()
            #expect(offered(remote) == nil)

            try sim.restart()
            try await open(sim, server, accounts)
            let later = try sim.remote()
            try await until(sim) { server.reads > reads + 1 }
            await untilQuiet()
            #expect(offered(later) == nil)

            server.queue?.positionMs += 60_000
            _ = try await answer(later, Commands.SourceTest(name: "attic"))
            try await until(sim) { offered(later) != nil }
        }
    }

    /// BT-QUE-027
    @Test func `a server is asked for its queue every five minutes while clients are connected, and not otherwise`() async throws {
        try await onLoop {
            let server = KeepingServer()
            let sim = try await hub(server)
            // Five minutes that end while the server is still being asked ask it no second time.
            func untilAsked(_ times: Int) async throws {
                try await until(sim) { server.reads == times && sim.hub.savedQueues.reading.isEmpty }
            }
            try await untilAsked(1)
            for _ in 0..<5 {
                sim.time.pass(.seconds(400))
                await untilQuiet()
            }
            #expect(server.reads == 1)

            let remote = try sim.remote()
            try await untilAsked(2)
            for reads in 3...5 {
                sim.time.pass(.seconds(301))
                try await untilAsked(reads)
            }
            #expect(remote.closed == nil)
        }
    }

    @Test func `a server that is away says so, and no queue is changed`() async throws {
        try await onLoop {
            let server = KeepingServer()
            server.queue = server.saved([5], current: 0, ms: 10)
            let sim = try await hub(server)
            let remote = try sim.remote()
            try await add(remote, [server.song(1)])
            server.isDown = true

            let commands: [Int] = [
                remote.send(Commands.QueueSave("attic")), remote.send(Commands.QueueContinue("attic"), key: "press"),
            ]
            for id in commands {
                guard case .failed(let error)? = await remote.awaitReply(id)?.reply.outcome else { return #expect(Bool(false)) }
                #expect(error.known == .unavailable && error.message.contains("attic"))
            }
            #expect(server.saves.isEmpty && sim.hub.rooms.first.room.queue.entries.map(\.uri) == [server.song(1)])
            #expect(remote.mirror.sources?.sources.first?.saved == nil || remote.mirror.sources?.sources.first?.state == .ok)
        }
    }
}
