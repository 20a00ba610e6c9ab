import BatonCore
import BatonKernel
import BatonSeams

/// Single pieces: a value that decides which job a person's command makes, and who may cancel it. Nothing follows such a piece.
struct PiecePlanner {
    /// The wish for a piece: how it is asked for, where its entry is placed, and the session whose motif it continues.
    struct Wish {
        let request: GenerationRequest
        let worker: String
        var session: ClipSession?
        /// The line in which a person asked for it, to be offered again.
        var line: String?
    }

    let parts: MakingParts

    /// The first state of a new job of this person.
    func beginning(for identity: Identity, among jobs: some Sequence<GenerationJob>, atMs nowMs: Milliseconds) throws(SourceFault)
        -> GenerationJob.State
    {
        guard let guest = identity.share else { return .submitting }
        switch parts.guests.verdict(on: Identity.owner(ofGuest: guest), among: jobs, atMs: nowMs) {
        case .begins(let state): return state
        case .forbidden(let sentence): throw SourceFault(.forbidden, sentence)
        case .quota(let sentence): throw SourceFault(.quota, sentence)
        }
    }

    /// The job for a wish. `room` has its entry.
    func job(
        for wish: Wish, by identity: Identity, in room: RoomID?, playsWhenReady: Bool, state: GenerationJob.State, atMs nowMs: Milliseconds
    ) -> GenerationJob {
        let id = parts.numbers.newID()
        return GenerationJob(
            id: wish.session?.piece(id) ?? id, worker: wish.worker, request: wish.request, author: identity.author, owner: identity.owner,
            startedMs: nowMs, room: room, playsWhenReady: playsWhenReady, state: state)
    }

    /// The request for a variation of a piece. Only pieces of the composer have the recipe that it needs.
    func variation(of job: GenerationJob, by amount: Int) throws(SourceFault) -> GenerationRequest {
        guard let recipe = job.piece?.recipe ?? BuiltInPieces.outcome(of: job.request) else {
            throw SourceFault(
                .unsupported,
                job.piece == nil
                    ? "“\(job.title)” is not finished yet, so it cannot be varied."
                    : "“\(job.title)” was made by “\(job.worker)”, and only pieces of the composer have a recipe.")
        }
        return try BuiltInPieces.varied(recipe, by: amount, seed: parts.numbers.random() >> 12, prompt: job.request.prompt)
    }

    /// Throws when the person may not cancel the job.
    static func check(_ identity: Identity, mayCancel job: GenerationJob?) throws(SourceFault) {
        guard identity.role == .guest, let job, job.owner != identity.owner else { return }
        throw SourceFault(.forbidden, "Guests cancel only what they have asked for themselves.")
    }
}
