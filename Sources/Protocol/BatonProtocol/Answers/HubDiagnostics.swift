/// The condition of a hub, as clients that are no admins learn it.
extension HubDiagnostics {
    /// The same without paths and other details for admins.
    package var withoutPlaces: HubDiagnostics {
        var copy = self
        copy.journal.path = nil
        copy.library = library?.withoutPlaces
        copy.memory = nil
        copy.listen.removeAll { $0.hasPrefix("unix:") }
        return copy
    }
}
