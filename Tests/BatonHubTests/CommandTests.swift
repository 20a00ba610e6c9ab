import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import Harness
import Testing

@testable import BatonHub
@testable import BatonKernel

@Suite struct `Commands are answered` {
    @Test func `the caller sees the new state before the answer, and others after it`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let caller = try sim.remote(id: "caller-1")
            let other = try sim.remote(id: "other-1")
            sim.time.pass(.seconds(2))
            caller.forgetFrames()
            other.forgetFrames()

            let id = caller.send(Commands.VolumeSet(42))

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

            let id = watch.send(Commands.VolumeSet(7))

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

            let id = remote.send(Commands.VolumeSet(30))

            #expect(remote.reply(id)?.reply.outcome == .noop(why: .same))
            #expect(remote.mirror.revision == before)
        }
    }

    @Test func `playing a folder queues it, begins its first track and tells everyone`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let remote = try sim.remote()

            let id = remote.send(Commands.Play(ItemURI("/music/album:3")), key: "key-1")
            let reply = await remote.awaitReply(id)
            #expect(reply?.reply.queue?.ids?.count == 3)
            #expect(remote.mirror.timeline?.state == .buffering)
            #expect(await sim.time.until(within: .seconds(1)) { sim.player.playing != nil })

            sim.time.pass(.milliseconds(100))
            #expect(remote.mirror.timeline?.state == .playing)
            #expect(remote.mirror.now?.tags.title == "/music/album:3 1")
        }
    }

    @Test func `what a hub that is killed in its first seconds had come to is not heard again, in each entry`() async throws {
        try await onLoop {
            let sim = try SimulatedHub(trackMs: 60_000)
            let remote = try sim.remote()
            _ = await remote.awaitReply(remote.send(Commands.Play(ItemURI("/music/album:3")), key: "key-1"))
            @Loop func playsAt(_ seconds: Int) async -> Bool {
                await sim.time.until(within: .seconds(30)) {
                    let room = sim.hub.rooms.first.room
                    return room.positionMs(at: sim.hub.clock.now) >= Milliseconds(seconds * 1000 + 300) && room.timeline.state == .playing
                }
            }
            #expect(await playsAt(7))
            for key in ["next-1", "next-2"] {
                _ = await remote.awaitReply(remote.send(Commands.Next(), key: key))
                #expect(await playsAt(key == "next-1" ? 1 : 4))
            }
            let entry = sim.hub.rooms.first.room.queue.current

            try sim.restart()

            let room = sim.hub.rooms.first.room
            #expect(room.queue.current == entry && (4_000..<4_400).contains(room.positionMs(at: sim.hub.clock.now)))
        }
    }

    @Test func `a key that was used is answered again and nothing happens twice, also after a crash`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let remote = try sim.remote()
            remote.send(Commands.VolumeStep(5), key: "step-1")
            try sim.restart()
            let again = try sim.remote()

            let id = again.send(Commands.VolumeStep(5), key: "step-1")

            #expect(again.reply(id)?.reply.outcome == .applied(why: .dup))
            #expect(again.mirror.volume?.level == 35)
        }
    }

    @Test func `a key that was used for something else is refused`() async throws {
        try await onLoop {
            let remote = try SimulatedHub().remote()
            remote.send(Commands.VolumeStep(5), key: "step-1")

            let id = remote.send(Commands.VolumeStep(-5), key: "step-1")

            #expect(remote.reply(id)?.failure == "key_mismatch")
        }
    }

    @Test func `commands behind one that asks a source keep their order`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let remote = try sim.remote()

            let first = remote.send(Commands.QueueAdd([ItemURI("/music/album:2")]), key: "key-1")
            let second = remote.send(Commands.QueueClear(0), key: "key-2")
            #expect(remote.reply(second) == nil)

            _ = await remote.awaitReply(second)
            #expect(remote.reply(first)?.reply.isSuccess == true)
            #expect(remote.reply(second)?.failure == "queue_conflict")
            #expect(remote.refusal(second)?.revision == remote.mirror.queue?.revision && remote.mirror.queue?.revision == 1)
        }
    }

    @Test(arguments: [
        (#"{"t":"cmd","id":5,"m":"fly"}"#, "unknown_command"),
        (#"{"t":"cmd","id":5,"m":"\#(CommandKind.volumeSet.rawValue)"}"#, "bad_request"),
        (#"{"t":"cmd","id":5,"m":"vol.member"}"#, "unknown_command"),
        (#"{"t":"cmd","id":5,"m":"\#(CommandKind.pause.rawValue)","p":{"later":1}}"#, "unsupported"),
        (#"{"t":"cmd","id":5,"m":"\#(CommandKind.pause.rawValue)","if":1}"#, "unsupported"),
        (Commands.VolumeSet(101).frameText(id: 5), "bad_request"), (Commands.Next().frameText(id: 5), "bad_request"),
        (Commands.Jump(EntryID(9)).frameText(id: 5), "gone"), (Commands.Play().frameText(id: 5), "invalid_state"),
        (Commands.Pause().frameText(id: 5, room: RoomID("attic")), "not_found"),
        (Commands.Play(ItemURI("/music/missing")).frameText(id: 5, key: "key-9"), "not_found"),
    ])
    func `a command that cannot be done says why and changes nothing`(text: String, code: String) async throws {
        try await onLoop {
            let remote = try SimulatedHub().remote()
            let before = remote.mirror

            remote.sendText(text)

            #expect(await remote.awaitReply(5)?.failure == code)
            #expect(remote.mirror == before)
        }
    }

    @Test func `the modes change, and a row says who added it and when`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let ana = try sim.remote(id: "ana-phone")
            _ = await ana.awaitReply(ana.send(Commands.QueueAdd([ItemURI("/music/album:12")]), key: "key-1"))

            _ = ana.send(Commands.ModeSet(repeat: true, shuffle: true))
            #expect(ana.mirror.modes?.modes.named == .shuffle)
            let shuffled = try #require(ana.page())
            let again = ana.send(Commands.QueueShuffle(shuffled.revision), key: "key-2")
            #expect(ana.reply(again)?.reply.outcome == .applied())
            #expect(ana.page()?.rows.map(\.entry) != shuffled.rows.map(\.entry))
            let stale = ana.send(Commands.QueueShuffle(shuffled.revision), key: "key-3")
            #expect(ana.reply(stale)?.failure == "queue_conflict")

            let row = try #require(shuffled.rows.first)
            #expect(row.addedBy == "ana-phone" && row.addedAtMs >= 1_700_000_000_000)
        }
    }

    @Test func `ids must grow on one connection`() async throws {
        try await onLoop {
            let remote = try SimulatedHub().remote()
            remote.sendText(Commands.Pause().frameText(id: 9))
            remote.forgetFrames()

            remote.sendText(Commands.Pause().frameText(id: 9))

            #expect(remote.reply(9)?.failure == "id_reuse")
        }
    }

    @Test func `an expired command is not carried out`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let remote = try sim.remote()
            sim.time.pass(.seconds(20))

            let id = remote.send(Commands.VolumeSet(90), ct: 1000, ttl: 5000)

            #expect(remote.reply(id)?.failure == "expired")
            #expect(remote.mirror.volume?.level == 30)
        }
    }

    @Test func `too many commands are told to wait, and a flood ends the connection`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let remote = try sim.remote()

            for _ in 0..<41 { remote.send(Commands.Pause()) }
            #expect(remote.reply(41)?.failure == "rate_limited")
            #expect(remote.frames.last?.contains(#""afterMs":"#) == true)
            for _ in 0..<250 where remote.closed == nil { remote.send(Commands.Pause()) }

            #expect(remote.closed?.code == 4429)
        }
    }

    @Test func `three frames that are no messages end the connection`() async throws {
        try await onLoop {
            let remote = try SimulatedHub().remote()

            remote.sendText("nonsense")
            remote.sendText("[]")
            #expect(remote.closed == nil)
            remote.sendText("{")

            #expect(remote.closed?.code == 4400)
        }
    }

    @Test func `a listener may look and not touch`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let remote = try sim.connect()
            remote.sendText(#"{"t":"hello","core":"1.0","view":"full","role":"listener","client":{"id":"abcdefgh"}}"#)

            let touch = remote.send(Commands.VolumeSet(1))
            let look = remote.send(Commands.QueueWindow())
            let ask = remote.send(Commands.Info())

            #expect(remote.reply(touch)?.failure == "forbidden")
            #expect(remote.reply(look)?.reply.isSuccess == true)
            #expect(remote.reply(ask)?.reply.isSuccess == true)
        }
    }

    @Test func `when nothing can be kept, edits are refused and the music goes on`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let remote = try sim.remote()
            _ = await remote.awaitReply(remote.send(Commands.Play(ItemURI("/music/album:3")), key: "key-1"))
            #expect(await sim.time.until(within: .seconds(1)) { sim.player.playing != nil })
            sim.journal.fault = JournalFault(.full, "The disk is full.")

            let edit = remote.send(Commands.QueueRemove([EntryID(2)]))
            let pause = remote.send(Commands.Pause())
            #expect(remote.reply(edit)?.failure == "unavailable")
            #expect(remote.reply(pause)?.reply.isSuccess == true)
            sim.time.pass(.seconds(10))
            #expect(remote.mirror.hub?.problems.contains { $0.message.contains("disk is full") } == true)

            sim.journal.fault = nil
            let retry = remote.send(Commands.QueueRemove([EntryID(2)]))
            #expect(remote.reply(retry)?.reply.isSuccess == true)
        }
    }
}

extension TestRemote {
    /// The head of the queue, asked for.
    func page() -> QueuePage? { reply(send(Commands.QueueWindow()))?.data.flatMap { try? QueuePage(from: $0) } }
}

extension ReceivedReply {
    /// The code of a reply that says no.
    var failure: String? { if case .failed(let error) = reply.outcome { error.code } else { nil } }
}
