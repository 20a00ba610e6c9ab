import BatonClient
import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import Harness
import Testing

@testable import BatonHub
@testable import BatonKernel
@testable import Companion

/// One queue and many hands: what each sees of the others' edits, and how an edit is taken back. BT-QUE-014
@Suite struct `A queue for many hands` {
    /// A remote with a queue of so many entries.
    @Loop
    private func diagnostics(_ count: Int) async throws -> (SimulatedHub, TestRemote) {
        let sim = try SimulatedHub()
        let remote = try sim.remote(id: "ana-phone")
        if count > 0 { _ = await remote.awaitReply(remote.send(Commands.QueueAdd([ItemURI("/music/album:\(count)")]), key: "fill")) }
        sim.time.pass(.seconds(1))
        return (sim, remote)
    }

    @Loop
    private func clear(_ remote: TestRemote) -> Commands.QueueClear { Commands.QueueClear(remote.mirror.queue?.revision ?? -1) }

    // MARK: Undo

    @Test func `somebody's clear is taken back by somebody else, once, also after a crash`() async throws {
        try await onLoop {
            let (sim, ana) = try await diagnostics(3)
            let before = try #require(ana.page())
            _ = ana.send(clear(ana), key: "clear-1")
            #expect(ana.mirror.queue?.length == 0 && ana.mirror.queue?.undo == .clear)
            try sim.restart()
            let ben = try sim.remote(id: "ben-watch")
            #expect(ben.mirror.queue?.undo == .clear)

            let id = ben.send(Commands.QueueUndo(), key: "undo-1")
            let again = ben.send(Commands.QueueUndo(), key: "undo-1")

            #expect(ben.reply(id)?.reply.queue?.ids == before.rows.map(\.entry))
            #expect(ben.reply(again)?.reply.outcome == .applied(why: .dup))
            let after = try #require(ben.page())
            #expect(after.rows == before.rows && after.current == before.current)
            #expect(ben.mirror.queue?.undo == nil)
            #expect(ben.reply(ben.send(Commands.QueueUndo(), key: "undo-2"))?.failure == "invalid_state")
        }
    }

    @Test func `history says who did what, newest first`() async throws {
        try await onLoop {
            let (sim, ana) = try await diagnostics(3)
            let ben = try sim.remote(id: "ben-watch")
            _ = ben.send(Commands.QueueRemove([EntryID(1), EntryID(2)]))

            let data = try #require(ana.reply(ana.send(Commands.QueueHistory()))?.data)

            let list = try QueueHistoryList(from: data)
            #expect(list.rows.map(\.what) == ["remove", "add"] && list.rows.map(\.author) == ["ben-watch", "ana-phone"])
            #expect(list.rows.map(\.count) == [2, 3] && list.rows.map(\.canUndo) == [true, false])
            #expect(list.revision == ana.mirror.queue?.revision)
        }
    }

    @Test func `after a restart the plain order of a shuffled queue comes back`() async throws {
        try await onLoop {
            let (sim, ana) = try await diagnostics(12)
            let plain = try #require(ana.page()).rows.map(\.entry)
            _ = ana.send(Commands.ModeSet(repeat: true, shuffle: true))
            #expect(ana.page()?.rows.map(\.entry) != plain)
            try sim.restart()
            let ben = try sim.remote(id: "ben-watch")
            #expect(ben.page()?.rows.map(\.entry) != plain && ben.mirror.modes?.modes.named == .shuffle)

            _ = ben.send(Commands.ModeSet(repeat: false, shuffle: false))

            #expect(ben.page()?.rows.map(\.entry) == plain)
        }
    }

    @Test func `a guest may have five entries waiting, and is told how many more`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let guest = try sim.connect()
            guest.sendText(#"{"t":"hello","core":"1.0","view":"full","role":"guest","client":{"id":"guest-1","name":"Kim"}}"#)
            let owner = try sim.remote(id: "owner-1")
            _ = await owner.awaitReply(owner.send(Commands.QueueAdd([ItemURI("/music/album:9")]), key: "fill"))

            let first = await guest.awaitReply(guest.send(Commands.QueueAdd([ItemURI("file:track/album:3")]), key: "key-1"))
            #expect(first?.reply.queue?.ids?.count == 3)
            let second = await guest.awaitReply(guest.send(Commands.QueueAdd([ItemURI("file:track/album:3")]), key: "key-2"))
            #expect(second?.failure == "quota")
            #expect(guest.frames.last { $0.contains("quota") }?.contains("add at most 2") == true)
            let third = await guest.awaitReply(guest.send(Commands.QueueAdd([ItemURI("file:track/album:2")]), key: "key-3"))
            sim.time.pass(.seconds(1))
            #expect(third?.reply.isSuccess == true && owner.mirror.queue?.length == 14)
        }
    }

    @Test(arguments: [Peer.Channel.loopback, .unix(uid: 1000, gid: 1000), .network])
    func `a guest's five entries do not become more with another name or another id`(channel: Peer.Channel) async throws {
        try await onLoop {
            let sim = try SimulatedHub(lanPlain: .guest)
            @Loop func add(_ count: Int, as id: String, from address: String = "10.0.0.7") async throws -> String? {
                let guest = try sim.connect(over: channel, from: address)
                let hello =
                    #"{"t":"hello","core":"1.0","view":"full","role":"guest","client":{"id":"\#(id)","run":"\#(id)","name":"\#(id)"}}"#
                guest.sendText(hello)
                let uri = ItemURI("file:track/album:\(count)")
                let answer = await guest.awaitReply(guest.send(Commands.QueueAdd([uri]), key: "key-\(id)"))
                guest.drop()
                return answer?.failure
            }
            let owner = try sim.remote(id: "owner-1")
            _ = await owner.awaitReply(owner.send(Commands.QueueAdd([ItemURI("/music/album:9")]), key: "fill"))

            #expect(try await add(4, as: "guest-1") == nil)
            #expect(try await add(2, as: "guest-2") == "quota")
            #expect(try await add(1, as: "guest-3") == nil)
            #expect(try await add(1, as: "guest-4") == "quota")
            // Also after the hub began anew.
            try sim.restart()
            #expect(try await add(1, as: "guest-5") == "quota")
            // Somebody else's machine has a part of its own.
            let elsewhere = try await add(5, as: "guest-6", from: "10.0.0.8")
            #expect(elsewhere == (channel == .network ? nil : "quota"))
        }
    }

    // MARK: Operations

    @Test func `an open queue is followed step by step, ahead of the state that shows the revision`() async throws {
        try await onLoop {
            let (sim, ana) = try await diagnostics(5)
            let ben = try sim.remote(id: "ben-watch")
            var list = try #require(ben.openQueue())
            #expect(list.isWhole && list.rows.count == 5)
            ben.forgetFrames()

            _ = await ana.awaitReply(ana.send(Commands.QueueAdd([ItemURI("/music/new:2")], place: .next), key: "key-1"))
            _ = ana.send(Commands.QueueMove([EntryID(1)], anchor: .after(nil)))
            sim.time.pass(.seconds(1))
            _ = ana.send(Commands.QueueRemove([EntryID(3), EntryID(5)]))
            sim.time.pass(.seconds(1))

            #expect(ben.news.count == 2)
            for news in ben.news { list.apply(news) }
            #expect(list.need == .nothing && list.ids == ana.page()?.rows.map(\.entry) && list.revision == ana.mirror.queue?.revision)
            let kinds = ben.messages.map { if case .queue = $0 { "q" } else { "state" } }
            #expect(kinds.first == "q" && kinds.last == "state")
        }
    }

    @Test func `one's own edit is in the list before it is answered`() async throws {
        try await onLoop {
            let (_, ana) = try await diagnostics(3)
            var list = try #require(ana.openQueue())
            ana.forgetFrames()

            let id = ana.send(Commands.QueueRemove([EntryID(2)]))

            #expect(ana.reply(id)?.reply.isSuccess == true)
            let order = ana.messages.compactMap { message in
                switch message {
                case .queue: "q"
                case .state: "state"
                case .reply: "res"
                default: nil as String?
                }
            }
            #expect(order == ["q", "state", "res"])
            list.apply(ana.news[0])
            #expect(list.ids == [EntryID(1), EntryID(3)])
        }
    }

    @Test func `few rows travel along, many are asked for, and a whole queue is begun anew`() async throws {
        try await onLoop {
            let (sim, ana) = try await diagnostics(2)
            let ben = try sim.remote(id: "ben-watch")
            var list = try #require(ben.openQueue())
            for (name, rows) in [("four:4", 4), ("five:5", 0)] {
                ben.forgetFrames()
                _ = await ana.awaitReply(ana.send(Commands.QueueAdd([ItemURI("/music/\(name)")]), key: "key-\(rows)"))
                sim.time.pass(.seconds(1))
                #expect(ben.news.last?.rows.count == rows)
                for news in ben.news { list.apply(news) }
            }
            if case .rows(let blank) = list.need { #expect(blank.count == 5) } else { Issue.record("Five rows have no texts yet.") }

            ben.forgetFrames()
            _ = ana.send(clear(ana), key: "clear-1")
            sim.time.pass(.seconds(1))

            #expect(ben.news.last?.isReset == true && ben.news.last?.length == 0)
            for news in ben.news { list.apply(news) }
            #expect(list.need == .page(from: 0))
        }
    }

    @Test func `who falls more than fifty steps behind begins anew, and costs no memory`() async throws {
        try await onLoop {
            let (sim, ana) = try await diagnostics(100)
            let ben = try sim.remote(id: "ben-watch")
            var list = try #require(ben.openQueue())
            ben.forgetFrames()
            ben.isReading = false

            for number in 1...60 {
                _ = ana.send(Commands.QueueRemove([EntryID(UInt64(number))]))
                sim.time.pass(.milliseconds(100))
            }
            ben.isReading = true
            sim.time.pass(.seconds(1))

            for news in ben.news { list.apply(news) }
            #expect(ben.news.contains { $0.isReset })
            #expect(ben.closed == nil && list.revision == nil)
        }
    }

    @Test func `a room that is made again under the name of a deleted one is begun anew by who had its queue open`() async throws {
        try await onLoop {
            let (sim, ana) = try await diagnostics(0)
            let attic = RoomID("attic")
            _ = await ana.awaitReply(ana.send(Commands.RoomCreate("Attic"), key: "make-1"))
            _ = await ana.awaitReply(ana.send(Commands.QueueAdd([ItemURI("/music/album:1")]), key: "fill-1", room: attic))
            let ben = try sim.remote(id: "ben-watch", rooms: [attic])
            var list = try #require(ben.openQueue())
            #expect(list.ids.count == 1)
            ben.forgetFrames()
            ben.isReading = false

            ana.send(Commands.RoomDelete(attic), key: "delete-1")
            _ = await ana.awaitReply(ana.send(Commands.RoomCreate("Attic"), key: "make-2"))
            // As many steps as the queue before had.
            _ = await ana.awaitReply(ana.send(Commands.QueueAdd([ItemURI("/music/other:1")]), key: "fill-2", room: attic))
            ben.isReading = true
            sim.time.pass(.seconds(1))

            for news in ben.news { list.apply(news) }
            #expect(ben.news.contains { $0.isReset })
            #expect(list.need != .nothing)
        }
    }

    @Test func `what a file says of itself reaches those who have the queue open`() async throws {
        try await onLoop {
            let (sim, ana) = try await diagnostics(3)
            var list = try #require(ana.openQueue())
            ana.forgetFrames()

            sim.hub.players.hear(.described(EntryID(3), Tags(title: "Its real name"), nil), in: sim.hub.rooms.first)
            sim.time.pass(.seconds(1))

            for news in ana.news { list.apply(news) }
            #expect(list.rows[EntryID(3)]?.tags.title == "Its real name" && list.need == .nothing)
        }
    }

    @Test func `an open queue can be closed, and nothing more comes`() async throws {
        try await onLoop {
            let (sim, ana) = try await diagnostics(3)
            _ = ana.openQueue()
            ana.sendText(#"{"t":"sub","id":9000,"queue":null}"#)
            ana.forgetFrames()

            ana.sendText(Commands.QueueRemove([EntryID(2)]).frameText(id: 9001))
            sim.time.pass(.seconds(1))

            #expect(ana.news.isEmpty)
        }
    }
}

extension TestRemote {
    /// Opens the queue, and gives it as it came with the answer.
    func openQueue() -> QueueMirror? {
        sendText(#"{"t":"sub","id":500,"queue":{"from":0,"n":100}}"#)
        guard let page = reply(500)?.data.flatMap({ try? QueuePage(from: $0) }) else { return nil }
        var list = QueueMirror()
        list.take(page)
        return list
    }

    var news: [QueueOps] { messages.compactMap { if case .queue(let news) = $0 { news } else { nil } } }
}
