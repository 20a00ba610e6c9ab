import BatonCore
import BatonProtocol
import BatonSeams
import Harness
import Testing

@Suite struct `Remotes follow the hub` {
    @Test func `fast changes reach a slow profile as one state with the newest value`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let caller = try sim.remote(.full, id: "caller-1")
            let watch = try sim.remote(.watch, id: "watch-1")
            sim.time.pass(.seconds(1))
            watch.forgetFrames()

            for level in [40, 41, 42, 43] {
                caller.command("vol.set", ["level": .int(Int64(level))])
                sim.time.pass(.milliseconds(10))
            }
            sim.time.pass(.seconds(1))

            #expect(watch.frames.count == 2)
            #expect(watch.frames.last?.contains(#""v":[43,0]"#) == true)
            #expect(watch.gaps == 0)
        }
    }

    @Test func `a resumed copy gets only what is newer`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let other = try sim.remote(.full, id: "other-1")
            let away = try sim.remote(.watch, id: "away-1")
            guard case .welcome(let welcome) = away.messages[0] else { return #expect(Bool(false), "no welcome") }
            let kept = away.mirror
            away.drop()
            other.command("vol.set", ["level": 12])

            let back = try sim.connect(over: .unix(uid: 0, gid: 0))
            let resume = Hello.Resume(epoch: welcome.epoch, revision: kept.revision, rooms: [RoomID("main")], sections: kept.sections)
            back.send(
                JSONWriter.bytes(Hello(profile: .watch, client: .init(id: "away-1", run: "r2"), resume: resume).encode))

            #expect(back.frames[1].contains(#""from":\#(kept.revision)"#))
            #expect(back.frames[1].contains(#""s":{"v":[12,0]}"#))
        }
    }

    @Test func `a resume of another epoch gets everything`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let back = try sim.connect(over: .unix(uid: 0, gid: 0))
            let resume = Hello.Resume(epoch: "other", revision: 1, rooms: [RoomID("main")], sections: Profile.watch.sections)

            back.send(JSONWriter.bytes(Hello(profile: .watch, client: .init(id: "away-1"), resume: resume).encode))

            #expect(back.frames[1].contains(#""full":1"#))
        }
    }

    @Test func `revisions go on above anything that was sent before a crash`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let before = try sim.remote()
            for level in 0..<20 { before.command("vol.set", ["level": .int(Int64(level))]) }

            try sim.restart()

            #expect(try sim.remote().mirror.revision > before.mirror.revision)
        }
    }

    @Test func `a remote that stops reading is skipped, then brought up to date at once`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let caller = try sim.remote(id: "caller-1")
            let slow = try sim.remote(id: "slow-1")
            slow.isReading = false
            slow.forgetFrames()

            for level in 1...30 {
                caller.command("vol.set", ["level": .int(Int64(level))])
                sim.time.pass(.milliseconds(50))
            }
            #expect(slow.frames.isEmpty)
            slow.isReading = true

            #expect(slow.frames.count == 1)
            #expect(slow.mirror.volume?.level == 30)
        }
    }

    @Test func `a remote that never reads again is closed`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let caller = try sim.remote(id: "caller-1")
            let dead = try sim.remote(id: "dead-1")
            sim.time.pass(.seconds(1))
            dead.isReading = false

            caller.command("vol.set", ["level": 1])
            sim.time.pass(.seconds(20))

            #expect(dead.closed?.code == 4430)
        }
    }

    @Test func `silence is broken before the profile's longest pace`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let watch = try sim.remote(.watch)
            watch.forgetFrames()

            sim.time.pass(.seconds(36))

            #expect(watch.frames.count == 1)
            #expect(watch.frames.first?.contains(#""s":{}"#) == true)
            #expect(watch.gaps == 0)
        }
    }

    @Test func `sync brings everything again`() async throws {
        try await onLoop {
            let remote = try SimulatedHub().remote()
            remote.forgetFrames()

            remote.send(#"{"t":"sync"}"#)

            #expect(remote.frames.first?.contains(#""full":1"#) == true)
        }
    }

    @Test func `a clock exchange is stamped by the hub`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let remote = try sim.remote()
            remote.forgetFrames()

            remote.send(#"{"t":"time","t1":77}"#)

            #expect(remote.frames == [#"{"t":"time","t1":77,"t2":\#(sim.time.nowUs),"t3":\#(sim.time.nowUs)}"#])
        }
    }

    @Test func `a paused hub with remotes looking on makes almost no wakeups`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            _ = try sim.remote(.watch, id: "watch-1")
            sim.time.pass(.seconds(10))
            var fired = 0
            let end = sim.time.nowUs + 60_000_000

            while sim.time.fireNext(before: end) { fired += 1 }

            #expect(fired <= 15)
        }
    }

    @Test func `after a restart a room is paused where it was and never louder than its start level`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let remote = try sim.remote()
            _ = await remote.awaitReply(remote.command("play", ["uri": "/music/album:3"], key: "key-1"))
            for _ in 0..<100 where sim.player.playing == nil {
                await Task.yield()
                sim.time.pass(.milliseconds(10))
            }
            remote.command("vol.set", ["level": 95])
            sim.time.pass(.seconds(61))

            try sim.restart()

            let mirror = try sim.remote().mirror
            #expect(mirror.queue?.length == 3)
            #expect(mirror.timeline?.state == .paused)
            #expect((55_000...62_000).contains(mirror.timeline?.positionMs ?? 0))
            #expect(mirror.volume?.level == 50)
        }
    }
}
