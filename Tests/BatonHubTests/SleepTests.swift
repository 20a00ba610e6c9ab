import BatonCore
import BatonProtocol
import BatonSeams
import Harness
import Testing

@testable import BatonHub
@testable import BatonKernel
@testable import Companion

@Suite struct `A room falls silent by itself` {
    @Test func `after the time, with one wake-up for the fade and one for the end, and no message in between`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let owner = try sim.remote(id: "owner-1")
            await owner.play("/music/album:40", of: sim)
            sim.time.pass(.seconds(1))
            let (entry, setAtMs) = (sim.hub.rooms.first.room.queue.current, sim.player.heardMs)
            owner.send(Commands.SleepSet(SleepWish(.time, amount: 120_000, fadeMs: 20_000)))
            #expect(sim.hub.rooms.first.room.sleepDueUs == sim.time.nowUs + 100_000_000)
            sim.time.pass(.seconds(99))
            #expect(!sim.player.isFading && sim.player.playing == entry)
            sim.time.pass(.seconds(2))
            #expect(sim.player.isFading && !sim.player.isPaused)
            sim.time.pass(.seconds(20))

            #expect(sim.player.isPaused && !sim.player.isFading && sim.hub.rooms.first.room.sleep == nil)
            #expect((sim.player.heardMs - setAtMs - 100_000).magnitude <= 20)
        }
    }

    /// BT-SLP-006
    @Test func `a killed hub knows what was left, and counts on when play is pressed`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let owner = try sim.remote(id: "owner-1")
            await owner.play("/music/album:4", of: sim)
            owner.send(Commands.SleepSet(SleepWish(.time, amount: 60_000)))
            await sim.settle()
            sim.time.pass(.seconds(20))

            try sim.restart()

            let left = try #require(sim.hub.rooms.first.room.sleep?.line.leftMs)
            #expect((40_000...45_100).contains(left), "it is kept every five seconds")
            sim.time.pass(.seconds(500))
            let again = try sim.remote(id: "owner-1")
            again.send(Commands.Play())
            await sim.settle()
            sim.time.pass(.milliseconds(left - 1000))
            #expect(!sim.player.isPaused)
            sim.time.pass(.seconds(2))
            #expect(sim.player.isPaused)
        }
    }

    /// BT-SLP-003
    @Test func `at the end of a chapter the player stops by itself, and at the end of a track nothing follows`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let owner = try sim.remote(id: "owner-1")
            await owner.play("/music/album:4", of: sim)
            sim.time.pass(.seconds(1))
            let entry = try #require(sim.player.playing)
            sim.player.tell(.chapters(entry, [0, 50_000, 90_000].map { ChapterList.Mark(title: "", startMs: $0) }))
            owner.send(Commands.SleepSet(SleepWish(.chapter, amount: 2)))
            await sim.settle()
            #expect(sim.player.wantedStop == PlayerStop(entry: entry, atMs: 90_000))

            sim.time.pass(.seconds(120))

            #expect(sim.player.playing == nil && sim.hub.rooms.first.room.timeline.positionMs == 90_000)
            owner.send(Commands.SleepSet(SleepWish(.track)))
            owner.send(Commands.Play())
            await sim.settle()
            sim.time.pass(.seconds(120))
            #expect(sim.player.begun.count == 2 && sim.player.playing == nil)
            #expect(sim.hub.rooms.first.room.queue.currentIndex == 1 && sim.hub.rooms.first.room.timeline.state == .stopped)
        }
    }

    @Test func `a deleted room wakes nobody`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let owner = try sim.remote(id: "owner-1")
            let bath = try owner.makeRoom("Bath")
            owner.send(Commands.QueueAdd([ItemURI("/music/own")]), key: "add-1", room: bath)
            owner.send(Commands.Play(), room: bath)
            await sim.settle()
            sim.time.pass(.seconds(1))
            owner.send(Commands.SleepSet(SleepWish(.time, amount: 30_000)), room: bath)
            owner.send(Commands.RoomDelete(bath))
            await sim.settle()

            sim.time.pass(.seconds(60))

            #expect(sim.hub.rooms[bath] == nil && sim.hub.sleepAlarms.count == 0)
        }
    }
}
@Suite struct `Speech goes back when it is resumed` {
    /// BT-BOK-003
    @Test func `a killed hub counts the pause on, and goes back by all of it`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let owner = try sim.remote(id: "owner-1")
            await owner.play("/music/album:4", of: sim)
            sim.time.pass(.seconds(1))
            let entry = try #require(sim.player.playing)
            sim.player.tell(.chapters(entry, [0, 50_000].map { ChapterList.Mark(title: "", startMs: $0) }))
            sim.time.pass(.seconds(60))
            owner.send(Commands.Pause())
            await sim.settle()
            let pausedAtMs = sim.hub.rooms.first.room.timeline.positionMs
            sim.time.pass(.seconds(50))

            try sim.restart()
            sim.time.pass(.seconds(50))
            let again = try sim.remote(id: "owner-1")
            again.send(Commands.Play())
            await sim.settle()

            // After 100 seconds; neither half of the pause alone would lead so far back.
            let resumedAtMs = sim.hub.rooms.first.room.resumption.fromMs
            #expect(pausedAtMs - resumedAtMs == 10_000)
        }
    }
}

@Suite struct `Chapters are shown while they are heard` {
    @Test func `an hour of a book with a sleep timer costs a watch as much as its chapters`() async throws {
        try await onLoop {
            let sim = try SimulatedHub(trackMs: 5_000_000)
            let owner = try sim.remote(id: "owner-1")
            let watch = try sim.remote(.watch, id: "watch-1")
            await owner.play("/music/album:4", of: sim)
            sim.time.pass(.seconds(1))
            let entry = try #require(sim.player.playing)
            let marks = (0..<14).map {
                ChapterList.Mark(title: "Chapter \($0 + 1): The Lamp in the Window", startMs: Milliseconds($0) * 360_000)
            }
            sim.player.tell(.chapters(entry, marks))
            owner.send(Commands.SleepSet(SleepWish(.time, amount: 4_000_000, fadeMs: 20_000)))
            await sim.settle()
            sim.time.pass(.seconds(10))
            let before = watch.frames.count

            for _ in 0..<360 {
                sim.time.pass(.seconds(10))
                await sim.settle()
            }

            // Without the beats that show that the connection lives.
            let told = watch.frames[before...].filter { $0.contains(#""t":"state""#) && !$0.contains(#""s":{}"#) }
            #expect(told.count == 10 && told.allSatisfy { $0.contains(#""b":["#) }, "\(told)")
            // With the head of its frame.
            #expect(told.reduce(0) { $0 + $1.utf8.count + 2 } <= 1200)
        }
    }

    /// BT-BOK-001
    @Test func `a watch is told of each chapter when it begins, in at most 120 bytes`() async throws {
        try await onLoop {
            let sim = try SimulatedHub()
            let owner = try sim.remote(id: "owner-1")
            let watch = try sim.remote(.watch, id: "watch-1")
            await owner.play("/music/album:4", of: sim)
            sim.time.pass(.seconds(1))
            let entry = try #require(sim.player.playing)
            let title = String(repeating: "Ein langer Titel ", count: 9)
            sim.player.tell(.chapters(entry, [0, 50_000, 90_000].map { ChapterList.Mark(title: title, startMs: $0) }))
            await sim.settle()
            #expect(owner.mirror.book?.number == 1 && owner.mirror.book?.count == 3)
            sim.time.pass(.seconds(40))
            let before = watch.frames.count

            sim.time.pass(.seconds(15))

            #expect(owner.mirror.book?.number == 2 && owner.mirror.book?.endMs == 90_000)
            let told = watch.frames[before...].filter { $0.contains(#""b":["#) }
            #expect(told.count == 1 && told.allSatisfy { $0.utf8.count <= 120 }, "\(told)")
            owner.send(Commands.BookChapter(number: 3), key: "chapter-1")
            await sim.settle()
            // Settling takes a moment, in which it plays on.
            #expect((90_000...91_500).contains(sim.player.heardMs), "\(sim.player.heardMs)")
            #expect(owner.mirror.book?.number == 3)
        }
    }
}
