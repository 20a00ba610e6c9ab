/// What the owner lets guests ask for.
package struct GuestPrompts: Equatable, Sendable {
    package enum Policy: String, Sendable, CaseIterable {
        /// Guests ask for no music.
        case off
        /// Another person allows each piece.
        case approve
        case on
    }

    package var policy: Policy
    /// How many pieces of one guest may be in the making.
    package var waiting: Int
    /// How many one guest may ask for within an hour.
    package var hour: Int

    package init(_ policy: Policy = .approve, waiting: Int = 1, hour: Int = 6) {
        self.policy = policy
        self.waiting = waiting
        self.hour = hour
    }

    package enum Verdict: Equatable, Sendable {
        case begins(GenerationJob.State)
        case forbidden(String)
        case quota(String)
    }

    /// What becomes of another piece that this guest asks for.
    package func verdict(on guest: String, among jobs: some Sequence<GenerationJob>, atMs nowMs: Int64) -> Verdict {
        guard policy != .off else {
            return .forbidden("On this hub guests do not ask for music; its owner can allow it (gen_guests).")
        }
        let own = jobs.filter { $0.owner == guest }
        if own.count(where: { !$0.state.isOver }) >= waiting {
            return .quota("A guest may have \(waiting == 1 ? "one piece" : "\(waiting) pieces") in the making: wait until yours is ready.")
        }
        if own.count(where: { nowMs - $0.startedMs < 3_600_000 }) >= hour {
            return .quota("A guest may ask for \(hour == 1 ? "one piece" : "\(hour) pieces") within an hour. Ask again later.")
        }
        return .begins(policy == .approve ? .approval : .submitting)
    }
}
