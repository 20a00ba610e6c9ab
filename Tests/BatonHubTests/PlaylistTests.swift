import BatonCore
import BatonHub
import BatonLibrary
import BatonProtocol
import BatonSeams
import BatonWire
import Harness
import Testing

@Suite struct `Playlists are kept` {
    @Loop
    private func hub(_ source: MemorySource = MemorySource(), _ userMarks: MemoryUserMarks = MemoryUserMarks()) throws -> SimulatedHub {
        try SimulatedHub(library: LibraryParts(userMarks: userMarks, connectors: [source]))
    }

    @Loop
    private func edited(_ remote: TestRemote, _ ops: [PlaylistOp], base: Int? = nil, key: String) async -> ReceivedReply? {
        await remote.awaitReply(remote.send(Commands.PlaylistEdit(id: PlaylistID("p1"), base: base, ops: ops), key: key))
    }

    @Loop
    private func contents(_ remote: TestRemote) async throws -> [String] {
        let reply = await remote.awaitReply(remote.send(Commands.Playlist(PlaylistID("p1"))))
        return try PlaylistContents(from: try #require(reply?.data)).rows.map(\.row.uri.text)
    }

    /// BT-PLS-004 BT-PLS-005
    @Test func `a list is made, edited, taken back and deleted`() async throws {
        try await onLoop {
            let sim = try hub()
            let remote = try sim.remote()
            let made = await remote.awaitReply(
                remote.send(Commands.PlaylistCreate("Run", uris: [ItemURI("lib:track/1"), ItemURI("lib:track/2")]), key: "key-1"))
            let list = try PlaylistEdited(from: try #require(made?.data))
            #expect(list.id == PlaylistID("p1") && list.revision == 1 && list.added.count == 2)
            #expect(remote.mirror.playlists?.count == 1)

            let first = list.added[0]
            let ops: [PlaylistOp] = [
                .add([ItemURI("lib:track/3")], at: .after(first)), .plain(.remove([first])), .plain(.rename("Walk")),
            ]
            let edit = await edited(remote, ops, key: "key-2")
            #expect(try PlaylistEdited(from: try #require(edit?.data)).added.count == 1)
            #expect(try await contents(remote) == ["lib:track/3", "lib:track/2"])

            _ = await edited(remote, [.plain(.clear)], base: 2, key: "key-3")
            #expect(try await contents(remote).isEmpty)
            _ = await edited(remote, [.plain(.undo)], key: "key-4")
            #expect(try await contents(remote) == ["lib:track/3", "lib:track/2"])

            #expect(
                await remote.awaitReply(remote.send(Commands.PlaylistDelete(id: PlaylistID("p1")), key: "key-5"))?.reply.outcome
                    == .applied())
            #expect(
                await remote.awaitReply(remote.send(Commands.PlaylistDelete(id: PlaylistID("p1")), key: "key-6"))?.reply.outcome
                    == .noop(why: .same))
            #expect(await remote.awaitReply(remote.send(Commands.Playlist(PlaylistID("p1"))))?.refusal == .notFound)
            #expect(remote.mirror.playlists?.count == 0)
        }
    }

    /// BT-PLS-003
    @Test func `the same press is one, also by two connections at once and while its source is down`() async throws {
        try await onLoop {
            let source = MemorySource()
            let sim = try hub(source)
            let one = try sim.remote(id: "same-1")
            let two = try sim.connect(over: .unix(uid: 0, gid: 0))
            two.sendText(#"{"t":"hello","core":"1.0","view":"full","client":{"id":"same-1","run":"another"}}"#)
            let press = Commands.PlaylistCreate("Run", uris: [ItemURI("lib:track/1")])
            let first = one.send(press, key: "key-1")
            let second = two.send(press, key: "key-1")
            let replies = [await one.awaitReply(first), await two.awaitReply(second)]
            #expect(replies.map { $0?.reply.why }.count { $0 == .dup } == 1)
            #expect(Set(replies.compactMap { $0?.data?["id"]?.string }) == ["p1"])

            source.goDown("It is not there.")
            let third = await one.awaitReply(one.send(press, key: "key-1"))
            #expect(third?.reply.why == .dup && third?.data?["id"]?.string == "p1")
            #expect(await one.awaitReply(one.send(Commands.PlaylistCreate("Other"), key: "key-1"))?.refusal == .keyMismatch)
            let lists = await one.awaitReply(one.send(Commands.Playlists()))
            #expect(try PlaylistList(from: try #require(lists?.data)).rows.count == 1)
        }
    }

    /// BT-PLS-006
    @Test func `an edit that was made for another list is refused, and nothing of it happens`() async throws {
        try await onLoop {
            let sim = try hub()
            let remote = try sim.remote()
            _ = await remote.awaitReply(remote.send(Commands.PlaylistCreate("Run", uris: [ItemURI("lib:track/1")]), key: "key-1"))
            let gone = EntryID(333)
            #expect(await edited(remote, [.plain(.clear)], base: 7, key: "key-2")?.refusal == .queueConflict)
            #expect(remote.frames.last { $0.contains("queue_conflict") }?.contains(#""rev":1}"#) == true, "the list's own revision")
            #expect(await edited(remote, [.add([ItemURI("lib:track/2")], at: .after(gone))], key: "key-3")?.refusal == .anchorGone)
            #expect(
                await edited(remote, [.add([ItemURI("lib:track/2")], at: .end), .plain(.move([gone], to: .after(nil)))], key: "key-4")?
                    .refusal == .gone)
            #expect(try await contents(remote) == ["lib:track/1"])
            let lost = await edited(remote, [.add([ItemURI("lib:track/1"), ItemURI("lib:track/9999")], at: .end)], key: "key-5")
            #expect(lost?.refusal == .notFound)
            guard case .failed(let error)? = lost?.reply.outcome else { return #expect(Bool(false)) }
            #expect(error.at == "/p/ops/0/add/1")
        }
    }

    @Test func `everyone is told that a list has changed, before its author is answered`() async throws {
        try await onLoop {
            let sim = try hub()
            let remote = try sim.remote(id: "one-1")
            let other = try sim.remote(.remote, id: "two-1")
            sim.time.pass(.seconds(2))
            remote.forgetFrames()
            _ = await remote.awaitReply(remote.send(Commands.PlaylistCreate("Run"), key: "key-1"))
            #expect(remote.frames.first?.contains(#""pl":{"rev":1,"n":1}"#) == true)
            sim.time.pass(.seconds(1))
            #expect(other.mirror.playlists?.count == 1)
        }
    }

    @Test func `guests and listeners look, and change nothing`() async throws {
        try await onLoop {
            let lan = try SimulatedHub(
                lanPlain: .guest, library: LibraryParts(userMarks: MemoryUserMarks(), connectors: [MemorySource()]))
            let guest = try lan.connect(over: .network, from: "10.0.0.7")
            guest.sendText(#"{"t":"hello","core":"1.0","view":"full","client":{"id":"guest-1"}}"#)
            #expect(await guest.awaitReply(guest.send(Commands.Playlists()))?.reply.isSuccess == true)
            #expect(await guest.awaitReply(guest.send(Commands.PlaylistCreate("Run"), key: "key-1"))?.refusal == .forbidden)
            #expect(await guest.awaitReply(guest.send(Commands.FavouriteSet(ItemURI("lib:track/1"), isOn: true)))?.refusal == .forbidden)
        }
    }
}
