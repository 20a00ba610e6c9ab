/// The section `listeners` for those who learn no names of other people: the vote alone.
package struct VotesSection: Equatable, Sendable {
    package var vote: ListenersSection.Vote

    package init(_ vote: ListenersSection.Vote) { self.vote = vote }
}

/// A limit of the section `listeners` for its writers.
extension ListenersSection {
    /// Largest number of listeners that the section can hold.
    package static let mostListed = Section.listeners.cap / 70
}
