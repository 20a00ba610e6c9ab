/// How a job is given exactly once to a worker that has neither keys nor a list of jobs.
///
/// Each job has a session of its own at the worker. When the answer to a submission was lost, the session shows whether the job
/// arrived: a POST is carried out also when its connection breaks before the answer.
package struct RemoteSubmission: Equatable, Sendable {
    package enum Step: Equatable, Sendable {
        case openSession
        /// Gives the job to the worker, in this session.
        case submit(session: String)
        /// Asks what the session has.
        case look(session: String)
        case poll(job: String)
    }

    package enum Answer: Equatable, Sendable {
        case opened(session: String)
        case submitted(job: String)
        /// The jobs of the session, in their order.
        case listed([String])
        /// The worker knows no such session or job: it was restarted.
        case unknown
        /// The worker may have acted; its answer was lost.
        case lost
    }

    package private(set) var session: String?
    package private(set) var job: String?
    /// A submission is or was under way.
    package private(set) var isUncertain = false

    package init() {}

    package var step: Step {
        if let job { return .poll(job: job) }
        guard let session else { return .openSession }
        return isUncertain ? .look(session: session) : .submit(session: session)
    }

    /// Noted before a submission leaves, so that a hub that is killed meanwhile looks before it submits again.
    package mutating func begin() { if case .submit = step { isUncertain = true } }

    package mutating func take(_ answer: Answer) {
        switch answer {
        case .opened(let session): if self.session == nil { self.session = session }
        case .submitted(let job): if self.job == nil { self.job = job }
        case .listed(let jobs):
            if let first = jobs.first { job = job ?? first } else { isUncertain = false }
        case .unknown: self = RemoteSubmission()
        case .lost: break  // A session whose name was lost holds no job.
        }
    }

    // MARK: As text, for the store

    package var text: String { "\(isUncertain ? 1 : 0) \(session ?? "-") \(job ?? "-")" }

    /// Starts anew with what is no such text.
    package init(text: String?) {
        let parts = (text ?? "").split(separator: " ").map(String.init)
        guard parts.count == 3 else { return }
        isUncertain = parts[0] == "1"
        session = parts[1] == "-" ? nil : parts[1]
        job = parts[2] == "-" ? nil : parts[2]
    }
}
