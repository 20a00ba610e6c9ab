import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import Harness
import Testing

@Suite struct `Remotes follow the hub` {
    @Test func `fast changes reach a slow view as one state with the newest value`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let caller = try sim.remote(.full, id: "caller-1")
            let watch = try sim.remote(.watch, id: "watch-1")
            sim.time.pass(.seconds(1))
            watch.forgetFrames()

            for level in [40, 41, 42, 43] {
                caller.send(Commands.VolumeSet(level))
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
            other.send(Commands.VolumeSet(12))

            let back = try sim.connect(over: .unix(uid: 0, gid: 0))
            let resume = Hello.Resume(epoch: welcome.epoch, revision: kept.revision, rooms: [RoomID("main")], sections: kept.sections)
            back.send(
                JSONWriter.bytes(Hello(view: "watch", client: .init(id: "away-1", run: "r2"), resume: resume).encode))

            #expect(back.frames[1].contains(#""from":\#(kept.revision)"#))
            #expect(back.frames[1].contains(#""s":{"v":[12,0]}"#))
        }
    }

    @Test func `a resume of another epoch gets everything`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let back = try sim.connect(over: .unix(uid: 0, gid: 0))
            let resume = Hello.Resume(epoch: "other", revision: 1, rooms: [RoomID("main")], sections: StateView.watch.sections)

            back.send(JSONWriter.bytes(Hello(view: "watch", client: .init(id: "away-1"), resume: resume).encode))

            #expect(back.frames[1].contains(#""full":1"#))
        }
    }

    @Test func `revisions go on above anything that was sent before a crash`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let before = try sim.remote()
            for level in 0..<20 { before.send(Commands.VolumeSet(level)) }

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
                caller.send(Commands.VolumeSet(level))
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

            caller.send(Commands.VolumeSet(1))
            sim.time.pass(.seconds(20))

            #expect(dead.closed?.code == 4430)
        }
    }

    @Test func `silence is broken before the view's longest pace`() async throws {
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

    /// BT-STA-014. The shared tick comes at other times than a connection's last frame.
    @Test(arguments: [0, 1, 40, 100, 1200, 2500, 3900, 4999], [nil, [20, 300], [50, 2000], [20_000, 20_000]] as [[Int]?])
    func `a sign of life is never late, whenever the last change came`(offsetMs: Milliseconds, pace: [Int]?) async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let remote = try sim.remote(.full)
            if let pace { remote.sendText(#"{"t":"sub","id":900,"pace":[\#(pace[0]),\#(pace[1])]}"#) }
            sim.time.pass(.seconds(30))
            sim.time.pass(.milliseconds(offsetMs))
            remote.send(Commands.VolumeSet(41))
            let longestMs = Milliseconds(pace?[1] ?? 20_000)
            remote.forgetFrames()

            var lastMs: Milliseconds = 0
            var signs = 0
            for count in stride(from: 10, through: Int(longestMs) * 5, by: 10) {
                let ms = Milliseconds(count)
                sim.time.pass(.milliseconds(10))
                guard remote.frames.count > signs else { continue }
                #expect(remote.frames.count == signs + 1 && ms - lastMs <= longestMs, "\(ms - lastMs) ms after the last frame")
                #expect(ms - lastMs >= longestMs * 6 / 10, "so early only costs")
                (signs, lastMs) = (remote.frames.count, ms)
            }
            #expect(signs >= 4 && remote.gaps == 0)
        }
    }

    @Test func `a hundred silent watchers cost no more wakes than one`() async throws {
        try await onLoop {
            @Loop func wakes(of count: Int) throws -> Int {
                let sim = try SimulatedHub()
                for number in 0..<count {
                    _ = try sim.remote(.remote, id: "watcher-\(number)")
                    sim.time.pass(.milliseconds(170))
                }
                sim.time.pass(.seconds(60))
                let before = sim.time.fired
                sim.time.pass(.seconds(300))
                return sim.time.fired - before
            }

            let (one, hundred) = (try wakes(of: 1), try wakes(of: 100))

            #expect(hundred <= one + 5 && one <= 75, "\(hundred) and \(one) in five minutes")
        }
    }

    @Test func `sync brings everything again`() async throws {
        try await onLoop {
            let remote = try SimulatedHub().remote()
            remote.forgetFrames()

            remote.sendText(#"{"t":"sync"}"#)

            #expect(remote.frames.first?.contains(#""full":1"#) == true)
        }
    }

    @Test func `a clock exchange is stamped by the hub`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let remote = try sim.remote()
            remote.forgetFrames()

            remote.sendText(#"{"t":"time","t1":77}"#)

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
            _ = await remote.awaitReply(remote.send(Commands.Play(ItemURI("/music/album:3")), key: "key-1"))
            for _ in 0..<100 where sim.player.playing == nil {
                await Task.yield()
                sim.time.pass(.milliseconds(10))
            }
            remote.send(Commands.VolumeSet(95))
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
