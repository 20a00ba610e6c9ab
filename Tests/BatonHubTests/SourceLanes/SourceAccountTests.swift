/// Accounts at servers: added, changed, removed, shown in the section `src`, and there again after a restart.
import BatonClient
import BatonCore
import BatonHub
import BatonKernel
import BatonLibrary
import BatonProtocol
import BatonSeams
import BatonServers
import BatonWire
import Harness
import Testing

@Suite struct `Accounts at servers` {
    private static let login = SourceLogin(user: "anna", password: "open sesame")

    private static func attic(_ name: String = "attic", url: String = "https://music.example.org") -> Commands.SourceAdd {
        Commands.SourceAdd(name, kind: "memory", url: url, title: "The attic", login: login, options: ["quality": "raw"])
    }

    @Loop
    private func hub(_ accounts: MemoryAccounts, _ parts: AccountParts? = nil) async throws -> SimulatedHub {
        let sim = try SimulatedHub(library: LibraryParts(userMarks: MemoryUserMarks(), connectors: [MemorySource()]))
        await sim.hub.open(parts ?? .inMemory(accounts))
        return sim
    }

    @Loop
    private func answer(_ remote: TestRemote, _ command: some WireCommand) async throws -> ReceivedReply {
        try #require(await remote.awaitReply(remote.send(command)))
    }

    @Loop
    private func settled(_ sim: SimulatedHub, _ remote: TestRemote) async -> SourcesSection.Source? {
        _ = await sim.time.until(within: .seconds(10)) {
            remote.mirror.sources.map { $0.sources.first?.state != .checking } ?? false
        }
        return remote.mirror.sources?.sources.first
    }

    /// BT-SRC-004 BT-SRC-005 BT-SEC-020 BT-SEC-src BT-CMD-source.add
    @Test func `an account is a source as soon as it is added, and remotes see how it is`() async throws {
        try await onLoop {
            let sim = try await hub(MemoryAccounts())
            let remote = try sim.remote()
            #expect(remote.mirror.sources == nil)

            let added = try await answer(remote, Self.attic())

            #expect(added.reply.outcome == .applied())
            #expect(remote.mirror.sources?.sources.first?.title == "The attic")
            let shown = try #require(await settled(sim, remote))
            #expect(shown.state == .ok && shown.name == "attic" && shown.kind == "memory" && shown.latencyMs != nil)
            #expect(shown.abilities.contains("search") && (shown.sinceMs ?? 0) > 0)
            let found = try await answer(remote, Commands.Search("Song 3", source: "attic"))
            #expect(try ItemList(from: try #require(found.data)).rows.map(\.uri.text) == ["attic:track/3"])
        }
    }

    /// BT-SRC-004 BT-CMD-source.list
    @Test func `accounts are there again after a restart`() async throws {
        try await onLoop {
            let accounts = MemoryAccounts()
            let sim = try await hub(accounts)
            _ = try await answer(try sim.remote(), Self.attic())
            try sim.restart()
            await sim.hub.open(.inMemory(accounts))

            let reply = try await answer(try sim.remote(id: "client-2"), Commands.Sources())

            let list = try SourceList(from: try #require(reply.data))
            #expect(
                list.rows == [
                    .init(
                        name: "attic", kind: "memory", title: "The attic", url: "https://music.example.org",
                        user: "anna", options: ["quality": "raw"])
                ])
            #expect(list.kinds.map(\.name) == ["memory"] && list.kinds.first?.options.map(\.name) == ["quality"])
            #expect(list.kinds.first?.login == ["password"])
        }
    }

    /// BT-SRC-004
    @Test(arguments: 0..<3) func `a hub that stops while it keeps an account has all of it or none`(writes: Int) async throws {
        try await onLoop {
            let accounts = MemoryAccounts()
            let sim = try await hub(accounts)
            accounts.allow(writes: writes)
            let reply = try await answer(try sim.remote(), Self.attic())
            #expect(reply.reply.isSuccess == (writes >= 2))
            accounts.allow(writes: .max)
            try sim.restart()
            await sim.hub.open(.inMemory(accounts))
            let remote = try sim.remote(id: "client-2")
            #expect((remote.mirror.sources == nil) == (writes < 2))
            // Once more, it is whole.
            let again = try await answer(remote, Self.attic())
            #expect(again.reply.isSuccess && accounts.names == ["attic"] && accounts.keptSecrets["attic"]?.password == "open sesame")
        }
    }

    /// BT-SRC-001 BT-SRC-002
    @Test func `only admins see where a server is, and no remote sees a password`() async throws {
        try await onLoop {
            let sim = try await hub(MemoryAccounts())
            let admin = try sim.remote()
            _ = try await answer(admin, Self.attic())
            let other = try sim.remote(id: "client-2", over: .loopback)

            let list = try SourceList(from: try #require(try await answer(other, Commands.Sources()).data))
            #expect(list.rows == [.init(name: "attic", kind: "memory", title: "The attic")])
            _ = try await answer(admin, Commands.Sources())
            _ = try await answer(admin, Commands.SourceTest(name: "attic"))
            let said = (admin.frames + other.frames).joined()
            #expect(!said.contains("sesame"))
            #expect(try await answer(other, Self.attic("other")).refusal == .forbidden)
        }
    }

    /// BT-SRC-003
    @Test func `a key of a command with a secret is not kept`() async throws {
        try await onLoop {
            let accounts = MemoryAccounts()
            let sim = try await hub(accounts)
            let remote = try sim.remote()
            let first = remote.send(Self.attic(), key: "same-key")
            #expect(await remote.awaitReply(first)?.reply.outcome == .applied())
            // Under a kept key this would be `key_mismatch`, which shows that a fingerprint of the secret is there.
            var other = Self.attic()
            other.login.password = "another"
            let second = remote.send(other, key: "same-key")
            #expect(await remote.awaitReply(second)?.reply.outcome == .applied())
            #expect(accounts.keptSecrets["attic"]?.password == "another")
        }
    }

    @Test func `the same account again changes nothing, and other secrets replace the first`() async throws {
        try await onLoop {
            let sim = try await hub(MemoryAccounts())
            let remote = try sim.remote()
            #expect(try await answer(remote, Self.attic()).reply.outcome == .applied())
            #expect(try await answer(remote, Self.attic()).reply.outcome == .noop(why: .same))
            let elsewhere = Self.attic(url: "https://other.example.org")
            #expect(try await answer(remote, elsewhere).refusal == .invalidState)
        }
    }

    /// BT-SRC-004
    @Test(arguments: ["lib", "file", "http", "javascript"]) func `the hub's own names are refused`(name: String) async throws {
        try await onLoop {
            let sim = try await hub(MemoryAccounts())
            #expect(try await answer(try sim.remote(), Self.attic(name)).refusal == .invalidState)
        }
    }

    @Test func `what an account lacks is said in a sentence`() async throws {
        try await onLoop {
            let sim = try await hub(MemoryAccounts())
            let remote = try sim.remote()
            var new = Self.attic()
            new.kind = "tape"
            #expect(try await answer(remote, new).refusal == .badRequest)
            new = Self.attic()
            new.login.password = nil
            #expect(try await answer(remote, new).refusal == .badRequest)
            new = Self.attic()
            new.options = ["quality": "loud"]
            #expect(try await answer(remote, new).refusal == .badRequest)
            new.options = ["colour": "red"]
            #expect(try await answer(remote, new).refusal == .badRequest)
            #expect(remote.mirror.sources == nil)
        }
    }

    /// BT-LIM-010
    @Test func `a hub has sixteen accounts at most`() async throws {
        try await onLoop {
            let sim = try await hub(MemoryAccounts())
            let remote = try sim.remote()
            for number in 0..<16 {
                #expect(try await answer(remote, Self.attic("attic-\(number)")).reply.isSuccess)
                sim.time.pass(.seconds(1))
            }
            #expect(try await answer(remote, Self.attic("last")).refusal == .quota)
            #expect(remote.mirror.sources?.sources.count == 16)
        }
    }

    /// BT-SRC-006
    @Test func `secrets are not taken to another host`() async throws {
        try await onLoop {
            let sim = try await hub(MemoryAccounts())
            let remote = try sim.remote()
            _ = try await answer(remote, Self.attic())
            let moved = Commands.SourceSet("attic", url: "https://evil.example.org")
            #expect(try await answer(remote, moved).refusal == .badRequest)
            let deeper = Commands.SourceSet("attic", url: "https://music.example.org/sub")
            #expect(try await answer(remote, deeper).reply.outcome == .applied())
            var again = moved
            again.login = Self.login
            #expect(try await answer(remote, again).reply.outcome == .applied())
        }
    }

    /// BT-SEC-020 BT-CMD-source.set
    @Test func `a source that is switched off is not asked, and says so`() async throws {
        try await onLoop {
            let sim = try await hub(MemoryAccounts())
            let remote = try sim.remote()
            _ = try await answer(remote, Self.attic())
            _ = await settled(sim, remote)

            _ = try await answer(remote, Commands.SourceSet("attic", title: "Loft", isEnabled: false))

            #expect(remote.mirror.sources?.sources.first?.state == .disabled)
            let item = try await answer(remote, Commands.Item(ItemURI("attic:track/3")))
            #expect(item.refusal == .unavailable)
            _ = try await answer(remote, Commands.SourceSet("attic", isEnabled: true))
            #expect(await settled(sim, remote)?.state == .ok)
            #expect(remote.mirror.sources?.sources.first?.title == "Loft")
            #expect(try await answer(remote, Commands.Item(ItemURI("attic:track/3"))).reply.isSuccess)
        }
    }

    /// BT-SEC-020 BT-CMD-source.test
    @Test func `a server that is down is shown with the reason, and seen when it is back`() async throws {
        try await onLoop {
            let server = MemorySource("attic", count: 10)
            let sim = try await hub(MemoryAccounts(), .inMemory(MemoryAccounts(), made: { _, _ in server }))
            server.goDown("The server music.example.org cannot be reached.")
            let remote = try sim.remote()
            _ = try await answer(remote, Self.attic())
            let down = await settled(sim, remote)
            #expect(down?.state == .down && down?.sentence == "The server music.example.org cannot be reached.")

            server.goDown(nil)
            let tested = try SourceTested(from: try #require(try await answer(remote, Commands.SourceTest(name: "attic")).data))

            #expect(tested.state == .ok && tested.latencyMs != nil)
            #expect(remote.mirror.sources?.sources.first?.state == .ok)
        }
    }

    /// BT-SRC-010 BT-CMD-source.test
    @Test func `an account is tested before it is kept, and nothing of it stays`() async throws {
        try await onLoop {
            let server = MemorySource("attic", count: 10)
            let accounts = MemoryAccounts()
            let sim = try await hub(accounts, .inMemory(accounts, made: { _, _ in server }))
            let remote = try sim.remote()
            let trial = Commands.SourceTest(kind: "memory", url: "https://music.example.org", login: Self.login)

            let well = try SourceTested(from: try #require(try await answer(remote, trial).data))
            #expect(well.state == .ok && well.latencyMs != nil)
            server.goDown("The server music.example.org does not know this user.")
            let tested = try SourceTested(from: try #require(try await answer(remote, trial).data))
            #expect(tested.state == .down && tested.sentence == "The server music.example.org does not know this user.")

            let bare = Commands.SourceTest(kind: "memory", url: "https://music.example.org")
            #expect(try await answer(remote, bare).refusal == .badRequest)
            let strange = Commands.SourceTest(kind: "nothing", url: "https://music.example.org", login: Self.login)
            #expect(try await answer(remote, strange).refusal == .badRequest)
            #expect(remote.mirror.sources == nil && accounts.names.isEmpty && accounts.keptSecrets.isEmpty)
            #expect(try await answer(remote, Commands.Item(ItemURI("trial:track/3"))).refusal == .notFound)
        }
    }

    /// BT-SRC-007 BT-CMD-source.remove
    @Test func `an account that is removed leaves playlists alone`() async throws {
        try await onLoop {
            let accounts = MemoryAccounts()
            let sim = try await hub(accounts)
            let remote = try sim.remote()
            _ = try await answer(remote, Self.attic())
            _ = await settled(sim, remote)
            let made = remote.send(Commands.PlaylistCreate("Run", uris: [ItemURI("attic:track/3")]), key: "key-1")
            let list = try PlaylistEdited(from: try #require(await remote.awaitReply(made)?.data))

            #expect(try await answer(remote, Commands.SourceRemove("attic")).reply.outcome == .applied())

            #expect(remote.mirror.sources == nil && accounts.names == [] && accounts.keptSecrets == [:])
            let id = try #require(list.id)
            let kept = try PlaylistContents(from: try #require(try await answer(remote, Commands.Playlist(id)).data))
            #expect(kept.rows.map(\.row.uri.text) == ["attic:track/3"] && kept.rows.allSatisfy(\.row.isAway))
            #expect(try await answer(remote, Commands.SourceRemove("attic")).reply.outcome == .noop(why: .same))
        }
    }

    /// BT-SRC-008
    @Test func `an account of the settings is changed there only`() async throws {
        try await onLoop {
            var account = SourceAccount(name: "attic", kind: "memory", url: "http://attic.local:4533")
            account.isConfigured = true
            let secrets = SourceSecrets(user: "anna", password: "open sesame")
            let sim = try await hub(MemoryAccounts(), .inMemory(MemoryAccounts(), configured: [.init(account, secrets)]))
            let remote = try sim.remote()
            #expect(await settled(sim, remote)?.state == .ok)
            #expect(try await answer(remote, Commands.SourceSet("attic", isEnabled: false)).refusal == .invalidState)
            #expect(try await answer(remote, Commands.SourceRemove("attic")).refusal == .invalidState)
            let list = try SourceList(from: try #require(try await answer(remote, Commands.Sources()).data))
            #expect(list.rows.first?.isConfigured == true)
        }
    }

    /// BT-SEC-020
    @Test func `an account without its secrets waits for them`() async throws {
        try await onLoop {
            let accounts = MemoryAccounts()
            try accounts.store(SourceAccount(name: "attic", kind: "memory", url: "http://attic.local:4533"))
            let sim = try await hub(accounts)
            let remote = try sim.remote()
            let shown = remote.mirror.sources?.sources.first
            #expect(shown?.state == .unconfigured && shown?.sentence?.contains("baton source set attic") == true)
            var change = Commands.SourceSet("attic")
            change.login = Self.login
            #expect(try await answer(remote, change).reply.outcome == .applied())
            #expect(await settled(sim, remote)?.state == .ok)
        }
    }

    /// BT-CMD-source.pending BT-CMD-source.sync
    @Test func `a hub without copies of rows says so, and nothing waits for a server`() async throws {
        try await onLoop {
            let sim = try await hub(MemoryAccounts())
            let remote = try sim.remote()
            _ = try await answer(remote, Self.attic())
            #expect(try await answer(remote, Commands.SourceSync("attic")).refusal == .unsupported)
            let pending = try PendingNotes(from: try #require(try await answer(remote, Commands.SourcePending("attic")).data))
            #expect(pending == PendingNotes([], total: 0))
            #expect(try await answer(remote, Commands.SourcePending("none")).refusal == .notFound)
        }
    }

    @Test func `a hub without accounts refuses their commands`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            #expect(try await answer(try sim.remote(), Commands.Sources()).refusal == .unsupported)
        }
    }
}
