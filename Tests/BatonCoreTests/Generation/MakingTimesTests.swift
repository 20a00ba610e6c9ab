/// The estimate of how long a piece takes. BT-GEN-008
import BatonCore
import Testing

struct MakingTimesTests {
    private func job(_ worker: String, _ model: String?, took ms: Milliseconds?) -> GenerationJob {
        var job = GenerationJob(
            id: "job-1", worker: worker, request: GenerationRequest(prompt: "rain", seed: "1", model: model), author: nil, startedMs: 0,
            room: nil, playsWhenReady: false)
        _ = job.take(.begun, atMs: 1_000)
        if let ms { _ = job.take(.finished(GeneratedPiece(durationMs: 1, sound: "s")), atMs: 1_000 + ms) }
        return job
    }

    @Test func `the median of a model's last twenty at its worker, and none before the first`() {
        var times = MakingTimes()
        #expect(times.estimateMs(of: job("studio", "m", took: nil)) == nil)
        times.note(job("studio", "m", took: 900))
        times.note(job("studio", "m", took: nil))
        times.note(job("studio", nil, took: 5))
        times.note(job("attic", "m", took: 7))
        #expect(times.estimateMs(of: job("studio", "m", took: nil)) == 900)
        times.note(job("studio", "m", took: 100))
        #expect(times.estimateMs(of: job("studio", "m", took: nil)) == 500)
        for _ in 0..<19 { times.note(job("studio", "m", took: 60)) }
        times.note(job("studio", "m", took: 10_000))
        #expect(times.estimateMs(of: job("studio", "m", took: nil)) == 60)
        #expect(MakingTimes([job("a", "b", took: 3)]).estimateMs(of: job("a", "b", took: nil)) == 3)
    }

    @Test func `what a worker goes on with counts from its beginning, and what is begun anew from then`() {
        var remembered = job("studio", nil, took: nil)
        _ = remembered.take(.remembers("place"), atMs: 2_000)
        _ = remembered.take(.begun, atMs: 9_000)
        #expect(remembered.begunMs == 1_000)
        var anew = job("studio", nil, took: nil)
        _ = anew.take(.begun, atMs: 9_000)
        #expect(anew.begunMs == 9_000)
    }
}

/// What the owner lets guests ask for. BT-GEN-009
struct GuestPromptsTests {
    private func job(_ owner: String, _ state: GenerationJob.State, startedMs: Milliseconds = 0) -> GenerationJob {
        GenerationJob(
            id: "job-1", worker: "w", request: GenerationRequest(prompt: "rain", seed: "1"), author: nil, owner: owner,
            startedMs: startedMs, room: nil, playsWhenReady: false, state: state)
    }

    @Test func `one piece in the making, six in an hour, and nothing where the owner says so`() {
        let hour: Milliseconds = 3_600_000
        #expect(GuestPrompts().verdict(on: "g", among: [], atMs: hour) == .begins(.approval))
        #expect(GuestPrompts(.on).verdict(on: "g", among: [job("h", .running)], atMs: hour) == .begins(.submitting))
        guard case .forbidden(let sentence) = GuestPrompts(.off).verdict(on: "g", among: [], atMs: hour) else {
            return #expect(Bool(false))
        }
        #expect(sentence.contains("gen_guests"))
        guard case .quota = GuestPrompts(.on).verdict(on: "g", among: [job("g", .approval)], atMs: hour) else {
            return #expect(Bool(false))
        }
        let six = (1...6).map { job("g", .ready, startedMs: Milliseconds($0)) }
        guard case .quota = GuestPrompts(.on).verdict(on: "g", among: six, atMs: hour) else { return #expect(Bool(false)) }
        #expect(GuestPrompts(.on).verdict(on: "g", among: six, atMs: hour + 1) == .begins(.submitting))
    }
}
