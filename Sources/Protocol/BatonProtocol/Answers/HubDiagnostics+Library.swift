/// The condition of a hub's library, for `baton doctor`.
extension HubDiagnostics.Library {
    /// A copy for other roles: every remote may know of a problem, but only an admin the names of folders and programs.
    var withoutPlaces: HubDiagnostics.Library {
        HubDiagnostics.Library(
            problem: problem.map { _ in "The library could not be opened." },
            unread: unread.map { _ in "Tags and covers cannot be read." },
            unwatched: unwatched.map { _ in "Changes of some folders are found later." })
    }
}
