import BatonCore
import BatonProtocol
import BatonSeams

/// Who may have what made, and who may end it.
extension GenerationService {
    /// In which state a new job of this person begins.
    func beginning(for identity: Identity) throws(SourceFault) -> GenerationJob.State {
        guard let guest = identity.share else { return .submitting }
        switch try opened().guests.verdict(on: Identity.owner(ofGuest: guest), among: jobs.values, atMs: clock.wallMs()) {
        case .begins(let state): return state
        case .forbidden(let sentence): throw SourceFault(.forbidden, sentence)
        case .quota(let sentence): throw SourceFault(.quota, sentence)
        }
    }

    func check(_ identity: Identity, mayCancel id: String) throws(SourceFault) {
        guard identity.role == .guest, let job = jobs[id], job.owner != identity.owner else { return }
        throw SourceFault(.forbidden, "Guests cancel only what they have asked for themselves.")
    }
}

extension Identity {
    /// By whose name prompts and jobs are kept. Guests choose their names freely, so they are told apart by where they come from.
    var owner: String { share.map(Self.owner(ofGuest:)) ?? (person.isEmpty ? device?.text ?? "" : person) }

    /// No person is called so, since names have no line breaks.
    static func owner(ofGuest share: String) -> String { "guest\n\(share)" }
}
