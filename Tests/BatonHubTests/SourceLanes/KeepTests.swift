/// What people keep is fetched, shown, and played while its server is away: through outages, full disks, changes and restarts.
import BatonClient
import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import Harness
import Testing

@testable import BatonCopies
@testable import BatonHub
@testable import BatonKernel
@testable import BatonLibrary

@Suite(.serialized) struct `Kept tracks` {
    @Loop
    private struct World: HubWorld {
        let server = SimulatedAlbums()
        let kept = MemoryKept()
        let marks = MemoryUserMarks()
        let sim: SimulatedHub

        init(limit: Int64 = 1 << 20, rate: Int64 = 0) async throws {
            sim = try SimulatedHub(library: LibraryParts(userMarks: marks, connectors: [server, PlaylistsInMemory(marks)]))
            await sim.hub.keep(kept, limit: limit, rate: rate)
        }

        func restart() async throws {
            await sim.hub.close()
            try sim.restart()
            await sim.hub.keep(kept, limit: 1 << 20)
        }

        func pass(seconds: Int) async { await sim.time.passQuietly(.seconds(seconds)) }

        func keep(_ remote: TestRemote, _ wish: KeepWish, _ isOn: Bool = true) async throws -> ReceivedReply {
            try await send(remote, Commands.KeepSet(wish, isOn))
        }
    }

    /// BT-KEEP-001 BT-KEEP-003 BT-KEEP-005 BT-SEC-021 BT-SEC-keep BT-CMD-keep.set BT-CMD-keep.list
    @Test func `an album is fetched two tracks at a time, and its rows are marked`() async throws {
        try await onLoop {
            let world = try await World()
            let remote = try world.sim.remote()
            #expect(remote.mirror.keeping == nil)

            #expect(try await world.keep(remote, .item(world.server.album(1))).reply.outcome == .applied())
            #expect(await world.until { remote.mirror.keeping?.whole == 5 })

            #expect(world.kept.copies[world.server.track(12)] == SimulatedAlbums.content(12))
            #expect(world.kept.change { $0.most } == 2)
            let section = try #require(remote.mirror.keeping)
            #expect(section.tracks == 5 && section.bytes == 25_000 && section.limit == 1 << 20 && section.sentence == nil)
            let list = try KeptList(from: try #require(try await world.send(remote, Commands.KeepList()).data))
            #expect(list.rows.map(\.title) == ["Album 1"] && list.rows.first?.whole == 5 && list.rows.first?.kind == .album)
            let found = try ItemList(from: try #require(try await world.send(remote, Commands.Browse(node: world.server.album(1))).data))
            #expect(
                found.rows.allSatisfy { $0.kept == KeepMark(percent: 100) } && found.node?.kept == nil || found.node?.kept?.isWhole == true)
            #expect(try await world.keep(remote, .item(world.server.album(1))).reply.outcome == .noop(why: .same))
        }
    }

    @Test func `the list is read on from a row`() async throws {
        try await onLoop {
            let world = try await World()
            let remote = try world.sim.remote()
            for album in 1...3 { _ = try await world.keep(remote, .item(world.server.album(album))) }
            func rows(from: Int) async throws -> [KeptList.Row] {
                try KeptList(from: try #require(try await world.send(remote, Commands.KeepList(from: from)).data)).rows
            }

            let all = try await rows(from: 0)
            #expect(all.count == 3)
            for from in 1...3 { #expect(try await rows(from: from).map(\.wish) == all.dropFirst(from).map(\.wish)) }
            #expect(try await rows(from: 10_000_000).isEmpty)
        }
    }

    @Test func `two tracks together come no faster than the hub was told`() async throws {
        try await onLoop {
            let world = try await World(rate: 1_000)
            let remote = try world.sim.remote()
            _ = try await world.keep(remote, .item(world.server.album(1)))
            let isBegun = await world.until { world.kept.change { $0.fetched } > 0 }
            let before = world.kept.change { $0.fetched }
            await world.pass(seconds: 10)
            let after = world.kept.change { $0.fetched }

            #expect(isBegun && 8_000...12_000 ~= after - before, "\(after - before) bytes came.")
            #expect(await world.until(within: 60) { remote.mirror.keeping?.whole == 5 })
        }
    }

    /// BT-KEEP-009
    @Test func `rows of the queue say what is kept, by their own place or by another one that is whole`() async throws {
        try await onLoop {
            let world = try await World()
            let remote = try world.sim.remote()
            _ = remote.send(Commands.QueueAdd([world.server.album(1)]), key: "add-1")
            #expect(await world.until { remote.mirror.queue?.length == 5 })
            func rows() async throws -> [KeepMark?] {
                let page = try QueuePage(from: try #require(try await world.send(remote, Commands.QueueWindow()).data))
                return page.rows.map(\.kept)
            }
            #expect(try await rows() == Array(repeating: nil, count: 5))

            _ = try await world.keep(remote, .item(world.server.track(12)))
            #expect(await world.until { remote.mirror.keeping?.whole == 1 })

            #expect(try await rows().compactMap { $0 } == [KeepMark(percent: 100)])
        }
    }

    /// BT-KEEP-001 BT-KEEP-002
    @Test func `a server that goes away in the middle is waited for, and a part is gone on with`() async throws {
        try await onLoop {
            let world = try await World()
            let remote = try world.sim.remote()
            world.server.change { $0.piecesLeft = 9 }
            _ = try await world.keep(remote, .item(world.server.album(1)))
            #expect(await world.until { remote.mirror.keeping?.sentence != nil })
            #expect(world.kept.copies.count < 5)

            world.server.change { $0.isDown = false }
            #expect(await world.until(within: 400) { remote.mirror.keeping?.whole == 5 })

            #expect(world.kept.change { $0.fetched } == 25_000, "What was there already was read again.")
            for number in 10..<15 { #expect(world.kept.copies[world.server.track(number)] == SimulatedAlbums.content(number)) }
        }
    }

    @Test func `a track that breaks off each time is tried less and less often`() async throws {
        try await onLoop {
            let world = try await World()
            let remote = try world.sim.remote()
            world.server.change { $0.broken = [12] }
            _ = try await world.keep(remote, .item(world.server.album(1)))
            let others = await world.until(within: 5) { remote.mirror.keeping?.whole == 4 }
            #expect(others)
            await world.pass(seconds: 300)
            #expect(5...9 ~= world.server.state.withLock { $0.downloads })
            #expect(remote.mirror.keeping?.sentence == "It broke off.")
        }
    }

    /// BT-KEEP-001
    @Test(arguments: 1...12) func `a hub that ends in the middle goes on where it was`(pieces: Int) async throws {
        try await onLoop {
            let world = try await World()
            let remote = try world.sim.remote()
            world.server.change { $0.piecesLeft = pieces }
            _ = try await world.keep(remote, .item(world.server.album(1)))
            await world.pass(seconds: 2)
            try await world.restart()
            world.server.change { $0.isDown = false }
            let next = try world.sim.remote(id: "client-2")

            let isWhole = await world.until(within: 400) { next.mirror.keeping?.whole == 5 }
            #expect(isWhole)
            #expect(world.kept.change { $0.fetched } == 25_000)
        }
    }

    /// BT-KEEP-007 BT-KEEP-005
    @Test func `what is kept plays while its server is away, and is not shown as away`() async throws {
        try await onLoop {
            let world = try await World()
            let remote = try world.sim.remote()
            _ = try await world.keep(remote, .item(world.server.album(1)))
            #expect(await world.until { remote.mirror.keeping?.whole == 5 })
            world.server.change { $0.isDown = true }
            await world.sim.hub.sources.checkNow("far")

            let row = await world.sim.hub.library.marked([ItemRow(uri: world.server.track(11), tags: Tags(title: "Song 11"))])[0]
            #expect(!row.isAway && row.kept?.isWhole == true)
            let other = await world.sim.hub.library.marked([ItemRow(uri: world.server.track(20), tags: Tags(title: "Song 20"))])[0]
            #expect(other.isAway)
            let playable = try await world.sim.hub.sources.playable(of: world.server.track(11), trust: .itemsOnly)
            guard case .file(let file) = playable.location else { return #expect(Bool(false), "It plays from elsewhere.") }
            #expect(try file.content.read(at: 0, count: 5000) == SimulatedAlbums.content(11))
        }
    }

    /// BT-KEEP-007
    @Test(arguments: [false, true])
    func `a copy that is not preferred plays where the network of its server is paid by use`(isMetered: Bool) async throws {
        try await onLoop {
            let world = try await World()
            let remote = try world.sim.remote()
            _ = try await world.keep(remote, .item(world.server.track(10)))
            #expect(await world.until { remote.mirror.keeping?.whole == 1 })
            let sources = world.sim.hub.sources
            sources.prefersKept = false
            if isMetered { sources.metered.insert("far") }
            let playable = try await sources.playable(of: world.server.track(10), trust: .itemsOnly)
            guard case .file(let file) = playable.location else { return #expect(Bool(false), "It plays from elsewhere.") }
            #expect((try file.content.read(at: 0, count: 5000) == SimulatedAlbums.content(10)) == isMetered)
        }
    }

    /// BT-KEEP-008
    @Test func `what is available is what can be played now`() async throws {
        try await onLoop {
            let world = try await World()
            let remote = try world.sim.remote()
            _ = try await world.keep(remote, .item(world.server.track(10)))
            #expect(await world.until { remote.mirror.keeping?.whole == 1 })
            world.server.change { $0.isDown = true }
            await world.sim.hub.sources.checkNow("far")
            let library = world.sim.hub.library
            let bare = [10, 11].map { ItemRow(uri: world.server.track($0), tags: Tags(title: "Song \($0)")) }
            let rows = await library.marked(bare)

            #expect(await library.available(rows).map(\.uri) == [world.server.track(10)])

            world.server.change { $0.isDown = false }
            await world.sim.hub.sources.checkNow("far")
            #expect(await library.available(library.marked(bare)).count == 2)
        }
    }

    /// BT-KEEP-004
    @Test func `a full disk stops keeping with a sentence, and it goes on when there is room`() async throws {
        try await onLoop {
            let world = try await World()
            let remote = try world.sim.remote()
            world.kept.change { $0.isFull = true }
            _ = try await world.keep(remote, .item(world.server.album(1)))
            #expect(await world.until { remote.mirror.keeping?.sentence == "The disk is full." })

            world.kept.change { $0.isFull = false }

            #expect(await world.until(within: 90) { remote.mirror.keeping?.whole == 5 })
            #expect(remote.mirror.keeping?.sentence == nil)
        }
    }

    /// BT-KEEP-004 BT-CMD-keep.limit
    @Test func `the limit stops keeping and removes nothing, and a higher one lets it go on`() async throws {
        try await onLoop {
            let world = try await World(limit: 12_000)
            let remote = try world.sim.remote()
            _ = try await world.keep(remote, .item(world.server.album(1)))
            #expect(await world.until { remote.mirror.keeping?.whole == 2 && remote.mirror.keeping?.sentence != nil })
            #expect(world.kept.copies.count == 2)
            #expect(try await world.send(remote, Commands.KeepLimit(1000)).reply.outcome == .applied())
            #expect(world.kept.copies.count == 2)

            #expect(try await world.send(remote, Commands.KeepLimit(1 << 20)).reply.outcome == .applied())

            #expect(await world.until { remote.mirror.keeping?.whole == 5 })
            try await world.restart()
            #expect(world.sim.hub.keeping.limit == 1 << 20)
        }
    }

    /// BT-KEEP-006
    @Test func `a kept playlist follows its edits, and what left the server stays and is marked`() async throws {
        try await onLoop {
            let world = try await World()
            let remote = try world.sim.remote()
            world.server.change { $0.list = [10, 11, 12] }
            _ = try await world.keep(remote, .item(world.server.list))
            #expect(await world.until { remote.mirror.keeping?.whole == 3 })

            world.server.change {
                $0.list = [10, 12, 21]
                $0.gone = [12]
            }
            await world.pass(seconds: 890)
            #expect(await world.until { world.kept.copies[world.server.track(21)] != nil })

            #expect(await world.until { world.kept.copies[world.server.track(11)] == nil })
            #expect(world.kept.copies[world.server.track(10)] != nil && world.kept.copies[world.server.track(12)] != nil)
            #expect(world.sim.hub.keeping.mark(of: world.server.track(12)) == KeepMark(percent: 100, hasLeft: true))
            #expect(world.sim.hub.keeping.mark(of: world.server.track(11)) == nil)
        }
    }

    /// BT-KEEP-001
    @Test func `what is dropped is removed, and the section goes with the last wish`() async throws {
        try await onLoop {
            let world = try await World()
            let remote = try world.sim.remote()
            _ = try await world.keep(remote, .item(world.server.album(1)))
            _ = try await world.keep(remote, .item(world.server.track(11)))
            #expect(await world.until { remote.mirror.keeping?.whole == 5 })
            #expect(try await world.keep(remote, .item(world.server.album(1)), false).reply.outcome == .applied())
            #expect(await world.until { remote.mirror.keeping?.tracks == 1 })
            #expect(Array(world.kept.copies.keys) == [world.server.track(11)])
            #expect(try await world.keep(remote, .item(world.server.track(11)), false).reply.outcome == .applied())
            #expect(await world.until { remote.mirror.keeping == nil })
            #expect(try await world.keep(remote, .item(world.server.track(11)), false).reply.outcome == .noop(why: .same))
        }
    }

    /// BT-KEEP-002
    @Test func `a copy that was changed on the disk is fetched anew`() async throws {
        try await onLoop {
            let world = try await World()
            let remote = try world.sim.remote()
            _ = try await world.keep(remote, .item(world.server.track(11)))
            #expect(await world.until { remote.mirror.keeping?.whole == 1 })
            world.sim.hub.events.send(.copyLost(world.server.track(11)))
            world.kept.change { $0.copies = [:] }
            #expect(await world.until { world.kept.copies.count == 1 && remote.mirror.keeping?.whole == 1 })
            #expect(world.kept.change { $0.fetched } == 10_000)
        }
    }

    /// BT-CMD-keep.set BT-CMD-keep.limit
    @Test func `who may change what is kept, and what cannot be`() async throws {
        try await onLoop {
            let world = try await World()
            let remote = try world.sim.remote()
            #expect(try await world.keep(remote, .item(ItemURI("far:track/99999"))).reply.outcome == .applied())
            world.server.change { $0.gone = [7] }
            let gone = try await world.keep(remote, .item(world.server.track(7)))
            guard case .failed(let fault) = gone.reply.outcome else { return #expect(Bool(false)) }
            #expect(fault.code == "not_found")
            let bare = try SimulatedHub()
            let other = try bare.remote()
            let refused = try #require(await other.awaitReply(other.send(Commands.KeepList())))
            guard case .failed(let none) = refused.reply.outcome else { return #expect(Bool(false)) }
            #expect(none.code == "unsupported")
        }
    }
}

/// The hub's own playlists are no part of these tests.
private struct PlaylistsInMemory: Connector {
    let source = "pl"
    let marks: MemoryUserMarks

    init(_ marks: MemoryUserMarks) { self.marks = marks }

    func expand(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> [NewEntry] { [] }
    func resolve(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> Playable { throw SourceFault(.notFound, "There is none.") }
}
