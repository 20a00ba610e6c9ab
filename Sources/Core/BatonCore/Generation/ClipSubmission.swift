/// How a clip is given exactly once to a worker over HTTP.
///
/// Clips belong to a session at the worker, which has a plan once its first piece has succeeded: a session without a plan gets that piece
/// first. A worker that has forgotten the session is given a new one, whose first piece is made on the plan that the hub has kept.
/// Before a clip is submitted, the clips of its cell are listed; when the answer was lost, a clip that is not among them is the one.
package struct ClipSubmission: Equatable, Sendable {
    package enum Step: Equatable, Sendable {
        case openSession
        /// Asks what the session has.
        case look(session: String)
        /// Gives the first piece, by which the session gets its plan.
        case submitPiece(session: String)
        case pollPiece(job: String)
        case submitClip(session: String)
        case pollClip(job: String)
    }

    package enum Answer: Equatable, Sendable {
        case opened(session: String)
        /// What the session has: pieces that have not failed, and the clips of the cell, in their order.
        case listed(hasPlan: Bool, pieces: [String], clips: [String])
        case submitted(job: String)
        /// The first piece has succeeded, or the worker misses it.
        case planned
        /// The worker knows no such session or job: it was restarted.
        case unknown
    }

    private enum Stage: Equatable {
        /// The session has to be looked at: a submission is or was under way, or nothing is known yet.
        case unsure
        case unplanned
        case planning(job: String)
        case planned
        case making(job: String)
    }

    package let cell: ClipWish
    package private(set) var session: String?
    private var stage = Stage.unsure
    /// The clips of the cell before this one was submitted; `nil` before they were listed.
    private var known: [String]?

    package init(_ cell: ClipWish, session: String? = nil) {
        self.cell = cell
        self.session = session
    }

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

    /// The clip at the worker, as far as it is known.
    package var job: String? { if case .making(let job) = stage { job } else { nil } }

    /// The worker may have a clip of which nothing is known yet.
    package var isUncertain: Bool { stage == .unsure && known != nil }

    /// Noted before a submission leaves, so that a hub that is killed meanwhile looks before it submits again. The stage that it leaves
    /// is returned: the answer, where it comes, is one to that.
    package mutating func begin() -> Step {
        let step = step
        if stage == .unplanned || stage == .planned { stage = .unsure }
        return step
    }

    /// What came of the step.
    package mutating func take(_ answer: Answer, of step: Step) {
        switch (answer, step) {
        case (.opened(let session), _): self.session = session
        case (.listed(let hasPlan, let pieces, let clips), _): list(hasPlan, pieces, clips)
        case (.submitted(let job), .submitPiece): stage = .planning(job: job)
        case (.submitted(let job), _): stage = .making(job: job)
        case (.planned, _): stage = .unsure
        case (.unknown, _): self = ClipSubmission(cell)
        }
    }

    private mutating func list(_ hasPlan: Bool, _ pieces: [String], _ clips: [String]) {
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

    /// `nil` when the text has another form.
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
