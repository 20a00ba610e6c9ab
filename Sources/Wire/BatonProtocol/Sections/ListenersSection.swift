/// A limit of the section `listeners` for its writers.
extension ListenersSection {
    /// Largest number of listeners that the section can hold.
    package static let mostListed = Section.listeners.cap / 70
}
