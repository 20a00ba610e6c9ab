/// One clip at a worker, whatever is lost, restarted or killed, over dice.
import BatonCore
import Testing

@Suite struct ClipSubmissionTests {
    /// A worker in memory: sessions that get a plan by their first piece.
    private struct Worker {
        struct Session {
            var pieces: [String] = []
            var clips: [String] = []
            var hasPlan = false
        }

        var sessions: [String: Session] = [:]
        var number = 0
        var restarts = 0

        mutating func answer(_ step: ClipSubmission.Step, _ dice: inout SeededGenerator) -> ClipSubmission.Answer? {
            number += 1
            switch step {
            case .openSession:
                sessions["session-\(number)"] = Session()
                return .opened(session: "session-\(number)")
            case .look(let id):
                guard let session = sessions[id] else { return .unknown }
                return .listed(hasPlan: session.hasPlan, pieces: session.pieces, clips: session.clips)
            case .submitPiece(let id):
                guard sessions[id] != nil else { return .unknown }
                sessions[id]?.pieces.append("piece-\(number)")
                return .submitted(job: "piece-\(number)")
            case .submitClip(let id):
                guard sessions[id]?.hasPlan == true else { return .unknown }
                sessions[id]?.clips.append("clip-\(number)")
                return .submitted(job: "clip-\(number)")
            case .pollPiece(let job):
                guard let id = sessions.first(where: { $0.value.pieces.contains(job) })?.key else { return .unknown }
                if Bool.random(using: &dice) { sessions[id]?.hasPlan = true }
                return sessions[id]?.hasPlan == true ? .planned : nil
            case .pollClip(let job): return sessions.values.contains { $0.clips.contains(job) } ? nil : .unknown
            }
        }
    }

    private static let cell = ClipWish(.bass, scene: 1, bars: 4)

    /// BT-CLP-004
    @Test(arguments: 0..<200 as Range<UInt64>) func `a clip is made once, and a session gets one first piece`(seed: UInt64) {
        var dice = SeededGenerator(seed)
        var worker = Worker()
        worker.sessions["session-0"] = Worker.Session(pieces: ["piece-0"], clips: ["clip-0"], hasPlan: true)
        var submission = ClipSubmission(Self.cell, session: Bool.random(using: &dice) ? "session-0" : nil)
        var kept = submission.text
        var polls = 0
        while polls < 3 {
            let step = submission.begin()
            kept = submission.text
            // Late ones find a worker that behaves, so that the clip is made in the end.
            let isRough = worker.number < 60
            if isRough, Int.random(in: 0..<15, using: &dice) == 0 { worker.sessions = [:] }
            let answer = worker.answer(step, &dice)
            if isRough, Int.random(in: 0..<4, using: &dice) == 0 {
                // The answer is lost, or the hub is killed before it has noted it.
                submission = ClipSubmission(text: kept)!
                continue
            }
            if case .pollClip = step, answer == nil { polls += 1 }
            if let answer { submission.take(answer, of: step) }
        }
        let session = worker.sessions[submission.session!]!
        #expect(session.clips.filter { $0 != "clip-0" }.count == 1 && session.clips.last == submission.job)
        #expect(session.pieces.count == 1)
    }

    @Test(arguments: 0..<60 as Range<UInt64>) func `a submission is the same after it was kept`(seed: UInt64) {
        var dice = SeededGenerator(seed)
        var worker = Worker()
        var submission = ClipSubmission(Self.cell)
        for _ in 0..<20 {
            #expect(ClipSubmission(text: submission.text) == submission)
            let step = submission.begin()
            #expect(ClipSubmission(text: submission.text) == submission)
            if let answer = worker.answer(step, &dice) { submission.take(answer, of: step) }
        }
    }

    @Test func `other texts are none`() {
        for text in [nil, "", "1 session-1 job-1", "clip session-1 planning - - bass 0 4", "clip a making j + nowhere 0 4"] {
            #expect(ClipSubmission(text: text) == nil)
        }
    }

    @Test func `a clip that was listed before is never taken for the one whose answer was lost`() {
        var submission = ClipSubmission(Self.cell, session: "session-1")
        submission.take(.listed(hasPlan: true, pieces: ["p"], clips: ["old"]), of: submission.begin())
        #expect(submission.begin() == .submitClip(session: "session-1") && submission.isUncertain)
        submission.take(.listed(hasPlan: true, pieces: ["p"], clips: ["old"]), of: submission.step)
        #expect(submission.begin() == .submitClip(session: "session-1"))
        submission.take(.listed(hasPlan: true, pieces: ["p"], clips: ["old", "new"]), of: submission.step)
        #expect(submission.job == "new")
    }
}
