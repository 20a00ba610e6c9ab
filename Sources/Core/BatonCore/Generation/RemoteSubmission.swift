/// How a job is given exactly once to a worker.
///
/// A worker that knows keys makes one job of a key, however often it is sent. For one that has neither keys nor a list of jobs, each
/// job has a session of its own there. When the answer to a submission was lost, the session shows whether the job arrived: a
/// POST is carried out also when its connection breaks before the answer.
package struct RemoteSubmission: Equatable, Sendable {
    package enum Step: Equatable, Sendable {
        case openSession
        /// Gives the job to the worker, in this session or with this key.
        case submit(Mark)
        /// Asks what the session has.
        case look(session: String)
        case poll(job: String)
    }

    /// By which a submission is known again.
    package enum Mark: Equatable, Sendable {
        case session(String)
        case key(String)
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

    package private(set) var mark: Mark?
    package private(set) var job: String?
    /// A submission is or was under way.
    package private(set) var isUncertain = false

    /// With a key for a worker that knows keys.
    package init(key: String? = nil) { mark = key.map { .key($0) } }

    package var step: Step {
        if let job { return .poll(job: job) }
        guard let mark else { return .openSession }
        if case .session(let session) = mark, isUncertain { return .look(session: session) }
        return .submit(mark)
    }

    /// Noted before a submission leaves, so that a hub that is killed meanwhile looks before it submits again.
    package mutating func begin() { if case .submit = step { isUncertain = true } }

    package mutating func take(_ answer: Answer) {
        switch answer {
        case .opened(let session): if mark == nil { mark = .session(session) }
        case .submitted(let job): if self.job == nil { self.job = job }
        case .listed(let jobs):
            if let first = jobs.first { job = job ?? first } else { isUncertain = false }
        case .unknown:
            job = nil
            isUncertain = false
            // A session is gone with the worker that had it; a key is ours.
            if case .session = mark { mark = nil }
        case .lost: break  // A session whose name was lost holds no job.
        }
    }

    // MARK: As text, for the store

    package var text: String {
        let words =
            switch mark {
            case .session(let session): [isUncertain ? "1" : "0", session]
            case .key(let key): [isUncertain ? "K" : "k", key]
            case nil: ["0", "-"]
            }
        return (words + [job ?? "-"]).joined(separator: " ")
    }

    /// `nil` when the text has another form.
    package init?(text: String?) {
        let parts = (text ?? "").split(separator: " ").map(String.init)
        guard parts.count == 3 else { return nil }
        isUncertain = ["1", "K"].contains(parts[0])
        if parts[1] != "-" { mark = ["k", "K"].contains(parts[0]) ? .key(parts[1]) : .session(parts[1]) }
        job = parts[2] == "-" ? nil : parts[2]
    }
}
