/// Submits a clip exactly once to a worker over HTTP.
///
/// Clips belong to a session at the worker. A session has a plan once its first piece has succeeded, so a session without a plan gets that piece
/// first. For a worker that has forgotten the session, a new one is opened, and its first piece uses the plan that the hub has stored. Before a clip
/// is submitted, the clips of its cell are listed; when the answer is lost, the clip that is missing from that list is the submitted one.
package struct ClipSubmission: Equatable, Sendable {
    /// The next request to the worker.
    package enum Step: Equatable, Sendable {
        /// Opens a session, because the worker has none or has forgotten it.
        case openSession
        /// Asks for the pieces and clips of the session.
        case look(session: String)
        /// Submits the first piece, which gives the session its plan.
        case submitPiece(session: String)
        /// Asks how far the session's first piece is.
        case pollPiece(job: String)
        /// Submits the clip itself, now that the session has a plan.
        case submitClip(session: String)
        /// Asks how far the clip is.
        case pollClip(job: String)
    }

    /// The worker's answer to a step.
    package enum Answer: Equatable, Sendable {
        case opened(session: String)
        /// The contents of the session: pieces that have not failed, and the clips of the cell, in order.
        case listed(hasPlan: Bool, pieces: [String], clips: [String])
        case submitted(job: String)
        /// The first piece has succeeded, or the worker does not know it.
        case planned
        /// The worker does not know the session or job, because it was restarted.
        case unknown
    }

    private enum Stage: Equatable {
        /// The session has to be listed: a submission may be under way, or nothing is known yet.
        case unsure
        case unplanned
        case planning(job: String)
        case planned
        case making(job: String)
    }

    /// The clip that is wanted, which stays the same when the session is lost and opened again.
    package let cell: ClipWish
    /// The worker's id of the session; `nil` until it has opened one.
    package private(set) var session: String?
    private var stage = Stage.unsure
    /// The clips of the cell before this submission; `nil` until they were listed.
    private var known: [String]?

    /// A submission of which nothing was sent. A known session is looked at first, since the worker may have the clip already.
    package init(_ cell: ClipWish, session: String? = nil) {
        self.cell = cell
        self.session = session
    }

    /// The request that is due. It stays the same until an answer was taken.
    package var step: Step {
        guard let session else { return .openSession }
        return switch stage {
        case .unsure: .look(session: session)
        case .unplanned: .submitPiece(session: session)
        case .planning(let job): .pollPiece(job: job)
        case .planned: .submitClip(session: session)
        case .making(let job): .pollClip(job: job)
        }
    }

    /// The id of the clip's job at the worker, once it is known.
    package var job: String? { if case .making(let job) = stage { job } else { nil } }

    /// True when the worker may have a clip of which the hub knows nothing yet.
    package var isUncertain: Bool { stage == .unsure && known != nil }

    /// Notes a submission before it is sent, so that a hub that is killed meanwhile lists the session first. Returns the step that the answer will
    /// belong to.
    package mutating func begin() -> Step {
        let step = step
        if stage == .unplanned || stage == .planned { stage = .unsure }
        return step
    }

    /// Takes the answer to a step.
    package mutating func take(_ answer: Answer, of step: Step) {
        switch (answer, step) {
        case (.opened(let session), _): self.session = session
        case (.listed(let hasPlan, let pieces, let clips), _): list(hasPlan: hasPlan, pieces: pieces, clips: clips)
        case (.submitted(let job), .submitPiece): stage = .planning(job: job)
        case (.submitted(let job), _): stage = .making(job: job)
        case (.planned, _): stage = .unsure
        case (.unknown, _): self = ClipSubmission(cell)
        }
    }

    private mutating func list(hasPlan: Bool, pieces: [String], clips: [String]) {
        guard hasPlan else {
            stage = pieces.first.map { .planning(job: $0) } ?? .unplanned
            return
        }
        let before = known ?? clips
        known = before
        stage = clips.first { !before.contains($0) }.map { .making(job: $0) } ?? .planned
    }

    // MARK: As text, for the store

    private static let mark = "clip"
    private static let none = "-"

    /// The submission as one line for the store.
    package var text: String {
        let (word, job) =
            switch stage {
            case .unsure: ("unsure", nil as String?)
            case .unplanned: ("unplanned", nil)
            case .planning(let job): ("planning", job)
            case .planned: ("planned", nil)
            case .making(let job): ("making", job)
            }
        let listed = known.map { (["+"] + $0).joined(separator: ",") }
        return [Self.mark, session ?? Self.none, word, job ?? Self.none, listed ?? Self.none, cell.text].joined(separator: " ")
    }

    /// Restores a submission; `nil` when the text has another form.
    package init?(text: String?) {
        let words = (text ?? "").split(separator: " ", maxSplits: 5).map(String.init)
        guard words.count == 6, words[0] == Self.mark, let cell = ClipWish(text: words[5]) else { return nil }
        let parts = words.map { $0 == Self.none ? nil : $0 }
        self.init(cell, session: parts[1])
        switch (words[2], parts[3]) {
        case ("unsure", _): stage = .unsure
        case ("unplanned", _): stage = .unplanned
        case ("planning", let job?): stage = .planning(job: job)
        case ("planned", _): stage = .planned
        case ("making", let job?): stage = .making(job: job)
        default: return nil
        }
        known = parts[4].map { $0.split(separator: ",").dropFirst().map(String.init) }
    }
}
