import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import Harness
import Testing

@Suite struct `Commands are answered` {
    @Test func `the caller sees the new state before the answer, and others after it`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let caller = try sim.remote(id: "caller-1")
            let other = try sim.remote(id: "other-1")
            sim.time.pass(.seconds(2))
            caller.forgetFrames()
            other.forgetFrames()

            let id = caller.command("vol.set", ["level": 42])

            #expect(caller.frames.count == 2)
            #expect(caller.frames[0].contains(#""level":42"#) && caller.frames[0].contains(#""t":"state""#))
            #expect(caller.frames[1].contains(#""t":"res""#))
            #expect(caller.reply(id)?.reply.revision == caller.mirror.revision)
            #expect(other.mirror.volume?.level == 42)
        }
    }

    @Test func `a watch gets what changed inside the reply`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let watch = try sim.remote(.watch)
            watch.forgetFrames()

            let id = watch.command("vol.set", ["level": 7])

            #expect(watch.frames.count == 1)
            #expect(watch.reply(id)?.state?.sections[.watchVolume] == [7, 0])
            #expect(watch.gaps == 0)
        }
    }

    @Test func `what is so already is a noop and costs no revision`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let remote = try sim.remote()
            let before = remote.mirror.revision

            let id = remote.command("vol.set", ["level": 30])

            #expect(remote.reply(id)?.reply.outcome == .noop(why: .same))
            #expect(remote.mirror.revision == before)
        }
    }

    @Test func `playing a folder queues it, begins its first track and tells everyone`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let remote = try sim.remote()

            let id = remote.command("play", ["uri": "/music/album:3"], key: "key-1")
            let reply = await remote.awaitReply(id)
            #expect(reply?.reply.queue?.ids?.count == 3)
            #expect(remote.mirror.timeline?.state == .buffering)
            for _ in 0..<100 where sim.player.playing == nil {
                await Task.yield()
                sim.time.pass(.milliseconds(10))
            }

            sim.time.pass(.milliseconds(100))
            #expect(remote.mirror.timeline?.state == .playing)
            #expect(remote.mirror.now?.tags.title == "/music/album:3 1")
        }
    }

    @Test func `a key that was used is answered again and nothing happens twice, also after a crash`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let remote = try sim.remote()
            remote.command("vol.step", ["d": 5], key: "step-1")
            try sim.restart()
            let again = try sim.remote()

            let id = again.command("vol.step", ["d": 5], key: "step-1")

            #expect(again.reply(id)?.reply.outcome == .applied(why: .dup))
            #expect(again.mirror.volume?.level == 35)
        }
    }

    @Test func `a key that was used for something else is refused`() async throws {
        try await onLoop {
            let remote = try SimulatedHub().remote()
            remote.command("vol.step", ["d": 5], key: "step-1")

            let id = remote.command("vol.step", ["d": -5], key: "step-1")

            #expect(remote.reply(id)?.failure == "key_mismatch")
        }
    }

    @Test func `commands behind one that asks a source keep their order`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let remote = try sim.remote()

            let first = remote.command("queue.add", ["uris": ["/music/album:2"]], key: "key-1")
            let second = remote.command("queue.clear", ["base": 0], key: "key-2")
            #expect(remote.reply(second) == nil)

            _ = await remote.awaitReply(second)
            #expect(remote.reply(first)?.reply.isSuccess == true)
            #expect(remote.reply(second)?.failure == "queue_conflict")
            #expect(remote.refusal(second)?.revision == remote.mirror.queue?.revision && remote.mirror.queue?.revision == 1)
        }
    }

    @Test(arguments: [
        (#"{"t":"cmd","id":5,"m":"vol.set","p":{"level":101}}"#, "bad_request"), (#"{"t":"cmd","id":5,"m":"vol.set"}"#, "bad_request"),
        (#"{"t":"cmd","id":5,"m":"fly"}"#, "unknown_command"), (#"{"t":"cmd","id":5,"m":"next"}"#, "bad_request"),
        (#"{"t":"cmd","id":5,"m":"jump","p":{"entry":"q9"}}"#, "gone"), (#"{"t":"cmd","id":5,"m":"play"}"#, "invalid_state"),
        (#"{"t":"cmd","id":5,"m":"pause","room":"attic"}"#, "not_found"), (#"{"t":"cmd","id":5,"m":"sleep.set"}"#, "unsupported"),
        (#"{"t":"cmd","id":5,"m":"play","k":"key-9","p":{"uri":"/music/missing"}}"#, "not_found"),
    ])
    func `a command that cannot be done says why and changes nothing`(text: String, code: String) async throws {
        try await onLoop {
            let remote = try SimulatedHub().remote()
            let before = remote.mirror

            remote.send(text)

            #expect(await remote.awaitReply(5)?.failure == code)
            #expect(remote.mirror == before)
        }
    }

    @Test func `a mode has a name, and a row says who added it and when`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let ana = try sim.remote(id: "ana-phone")
            _ = await ana.awaitReply(ana.command("queue.add", ["uris": ["/music/album:12"]], key: "key-1"))

            _ = ana.command("mode.set", ["mode": "shuffle"])
            #expect(ana.mirror.modes?.modes.named == .shuffle)
            #expect(ana.frames.contains { $0.contains(#""mode":"shuffle""#) })
            let shuffled = try #require(ana.page())
            let again = ana.command("queue.shuffle", ["base": .int(Int64(shuffled.revision))], key: "key-2")
            #expect(ana.reply(again)?.reply.outcome == .applied())
            #expect(ana.page()?.rows.map(\.entry) != shuffled.rows.map(\.entry))
            let stale = ana.command("queue.shuffle", ["base": .int(Int64(shuffled.revision))], key: "key-3")
            #expect(ana.reply(stale)?.failure == "queue_conflict")

            let row = try #require(shuffled.rows.first)
            #expect(row.addedBy == "ana-phone" && row.addedAtMs >= 1_700_000_000_000)
        }
    }

    @Test func `ids must grow on one connection`() async throws {
        try await onLoop {
            let remote = try SimulatedHub().remote()
            remote.send(#"{"t":"cmd","id":9,"m":"pause"}"#)
            remote.forgetFrames()

            remote.send(#"{"t":"cmd","id":9,"m":"pause"}"#)

            #expect(remote.reply(9)?.failure == "id_reuse")
        }
    }

    @Test func `an expired command is not carried out`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let remote = try sim.remote()
            sim.time.pass(.seconds(20))

            remote.send(#"{"t":"cmd","id":1,"m":"vol.set","ct":1000,"ttl":5000,"p":{"level":90}}"#)

            #expect(remote.reply(1)?.failure == "expired")
            #expect(remote.mirror.volume?.level == 30)
        }
    }

    @Test func `too many commands are told to wait, and a flood ends the connection`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let remote = try sim.remote()

            for _ in 0..<41 { remote.command("pause") }
            #expect(remote.reply(41)?.failure == "rate_limited")
            #expect(remote.frames.last?.contains(#""afterMs":"#) == true)
            for _ in 0..<250 where remote.closed == nil { remote.command("pause") }

            #expect(remote.closed?.code == 4429)
        }
    }

    @Test func `three frames that are no messages end the connection`() async throws {
        try await onLoop {
            let remote = try SimulatedHub().remote()

            remote.send("nonsense")
            remote.send("[]")
            #expect(remote.closed == nil)
            remote.send("{")

            #expect(remote.closed?.code == 4400)
        }
    }

    @Test func `a listener may look and not touch`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let remote = try sim.connect()
            remote.send(#"{"t":"hello","v":[1],"profile":"full","role":"listener","client":{"id":"abcdefgh"}}"#)

            let touch = remote.command("vol.set", ["level": 1])
            let look = remote.command("queue.get")
            let ask = remote.command("hub.info")

            #expect(remote.reply(touch)?.failure == "forbidden")
            #expect(remote.reply(look)?.reply.isSuccess == true)
            #expect(remote.reply(ask)?.reply.isSuccess == true)
        }
    }

    @Test func `when nothing can be kept, edits are refused and the music goes on`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let remote = try sim.remote()
            _ = await remote.awaitReply(remote.command("play", ["uri": "/music/album:3"], key: "key-1"))
            for _ in 0..<100 where sim.player.playing == nil {
                await Task.yield()
                sim.time.pass(.milliseconds(10))
            }
            sim.journal.fault = JournalFault(.full, "The disk is full.")

            let edit = remote.command("queue.remove", ["ids": ["q2"]])
            let pause = remote.command("pause")
            #expect(remote.reply(edit)?.failure == "unavailable")
            #expect(remote.reply(pause)?.reply.isSuccess == true)
            sim.time.pass(.seconds(10))
            #expect(remote.mirror.hub?.problems.contains { $0.message.contains("disk is full") } == true)

            sim.journal.fault = nil
            let retry = remote.command("queue.remove", ["ids": ["q2"]])
            #expect(remote.reply(retry)?.reply.isSuccess == true)
        }
    }
}

extension TestRemote {
    /// The head of the queue, asked for.
    func page() -> QueuePage? { reply(command("queue.get"))?.data.flatMap { try? QueuePage(from: $0) } }
}

extension ReceivedReply {
    /// The code of a reply that says no.
    var failure: String? { if case .failed(let error) = reply.outcome { error.code } else { nil } }
}
