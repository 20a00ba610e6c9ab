import BatonCore
import BatonHub
import BatonLibrary
import BatonProtocol
import BatonSeams
import BatonWire
import EventLoop
import Harness
import Testing

@Suite struct `Libraries are looked through` {
    @Loop
    private func hub(
        _ sources: [any Connector] = [MemorySource()], userMarks: MemoryUserMarks = MemoryUserMarks(), control: MemoryLibraryControl? = nil,
        blockingPool: (any TaskExecutor)? = nil
    ) throws -> SimulatedHub {
        try SimulatedHub(library: LibraryParts(userMarks: userMarks, control: control, connectors: sources), blockingPool: blockingPool)
    }

    @Loop
    private func found(_ remote: TestRemote, _ question: some WireCommand) async throws -> ItemList {
        let reply = await remote.awaitReply(remote.send(question))
        return try ItemList(from: try #require(reply?.data, "\(String(describing: reply))"))
    }

    /// BT-LIB-005
    @Test func `all pages together are all rows, each once and in order`() async throws {
        try await onLoop {
            let sim = try hub([MemorySource(count: 250), MemorySource("radio", count: 30)])
            let remote = try sim.remote()
            var rows: [ItemRow] = []
            var cursor: String?
            repeat {
                let page = try await found(remote, Commands.Search("Song", page: .init(limit: 40, cursor: cursor)))
                #expect(page.rows.count == min(40, 280 - rows.count))
                #expect(page.total == nil || page.total! <= 280)  // Known where it is.
                rows += page.rows
                cursor = page.cursor
                sim.time.pass(.seconds(1))
            } while cursor != nil
            let ids = rows.map(\.uri.text)
            #expect(ids.filter { $0.hasPrefix("lib:") } == (0..<250).map { "lib:track/\($0)" })
            #expect(ids.filter { $0.hasPrefix("radio:") } == (0..<30).map { "radio:track/\($0)" })
        }
    }

    /// BT-LIB-004
    @Test func `without a node the shelves of all sources are shown`() async throws {
        try await onLoop {
            let sim = try hub([MemorySource(), MemorySource("radio")])
            let shelves = try await found(try sim.remote(), Commands.Browse())
            #expect(shelves.rows.map(\.uri.text) == ["lib:shelf/tracks", "radio:shelf/tracks"])
            #expect(shelves.rows.first?.count == 250)
            #expect(shelves.cursor == nil)
        }
    }

    @Test(arguments: ["x", "lib", "lib=", "lib=f", "lib=f-1", "lib=c1", "lib=f1;lib=f2", "lib=c0.%", "=f1"])
    func `a cursor that this hub never gave is refused`(cursor: String) async throws {
        try await onLoop {
            let remote = try hub().remote()
            let reply = await remote.awaitReply(remote.send(Commands.Search("Song", page: .init(limit: 80, cursor: cursor))))
            #expect(reply?.refusal == .badRequest)
        }
    }

    /// BT-LIB-003
    @Test func `a source that never answers is left out of a search`() async throws {
        try await onLoop {
            let silent = MemorySource("radio")
            let sim = try hub([MemorySource(), silent])
            silent.fallSilent(true)
            let remote = try sim.remote()
            let id = remote.send(Commands.Search("Song 1"))
            await untilQuiet()
            #expect(silent.asked > 0)
            sim.time.pass(.seconds(4))
            let page = try ItemList(from: try #require(await remote.awaitReply(id)?.data))
            #expect(!page.rows.isEmpty && page.rows.allSatisfy { $0.uri.source == "lib" })
        }
    }

    /// BT-RTY-009
    @Test func `a slow question holds nothing up, and can be taken back`() async throws {
        try await onLoop {
            let silent = MemorySource()
            let sim = try hub([silent])
            silent.fallSilent(true)
            let remote = try sim.remote()
            let question = remote.send(Commands.Search("Song"))

            let volume = remote.send(Commands.VolumeSet(17))
            #expect(remote.reply(volume)?.reply.isSuccess == true)
            #expect(remote.mirror.volume?.level == 17)
            #expect(remote.reply(question) == nil)

            remote.sendText(#"{"t":"cancel","id":\#(question)}"#)
            #expect(remote.reply(question)?.refusal == .cancelled)
            await sim.time.passQuietly(.seconds(30))
            #expect(remote.messages.count { if case .reply(let reply) = $0 { reply.reply.id == question } else { false } } == 1)
        }
    }

    /// BT-LIM-007
    @Test func `questions count among the commands that may be unanswered`() async throws {
        try await onLoop {
            let silent = MemorySource()
            let sim = try hub([silent])
            silent.fallSilent(true)
            let remote = try sim.remote()
            for _ in 0..<16 { remote.send(Commands.Item(ItemURI("lib:track/1"))) }
            let refused = remote.send(Commands.Item(ItemURI("lib:track/1")))
            #expect(await remote.awaitReply(refused)?.refusal == .busy)
        }
    }

    /// BT-LIB-012
    @Test func `a source that is down says so, its items are away, and the others go on until it is back`() async throws {
        try await onLoop {
            let radio = MemorySource("radio")
            let userMarks = MemoryUserMarks()
            let sim = try hub([MemorySource(), radio], userMarks: userMarks)
            let remote = try sim.remote()
            _ = await remote.awaitReply(remote.send(Commands.FavouriteSet(ItemURI("radio:track/1"), isOn: true)))
            _ = try userMarks.createPlaylist(
                "Mixed", [NewEntry(uri: ItemURI("radio:track/1"), tags: Tags()), NewEntry(uri: ItemURI("lib:track/1"), tags: Tags())],
                rule: nil, once: nil, atMs: 0)
            radio.goDown("The radio is not there.")

            #expect(await remote.awaitReply(remote.send(Commands.Browse(node: ItemURI("radio:shelf/tracks"))))?.refusal == .unavailable)
            try await until(sim) { remote.mirror.hub?.problems.contains { $0.message == "The radio is not there." } == true }
            let list = await remote.awaitReply(remote.send(Commands.Playlist(PlaylistID("p1"))))
            #expect(try PlaylistContents(from: try #require(list?.data)).rows.map(\.row.isAway) == [true, false])
            #expect(try await found(remote, Commands.Search("Song 1")).rows.allSatisfy { $0.uri.source == "lib" })

            radio.goDown(nil)
            sim.time.pass(.seconds(6))
            try await until(sim) { remote.mirror.hub?.problems.isEmpty == true }
            #expect(try await found(remote, Commands.Browse(node: ItemURI("radio:shelf/tracks"))).rows.count == 100)
        }
    }

    /// BT-LIB-006 BT-LIB-008
    @Test func `an item is told whole, and its path and its sound only to those who may have them`() async throws {
        try await onLoop {
            let sim = try hub()
            let admin = try sim.remote()
            let question = Commands.Item(ItemURI("lib:track/7"), lyrics: true, media: true)
            let whole = try ItemAnswer(from: try #require(await admin.awaitReply(admin.send(question))?.data))
            #expect(whole.details.row.tags.title == "Song 7")
            #expect(whole.details.path == "/music/lib:track/7")
            #expect(whole.lyrics?.isTimed == true)
            #expect(whole.media?.url.hasPrefix("/media/") == true && whole.media?.url.utf8.count == 29)

            let lan = try SimulatedHub(lanPlain: .listener, library: LibraryParts(connectors: [MemorySource()]))
            let guest = try lan.connect(over: .network, from: "10.0.0.7")
            guest.sendText(#"{"t":"hello","core":"1.0","view":"full","client":{"id":"guest-1"}}"#)
            let less = try ItemAnswer(from: try #require(await guest.awaitReply(guest.send(question))?.data))
            #expect(less.details.path == nil && less.media == nil)
        }
    }

    @Test func `a source that knows its items by their names alone is asked what they stand for`() async throws {
        try await onLoop {
            let remote = try hub().remote()
            let reply = await remote.awaitReply(remote.send(Commands.Item(ItemURI("file:track/a.flac"))))
            #expect(try ItemAnswer(from: try #require(reply?.data)).details.row.tags.title == "a.flac")
        }
    }

    @Test func `a hub without a library says so`() async throws {
        try await onLoop {
            let remote = try SimulatedHub().remote()
            #expect(await remote.awaitReply(remote.send(Commands.Playlists()))?.refusal == .unsupported)
            #expect(await remote.awaitReply(remote.send(Commands.Folders()))?.refusal == .unsupported)
            #expect(
                await remote.awaitReply(remote.send(Commands.FavouriteSet(ItemURI("file:track/a"), isOn: true)))?.refusal == .unsupported)
            #expect(try await found(remote, Commands.Search("a")).rows.isEmpty)
            #expect(remote.mirror.library == nil && remote.mirror.playlists == nil)
        }
    }

    /// BT-LIB-009
    @Test func `a mark is made once, shown with the item, and told to its source`() async throws {
        try await onLoop {
            let radio = MemorySource("radio")
            let sim = try hub([radio])
            let remote = try sim.remote()
            let first = await remote.awaitReply(remote.send(Commands.FavouriteSet(ItemURI("radio:track/3"), isOn: true)))
            let second = await remote.awaitReply(remote.send(Commands.FavouriteSet(ItemURI("radio:track/3"), isOn: true)))
            _ = await remote.awaitReply(remote.send(Commands.RatingSet(ItemURI("radio:track/3"), stars: 4)))
            #expect(first?.reply.outcome == .applied())
            #expect(second?.reply.outcome == .noop(why: .same))
            let row = try await found(remote, Commands.Search("Song 3")).rows.first
            #expect(row?.mark.isFavourite == true && row?.mark.stars == 4)
            try await until(sim) { radio.notes == [.favourite(ItemURI("radio:track/3"), true)] }
        }
    }

    @Test func `rows that bring their marks along are not marked again`() async throws {
        try await onLoop {
            let userMarks = MemoryUserMarks()
            let sim = try hub([MemorySource(), MemorySource("own", and: .marks)], userMarks: userMarks)
            for source in ["lib", "own"] {
                _ = try userMarks.setFavourite(NewEntry(uri: ItemURI("\(source):track/3"), tags: Tags()), true, atMs: 1)
            }
            let rows = try await found(try sim.remote(), Commands.Search("Song 3")).rows
            #expect(rows.first { $0.uri.text == "lib:track/3" }?.mark.isFavourite == true)
            #expect(rows.first { $0.uri.text == "own:track/3" }?.mark.isFavourite == false)
        }
    }

    @Test func `a source takes the place of one of its name`() async throws {
        try await onLoop {
            let remote = try hub([MemorySource(count: 3), MemorySource(count: 5)]).remote()
            #expect(try await found(remote, Commands.Search("Song")).rows.count == 5)
        }
    }

    /// BT-QUE-030 BT-SEC-024
    @Test func `rows of the queue and of several rooms name their pictures`() async throws {
        try await onLoop {
            let sim = try hub()
            let (remote, owner) = (try sim.remote(), try sim.remote(id: "owner-1"))
            _ = await remote.awaitReply(remote.send(Commands.Play(ItemURI("lib:track/3")), key: "key-1"))
            try await until(sim) { remote.mirror.timeline?.state == .playing }
            // A hub with one room says of it all that there is in its own sections.
            #expect(remote.mirror.rooms?.rooms.map(\.art) == [nil])
            let page = try QueuePage(from: try #require(await remote.awaitReply(remote.send(Commands.QueueWindow()))?.data))
            #expect(page.rows.map(\.tags.art) == [Artwork(id: "libart3")])

            _ = await owner.awaitReply(owner.send(Commands.RoomCreate("Bath"), key: "key-2"))
            try await until(sim) { remote.mirror.rooms?.rooms.count == 2 }
            #expect(remote.mirror.rooms?.rooms.map(\.art) == ["libart3", nil])
        }
    }

    /// BT-LIB-010 BT-LIB-011
    @Test func `half of a track is a play, less is none`() async throws {
        try await onLoop {
            let radio = MemorySource("radio")
            let sim = try hub([radio])
            let remote = try sim.remote()
            _ = await remote.awaitReply(remote.send(Commands.Play(ItemURI("radio:shelf/tracks")), key: "key-1"))
            try await until(sim) { remote.mirror.timeline?.state == .playing }
            sim.time.pass(.seconds(89))
            #expect(try await history(remote).isEmpty)
            sim.time.pass(.seconds(3))
            try await until(sim) { !radio.notes.isEmpty }
            let played = try await history(remote)
            #expect(played.map(\.item.uri.text) == ["radio:track/0"])
            #expect(played.first?.room == RoomID("main"))
            #expect(played.first?.item.mark.plays == 1)
            #expect(played.first?.askedBy?.isEmpty == false)
        }
    }

    @Loop
    private func history(_ remote: TestRemote) async throws -> [PlayedItem] {
        try PlayedList(from: try #require(await remote.awaitReply(remote.send(Commands.PlayedHistory()))?.data)).rows
    }

    /// BT-LIB-013 BT-LIB-014
    @Test func `folders are the owner's, and a scan goes on once`() async throws {
        try await onLoop {
            let sim = try hub(control: MemoryLibraryControl())
            let admin = try sim.remote()
            #expect(await admin.awaitReply(admin.send(Commands.FolderSet("/srv/music", isOn: true)))?.reply.outcome == .applied())
            #expect(
                await admin.awaitReply(admin.send(Commands.FolderSet("/srv/music", isOn: true)))?.reply.outcome == .noop(why: .same))
            let folders = await admin.awaitReply(admin.send(Commands.Folders()))
            #expect(try LibraryFolders(from: try #require(folders?.data)).folders.map(\.path) == ["/srv/music"])
            #expect(await admin.awaitReply(admin.send(Commands.Scan()))?.reply.outcome == .applied())
            #expect(await admin.awaitReply(admin.send(Commands.Scan()))?.reply.outcome == .noop(why: .same))
            let remote = try sim.remote(id: "remote-1", over: .loopback)
            #expect(await remote.awaitReply(remote.send(Commands.Folders()))?.refusal == .forbidden)
        }
    }

    /// BT-LIB-013
    @Test func `folders that the hub has found are told, and a search for them that does not end delays the others only for a moment`()
        async throws
    {
        try await onLoop {
            let control = MemoryLibraryControl()
            let sim = try hub(control: control)
            let admin = try sim.remote()
            control.find([LibraryFolder(path: "/srv/Musik", tracks: 3)])
            let told = try LibraryFolders(from: try #require(await admin.awaitReply(admin.send(Commands.Folders()))?.data))
            #expect(told.found.map(\.path) == ["/srv/Musik"] && told.found.map(\.tracks) == [3])

            control.find(nil)
            let id = admin.send(Commands.Folders())
            await untilQuiet()
            #expect(admin.reply(id) == nil)
            await sim.time.passQuietly(.seconds(3))
            let late = try LibraryFolders(from: try #require(await admin.awaitReply(id)?.data))
            #expect(late.found.isEmpty && late.folders.isEmpty)
        }
    }

    /// BT-SEC-013
    @Test func `a scan is seen at most twice a second, and its end is seen`() async throws {
        try await onLoop {
            let control = MemoryLibraryControl()
            let sim = try hub(control: control)
            let remote = try sim.remote()
            sim.time.pass(.seconds(2))
            try await until(sim) { remote.mirror.library != nil }
            remote.forgetFrames()
            var report = ScanReport()
            report.total = 1000
            for seen in 1...100 {
                report.seen = seen
                control.tell(report)
                await sim.time.passQuietly(.milliseconds(10))
            }
            #expect(remote.frames.count { $0.contains(#""scan""#) } <= 3)
            report.isDone = true
            control.tell(report)
            sim.time.pass(.seconds(1))
            try await until(sim) { remote.mirror.library?.scan == nil }
        }
    }

    /// BT-LIB-013
    @Test func `the report is of the scan that goes on, from when it was asked for to its end`() async throws {
        try await onLoop {
            let control = MemoryLibraryControl()
            let sim = try hub(control: control)
            let admin = try sim.remote()
            func report() async throws -> ScanReport? {
                try LibraryFolders(from: try #require(await admin.awaitReply(admin.send(Commands.Folders()))?.data)).report
            }
            #expect(try await report() == nil)
            _ = await admin.awaitReply(admin.send(Commands.FolderSet("/srv/music", isOn: true)))
            #expect(try await report()?.isDone == false)
            #expect(admin.mirror.library?.scan != nil)

            var end = ScanReport()
            end.seen = 7
            end.isDone = true
            control.tell(end)
            try await until(sim) { admin.mirror.library?.scan == nil }
            #expect(try await report()?.seen == 7)
            #expect(try await report()?.isDone == true)
        }
    }

    @Test func `a disk that stands still delays nobody's other command`() async throws {
        try await onLoop {
            let disk = HeldPool()
            let sim = try hub(blockingPool: disk)
            let remote = try sim.remote(id: "one-1")
            let other = try sim.remote(id: "two-1")
            await untilQuiet()
            disk.hold()

            let slow = remote.send(Commands.PlaylistCreate("Run"), key: "key-1")
            let question = remote.send(Commands.Playlists())
            for level in 1...20 {
                let id = other.send(Commands.VolumeSet(level))
                #expect(other.reply(id)?.reply.isSuccess == true)
            }
            await untilQuiet()
            #expect(remote.reply(slow) == nil && remote.reply(question) == nil && disk.heldCount > 0)

            disk.letGo()
            #expect(await remote.awaitReply(slow)?.reply.outcome == .applied())
        }
    }
}

/// Waits for what is asked of sources and shown at its pace.
@Loop
func until(_ sim: SimulatedHub, _ condition: @Loop () -> Bool) async throws {
    #expect(await sim.time.until(within: .seconds(20), condition), "It never came to that.")
}

extension ReceivedReply {
    var refusal: ErrorCode? { if case .failed(let error) = reply.outcome { error.known } else { nil } }
}
