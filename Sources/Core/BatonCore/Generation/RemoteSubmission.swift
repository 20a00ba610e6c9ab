/// Submits a job exactly once to a worker.
///
/// A worker that supports keys makes one job of a key, however often it is sent. For a worker with neither keys nor a list of jobs, each job has its
/// own session there. When the answer to a submission is lost, the session shows whether the job arrived, because a POST is carried out even when its
/// connection breaks before the answer.
package struct RemoteSubmission: Equatable, Sendable {
    /// The next request to the worker.
    package enum Step: Equatable, Sendable {
        /// Opens a session for this job alone.
        case openSession
        /// Submits the job in this session or with this key.
        case submit(Mark)
        /// Asks for the jobs of the session.
        case look(session: String)
        /// Asks how far the job is.
        case poll(job: String)
    }

    /// The identifier by which a submission is recognised.
    package enum Mark: Equatable, Sendable {
        /// The worker's id of a session that holds nothing but this job.
        case session(String)
        /// A key that the hub chose, for a worker that makes one job of each key.
        case key(String)
    }

    /// The worker's answer to a step.
    package enum Answer: Equatable, Sendable {
        case opened(session: String)
        case submitted(job: String)
        /// The jobs of the session in order.
        case listed([String])
        /// The worker does not know the session or job, because it was restarted.
        case unknown
        /// The worker may have acted; its answer was lost.
        case lost
    }

    /// The key or session by which the job is recognised; `nil` until a session was opened.
    package private(set) var mark: Mark?
    /// The worker's id of the job; `nil` until it is known.
    package private(set) var job: String?
    /// True when a submission was sent and its result is unknown.
    package private(set) var isUncertain = false

    /// Uses a key for workers that support keys.
    package init(key: String? = nil) { mark = key.map { .key($0) } }

    /// The request that is due. It stays the same until an answer was taken.
    package var step: Step {
        if let job { return .poll(job: job) }
        guard let mark else { return .openSession }
        if case .session(let session) = mark, isUncertain { return .look(session: session) }
        return .submit(mark)
    }

    /// Notes a submission before it is sent, so that a hub that is killed meanwhile lists the session first.
    package mutating func begin() { if case .submit = step { isUncertain = true } }

    /// Takes the answer to the current step; a late answer never replaces a job that is known.
    package mutating func take(_ answer: Answer) {
        switch answer {
        case .opened(let session): if mark == nil { mark = .session(session) }
        case .submitted(let job): if self.job == nil { self.job = job }
        case .listed(let jobs):
            if let first = jobs.first { job = job ?? first } else { isUncertain = false }
        case .unknown:
            job = nil
            isUncertain = false
            // A restarted worker has lost its sessions, but a key is chosen by the hub and stays valid.
            if case .session = mark { mark = nil }
        case .lost: break  // A session whose id was lost holds no job.
        }
    }

    // MARK: As text, for the store

    /// The submission as one line for the store.
    package var text: String {
        let words =
            switch mark {
            case .session(let session): [isUncertain ? "1" : "0", session]
            case .key(let key): [isUncertain ? "K" : "k", key]
            case nil: ["0", "-"]
            }
        return (words + [job ?? "-"]).joined(separator: " ")
    }

    /// Restores a submission; `nil` when the text has another form.
    package init?(text: String?) {
        let parts = (text ?? "").split(separator: " ").map(String.init)
        guard parts.count == 3 else { return nil }
        isUncertain = ["1", "K"].contains(parts[0])
        if parts[1] != "-" { mark = ["k", "K"].contains(parts[0]) ? .key(parts[1]) : .session(parts[1]) }
        job = parts[2] == "-" ? nil : parts[2]
    }
}
