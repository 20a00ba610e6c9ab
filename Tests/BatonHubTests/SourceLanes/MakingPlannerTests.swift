/// The values that decide about generated music: which jobs start, and what is planned after a step.
import BatonCore
import BatonSeams
import Testing

@testable import BatonMaking

@Suite struct `Plans of generated music` {
    private func job(_ id: String, by worker: String = "composer", state: GenerationJob.State = .submitting) -> GenerationJob {
        GenerationJob(
            id: id, worker: worker, request: GenerationRequest(prompt: "rain", seed: "1"), author: nil, startedMs: 0, room: RoomID("main"),
            playsWhenReady: false, state: state)
    }

    private func ids(_ queue: MakingQueue, besides running: Set<String> = [], atUs nowUs: Microseconds = 0) -> [String] {
        queue.turns(besides: running, workers: ["composer", "studio"], nowUs: nowUs).starting.map(\.id)
    }

    /// BT-GEN-006
    @Test func `each worker has one piece at a time, in the order of the requests`() {
        let queue = MakingQueue([
            job("one1"), job("two2"), job("three", by: "studio"), job("four", state: .approval), job("five", by: "gone"),
        ])

        #expect(ids(queue) == ["one1", "three"])
        #expect(ids(queue, besides: ["one1"]) == ["three"])
        #expect(queue.turns(besides: [], workers: ["composer"], nowUs: 0).orphans.map(\.id) == ["three", "five"])
    }

    /// BT-GEN-006
    @Test func `an offline job lets others go first until it is due, and a person's step is stored before its job starts`() {
        var queue = MakingQueue([job("one1"), job("two2")])
        queue.retry("one1", atUs: 5_000)

        #expect(ids(queue) == ["two2"] && ids(queue, atUs: 5_000) == ["one1"])
        #expect(queue.turns(besides: ["two2"], workers: ["composer"], nowUs: 0).dueUs == nil, "its worker is busy")
        let (first, second) = (queue.beginSettling("two2"), queue.beginSettling("two2"))
        #expect(first && !second && ids(queue).isEmpty)
        queue.endSettling("two2")
        #expect(ids(queue) == ["two2"])
    }

    @Test func `the same prompt goes on with a run, another one begins anew, and a carried run keeps its pieces`() {
        let (main, bath) = (RoomID("main"), RoomID("bath"))
        var planner = EndlessPlanner()
        var wish = EndlessPlan.Wish(prompt: "rain")
        planner.begin(planner.plan(for: wish, in: main, run: "run1", author: nil, atMs: 1), in: main)
        planner.note("The disk is full.", in: main)
        wish.ahead = 3

        #expect(planner.plan(for: wish, in: main, run: "run2", author: nil, atMs: 2).run == "run1")
        #expect(planner.plan(for: EndlessPlan.Wish(prompt: "sun"), in: main, run: "run2", author: nil, atMs: 2).run == "run2")
        let moved = planner.move(from: main, to: bath)
        #expect(moved?.run == "run1" && planner[main] == nil && planner.trouble(of: bath) == "The disk is full.")
        #expect(planner.concerns(job("run1-1")) && !planner.concerns(job("run2-1")))
    }

    @Test func `a finished clip takes the place of the earlier one, and a session is mixed when its clips are stored`() throws {
        var planner = ClipPlanner()
        let session = ClipSession(id: "ses1", name: "Rain", prompt: "rain", recipe: "", author: nil, startedMs: 0, once: "a b")
        planner.add(session)
        var queue = MakingQueue()
        func finish(_ id: String, _ sound: String) -> [String]? {
            var job = job(id)
            _ = job.take(.finished(GeneratedPiece(durationMs: 1, sound: sound)), atMs: 1)
            queue.put(job)
            return planner.finished(job)?.dropped
        }
        let wish = ClipWish(.bass, scene: 0, bars: 4)
        let first = try planner.add(wish, to: session)

        #expect(finish(first, "sound.wav") == [])
        #expect(planner.nextMix(in: queue) == nil, "it waits for compression")
        let second = try planner.add(wish, to: session)
        #expect(finish(second, "sound.flac") == [first])
        let mixed = try #require(planner.nextMix(in: queue))
        planner.stick(mixed, "No sound.")
        #expect(planner.nextMix(in: queue) == nil && planner.trouble(0, of: mixed) == "No sound.")
        planner.unstick(mixed)
        #expect(planner.nextMix(in: queue) == mixed)
    }

    /// BT-CLP-003
    @Test func `clips are in the order of their commands, whichever job is stored first`() throws {
        var planner = ClipPlanner()
        let session = ClipSession(id: "ses1", name: "Rain", prompt: "rain", recipe: "", author: nil, startedMs: 0, once: "a b")
        planner.add(session)
        let wish = ClipWish(.bass, scene: 0, bars: 4)
        let first = try planner.add(wish, to: session)
        let second = try planner.add(wish, to: session)
        let third = try planner.add(wish, to: session)

        #expect(planner.takeOut(third)?.session.clips.map(\.number) == [1, 2])
        #expect(planner.takeOut(third)?.session == nil)
        #expect(try planner.stored(second).dropped == [first])
        #expect(try planner.stored(first).dropped == [])
        #expect(planner.newest(session).clips.map(\.number) == [2])
        #expect(try planner.add(wish, to: session) == session.job(4))
    }
}
