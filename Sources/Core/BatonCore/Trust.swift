/// How far a remote may reach into this machine (`Protocol/`, "What a remote may name"), and how far an
/// entry reaches that it has added. Journals keep the numbers.
package enum Trust: Int, Sendable, Comparable {
    /// Connector items only.
    case itemsOnly
    /// Also http(s) URLs, and paths below a configured music folder.
    case musicFolders
    /// Also any other path, as long as no symlink is part of it. For entries of versions that kept no trust: they
    /// name real paths, so what a person has queued goes on, and a link that was put in its place is not followed.
    case plainPath
    /// Any path: only over the unix socket.
    case anyPath

    package static func < (a: Trust, b: Trust) -> Bool { a.rawValue < b.rawValue }
}
