/// The condition of a hub, as clients that are no admins learn it.
extension HubDiagnostics {
    /// The same without paths and other details for admins.
    package var withoutLocations: HubDiagnostics {
        var copy = self
        copy.journal.path = nil
        copy.library = library?.withoutLocations
        copy.memory = nil
        copy.listen.removeAll { $0.hasPrefix("unix:") }
        return copy
    }
}

extension HubDiagnostics.Library {
    /// A copy for other roles: every remote may know of a problem, but only an admin the names of folders and programs.
    var withoutLocations: HubDiagnostics.Library {
        HubDiagnostics.Library(
            problem: problem.map { _ in "The library could not be opened." },
            unread: unread.map { _ in "Tags and covers cannot be read." },
            unwatched: unwatched.map { _ in "Changes of some folders are found later." })
    }
}
