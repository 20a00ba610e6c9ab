/// The steps of a job, and how it is given to a worker exactly once.
import BatonCore
import Testing

@Suite struct GenerationJobTests {
    private let piece = GeneratedPiece(title: "Slow Rain", durationMs: 61_234, sound: "sound.flac")

    private func job(_ state: GenerationJob.State = .submitting) -> GenerationJob {
        GenerationJob(
            id: "j1", worker: "w", request: GenerationRequest(prompt: "rain", seed: "1"), author: "Anna", startedMs: 1,
            room: RoomID("main"),
            playsWhenReady: false, state: state)
    }

    @Test func `a job goes from the press to its sound`() {
        var job = job()
        let steps: [(GenerationJob.Event, GenerationJob.State)] = [
            (.accepted, .queued), (.progress(40, message: "rendering"), .running), (.fetching, .fetching), (.finished(piece), .ready),
        ]
        for (event, state) in steps {
            let isNew = job.take(event, atMs: 5)
            #expect(isNew && job.state == state)
        }
        #expect(job.title == "Slow Rain" && job.tags.durationMs == 61_234 && job.tags.kind == .generation && job.endedMs == 5)
    }

    @Test func `progress never goes back, and stays within its bounds`() {
        var job = job()
        for percent in [10, 40, 30, 400] { _ = job.take(.progress(percent, message: nil), atMs: 0) }
        #expect(job.percent == 100)
        let isNew = job.take(.progress(20, message: nil), atMs: 0)
        #expect(!isNew)
    }

    @Test func `nothing is heard of a job that is over`() {
        for state in [GenerationJob.State.ready, .failed, .cancelled] {
            for event in [GenerationJob.Event.progress(1, message: nil), .finished(piece), .failed("x"), .away("x"), .cancelled, .begun] {
                var job = job(state)
                let isNew = job.take(event, atMs: 1)
                #expect(!isNew && job.state == state)
            }
        }
        var waiting = job(.approval)
        let steps = [waiting.take(.finished(piece), atMs: 1), waiting.take(.approved, atMs: 1)]
        #expect(steps == [false, true] && waiting.state == .submitting)
    }

    @Test func `one that failed or was cancelled is made anew`() {
        var job = job()
        _ = job.take(.remembers("x"), atMs: 0)
        _ = job.take(.progress(50, message: nil), atMs: 0)
        _ = job.take(.failed("Its disk is full."), atMs: 3)
        #expect(job.sentence == "Its disk is full." && job.memory == nil)
        let steps = [job.take(.retried, atMs: 4), job.take(.retried, atMs: 4)]
        #expect(steps == [true, false] && job.state == .submitting && job.percent == 0 && job.sentence == nil && job.endedMs == nil)
    }

    @Test func `a worker that is away keeps the job and its place there`() {
        var job = job(.running)
        _ = job.take(.remembers("1 s j"), atMs: 0)
        let isAway = job.take(.away("No answer."), atMs: 0)
        #expect(isAway && job.state == .offline && job.memory == "1 s j")
        let isBegun = job.take(.begun, atMs: 0)
        #expect(isBegun && job.state == .submitting && job.sentence == nil && job.memory == "1 s j")
    }

    /// A worker in memory whose answers are lost, that is restarted, and a hub that is killed between any two steps.
    @Test func `a job arrives exactly once, whatever is lost`() {
        for seed in 0..<1_000 {
            var random = SeededGenerator(UInt64(seed))
            var kept: String?
            var sessions: [String: [String]] = [:]
            var submitted = 0
            var forgotten = 0
            var submission = RemoteSubmission(text: kept) ?? RemoteSubmission()
            var polls = 0
            for _ in 0..<200 where polls < 3 {
                if Int.random(in: 0..<6, using: &random) == 0 { submission = RemoteSubmission(text: kept) ?? RemoteSubmission() }
                if Int.random(in: 0..<25, using: &random) == 0 {
                    // What the worker had is lost, and has to be made again.
                    forgotten += sessions.values.reduce(0) { $0 + $1.count }
                    sessions = [:]
                }
                let step = submission.step
                submission.begin()
                kept = submission.text
                let isLost = Int.random(in: 0..<3, using: &random) == 0
                let answer: RemoteSubmission.Answer
                switch step {
                case .openSession:
                    let name = "session-\(seed)-\(sessions.count)-\(submitted)"
                    sessions[name] = []
                    answer = .opened(session: name)
                case .submit(.key): answer = .unknown
                case .submit(.session(let session)):
                    if sessions[session] == nil {
                        answer = .unknown
                    } else {
                        submitted += 1
                        sessions[session]?.append("job-\(submitted)")
                        answer = .submitted(job: "job-\(submitted)")
                    }
                case .look(let session): answer = sessions[session].map { .listed($0) } ?? .unknown
                case .poll(let job):
                    answer = sessions.values.contains { $0.contains(job) } ? .submitted(job: job) : .unknown
                    if answer != .unknown { polls += 1 }
                }
                submission.take(isLost ? .lost : answer)
                kept = submission.text
            }
            let present = sessions.values.reduce(0) { $0 + $1.count }
            #expect(polls == 3 && present == 1 && submitted == 1 + forgotten, "seed \(seed)")
        }
    }

    /// The worker makes one job of a key, and forgets all of them when it is restarted.
    @Test func `a job with a key is sent again until its answer comes`() {
        for seed in 0..<300 {
            var random = SeededGenerator(UInt64(seed))
            var jobs: [String: String] = [:]
            var made = 0
            var forgotten = 0
            var kept = RemoteSubmission(key: "key-\(seed)").text
            var polls = 0
            for _ in 0..<200 where polls < 3 {
                guard var submission = RemoteSubmission(text: kept) else { return #expect(Bool(false)) }
                if Int.random(in: 0..<25, using: &random) == 0 {
                    forgotten += jobs.count
                    jobs = [:]
                }
                let answer: RemoteSubmission.Answer
                switch submission.step {
                case .submit(.key(let key)):
                    if jobs[key] == nil {
                        made += 1
                        jobs[key] = "job-\(made)"
                    }
                    answer = .submitted(job: jobs[key] ?? "")
                case .poll(let job):
                    answer = jobs.values.contains(job) ? .submitted(job: job) : .unknown
                    if answer != .unknown { polls += 1 }
                default: return #expect(Bool(false), "no session is asked for")
                }
                submission.begin()
                kept = submission.text
                submission.take(Int.random(in: 0..<3, using: &random) == 0 ? .lost : answer)
                kept = submission.text
            }
            #expect(polls == 3 && made == 1 + forgotten, "seed \(seed)")
        }
    }

    @Test func `a cancelled job keeps its place at the worker until nothing of it is left there`() {
        var job = job(.running)
        _ = job.take(.remembers("1 s j"), atMs: 0)
        let isCancelled = job.take(.cancelled, atMs: 5)
        #expect(isCancelled && job.memory == "1 s j")
        let isForgotten = job.take(.forgotten, atMs: 9)
        #expect(isForgotten && job.memory == nil && job.endedMs == 5)
        let again = job.take(.forgotten, atMs: 9)
        #expect(!again)
    }

    @Test func `a text that is none is no submission`() {
        for text in [nil, "", "1", "x y", "1 2 3 4"] as [String?] { #expect(RemoteSubmission(text: text) == nil) }
        var submission = RemoteSubmission()
        submission.take(.opened(session: "session-1"))
        submission.begin()
        #expect(RemoteSubmission(text: submission.text) == submission && submission.step == .look(session: "session-1"))
    }
}
