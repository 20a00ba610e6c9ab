/// How far a remote may reach into this machine (`Protocol/`, "What a remote may name"), and how far an
/// entry reaches that it has added. Journals keep the numbers, whose order is not that of the rights.
package enum Trust: Int, Sendable, Comparable {
    /// Connector items only.
    case itemsOnly = 0
    /// Also http(s) URLs of other machines, and paths below a configured music folder.
    case musicFolders = 1
    /// Also http(s) URLs of this machine: for clients that run on it.
    case ownMachine = 4
    /// Also any other path, as long as no symlink is part of it. For entries of versions that kept no trust: they
    /// name real paths, so what a person has queued goes on, and a link that was put in its place is not followed.
    case plainPath = 2
    /// Any path: only over the unix socket.
    case anyPath = 3

    private var rank: Int {
        switch self {
        case .itemsOnly: 0
        case .musicFolders: 1
        case .ownMachine: 2
        case .plainPath: 3
        case .anyPath: 4
        }
    }

    package static func < (a: Trust, b: Trust) -> Bool { a.rank < b.rank }
}
