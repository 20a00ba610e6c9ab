/// The owner's limits for generation requests of guests.
package struct GuestPrompts: Equatable, Sendable {
    /// The rule for guests, as in the hub's configuration.
    package enum Policy: String, Sendable, CaseIterable {
        /// Guests may not request music.
        case off
        /// Another person approves each piece.
        case approve
        /// Guests request music like everyone else, within the limits.
        case on
    }

    /// The rule for all guests of the hub.
    package var policy: Policy
    /// Number of unfinished pieces that one guest may have.
    package var waiting: Int
    /// Number of pieces that one guest may request within an hour.
    package var hour: Int

    package init(_ policy: Policy = .approve, waiting: Int = 1, hour: Int = 6) {
        self.policy = policy
        self.waiting = waiting
        self.hour = hour
    }

    /// The decision about one request.
    package enum Verdict: Equatable, Sendable {
        /// The request is accepted, and its job begins in this state.
        case begins(GenerationJob.State)
        /// Guests may not request music here; the sentence says who can change that.
        case forbidden(String)
        /// The guest has reached a limit; the sentence says which.
        case quota(String)
    }

    /// The decision about another piece that this guest requests.
    package func verdict(on guest: String, among jobs: some Sequence<GenerationJob>, atMs nowMs: Milliseconds) -> Verdict {
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
