/// A bound of the section `listeners` for those who make it.
extension ListenersSection {
    /// A section of the largest size cannot hold more.
    package static let mostListed = Section.listeners.cap / 70
}
