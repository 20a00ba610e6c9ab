import BatonCore
import BatonProtocol
import BatonSeams
import Harness
import Testing

@testable import BatonHub
@testable import MPD

/// Lists of commands, events and long answers.
@Suite struct ListTests {
    private static func plan(_ lines: [String]) -> ListPlan? {
        ListPlan(beginningWith: String(lines[0].prefix { $0 != " " }), lines.map { Array($0.utf8) }[...])
    }

    @Test func `neighbours that are one edit become one`() {
        #expect(Self.plan(["add a", "add \"b c\"", "play"]) == .add(["a", "b c"]))
        #expect(Self.plan(["deleteid 1", "deleteid 2", "deleteid 3"]) == .delete(["1", "2", "3"]))
        #expect(Self.plan(["clear", "add a", "add b", "play 1", "status"]) == .replace(["a", "b"], start: 1, length: 4))
        #expect(Self.plan(["clear", "add a", "play"]) == .replace(["a"], start: 0, length: 3))
    }

    @Test(arguments: [
        ["add a"], ["add a 0", "add b 0"], ["clear", "play"], ["clear", "add a"], ["clear", "add a", "play 1"],
        ["clear", "add a", "play x"],
        ["delete 0", "delete 0"], ["clear x", "add a", "play"], ["status", "add a"], ["add \"a", "add b"],
    ])
    func `others stand for themselves`(lines: [String]) {
        #expect(Self.plan(lines) == nil)
    }

    @Test func `a plan has a bounded number of commands`() {
        let adds = (0..<3 * ListPlan.most).map { "add \($0)" }
        #expect(Self.plan(adds)?.length == ListPlan.most)
        #expect(Self.plan(["clear"] + adds + ["play"]) == nil)
        #expect(Self.plan((0..<3 * ListPlan.most).map { "deleteid \($0)" })?.length == ListPlan.most)
    }

    @Test func `lines come back as they were added`() {
        var lines = CommandLines(Array("status".utf8))
        for line in ["", "add \"a\"", "play"] { lines.append(Array(line.utf8)) }
        #expect(lines.map { String(decoding: $0, as: UTF8.self) } == ["status", "", "add \"a\"", "play"])
        #expect(lines.byteCount == 21)
        #expect(lines.dropFirst(2).first == Array("add \"a\"".utf8))
    }

    @Test func `ids of a long list are deleted, each once`() async throws {
        try await onLoop {
            let peer = try MPDWorld().connect()
            await peer.ask(["command_list_begin"] + Array(repeating: "add a.flac", count: 1_500) + ["command_list_end"])
            #expect(await peer.value("status", "playlistlength") == "1500")
            let ids = await peer.ask("playlistinfo").filter { $0.hasPrefix("Id: ") }.map { "deleteid \($0.dropFirst(4))" }
            #expect(ids.count == 1_500)
            #expect(
                await peer.ask(["command_list_begin"] + ids.dropLast() + [ids[0], ids[1_499], "command_list_end"]) == [
                    "ACK [50@1499] {deleteid} No such song"
                ])
            #expect(await peer.value("status", "playlistlength") == "1")
        }
    }

    @Test func `a list is answered as its commands would be`() async throws {
        try await onLoop {
            let peer = try MPDWorld().connect()
            #expect(await peer.ask(["command_list_begin", "ping", "add a.flac", "add b.flac", "command_list_end"]) == [])
            #expect(
                await peer.ask(["command_list_ok_begin", "add a.flac", "add nowhere", "add b.flac", "command_list_end"]) == [
                    "list_OK", "ACK [50@1] {add} No such directory",
                ])
            #expect(await peer.value("status", "playlistlength") == "3")
            #expect(
                await peer.ask(["command_list_ok_begin", "clear", "add nowhere", "play", "command_list_end"]) == [
                    "list_OK", "ACK [50@1] {add} No such directory",
                ])
            #expect(await peer.value("status", "playlistlength") == "0")
            #expect(
                await peer.ask(["command_list_ok_begin", "ping", "find artist \"x", "command_list_end"]) == [
                    "list_OK", "ACK [5@1] {} Missing closing '\"'",
                ])
        }
    }

    @Test func `a queue that is replaced by a list comes back with one undo`() async throws {
        try await onLoop {
            let world = try MPDWorld()
            let peer = await world.playing(["a.flac", "b.flac"])
            #expect(
                await peer.ask(["command_list_ok_begin", "clear", "add folder/d.flac", "add folder/e.flac", "play 1", "command_list_end"])
                    == [
                        "list_OK", "list_OK", "list_OK", "list_OK",
                    ])
            #expect(await peer.value("status", "song") == "1")
            let remote = try world.sim.remote(id: "owner-1")
            _ = await remote.awaitReply(remote.send(Commands.QueueUndo(), key: "undo-it"))
            // The song that plays stays, wherever an undo leads.
            #expect(await peer.ask("playlist") == ["0:file: a.flac", "1:file: folder/e.flac", "2:file: b.flac"])
        }
    }

    @Test func `a list that is too long ends the connection`() async throws {
        try await onLoop {
            let peer = try MPDWorld().connect()
            peer.send("command_list_begin")
            let line = "find artist \(String(repeating: "x", count: 8_000))"
            for _ in 0..<300 where !peer.isClosed { peer.send(line) }
            #expect(peer.isClosed)
        }
    }

    @Test func `a program that is too fast is served later, and not refused`() async throws {
        try await onLoop {
            let world = try MPDWorld()
            let peer = world.connect()
            _ = peer.take()
            for number in 0..<100 { peer.send("setvol \(number)") }
            #expect(peer.lines.count < 100)
            #expect(await world.sim.time.until(within: .seconds(30)) { peer.lines.count == 100 })
            #expect(peer.lines.allSatisfy { $0 == "OK" })
            #expect(await peer.ask("getvol") == ["volume: 99"])
        }
    }

    // MARK: Events

    @Test func `events are told to those who wait, and kept for others`() async throws {
        try await onLoop {
            let world = try MPDWorld()
            let (waiting, late, peer) = (world.connect(), world.connect(), world.connect())
            _ = (waiting.take(), late.take())
            waiting.send("idle mixer")
            #expect(waiting.idle == nil)
            await peer.ask("add a.flac")
            #expect(waiting.take() == [])
            await peer.ask("setvol 10")
            #expect(waiting.take() == ["changed: mixer", "OK"] && waiting.idle != nil)
            #expect(await waiting.ask("idle playlist") == ["changed: playlist"])
            #expect(await late.ask("idle") == ["changed: playlist", "changed: mixer"])
            late.send("idle")
            #expect(late.take() == [])
            late.send("noidle")
            #expect(late.take() == ["OK"])
            late.send("noidle")
            #expect(late.take() == [])
        }
    }

    @Test func `a client that waits may send nothing else`() async throws {
        try await onLoop {
            let peer = try MPDWorld().connect()
            peer.send("idle")
            peer.send("ping")
            #expect(peer.isClosed)
        }
    }

    @Test func `messages are for those who have subscribed`() async throws {
        try await onLoop {
            let world = try MPDWorld()
            let (one, other) = (world.connect(), world.connect())
            #expect(await one.ask("subscribe news") == [])
            #expect(await other.ask("channels") == ["channel: news"])
            #expect(await other.ask("sendmessage nowhere x") == ["ACK [50@0] {sendmessage} nobody is subscribed to this channel"])
            #expect(await other.ask("sendmessage news \"two words\"") == [])
            #expect(await one.ask("readmessages") == ["channel: news", "message: two words"])
            #expect(await one.ask("readmessages") == [])
        }
    }

    // MARK: Long answers

    @Test func `a client that does not read costs a bounded part of an answer`() async throws {
        try await onLoop {
            let world = try MPDWorld()
            let peer = world.connect()
            peer.isReading = false
            for _ in 0..<5_000 where !peer.isClosed { peer.send("listallinfo") }
            _ = await world.sim.time.until(within: .seconds(30)) { peer.unsentBytes > SongStream.waitingBytes }
            let bytes = peer.bytes
            #expect(bytes < 2 * SongStream.waitingBytes)
            await world.sim.time.passQuietly(.seconds(1))
            #expect(peer.bytes == bytes)
            peer.isReading = true
            await world.sim.time.passQuietly(.seconds(1))
            #expect(peer.bytes > bytes)
        }
    }

    @Test func `songs with long tags wait in parts for a client that does not read`() async throws {
        try await onLoop {
            let world = try MPDWorld(titleBytes: 700_000)
            let peer = world.connect()
            peer.isReading = false
            peer.send("listallinfo")
            _ = await world.sim.time.until(within: .seconds(30)) { peer.unsentBytes > SongStream.waitingBytes }
            #expect(peer.unsentBytes <= 2 * SongStream.waitingBytes)
            for _ in 0..<100 where !(peer.lines.last == "OK") {
                peer.isReading = true
                peer.isReading = false
                await world.sim.time.passQuietly(.milliseconds(10))
                #expect(peer.unsentBytes <= 2 * SongStream.waitingBytes)
            }
            #expect(peer.lines.last == "OK")
            #expect(peer.lines.count { $0.utf8.count == 700_007 && $0.hasPrefix("Title: ") } == 5)
        }
    }
}
