/// The reach of a remote into this machine (`Protocol/`, "What a remote may name"), and of an entry that it has added. Journals store the numbers,
/// whose order differs from that of the rights.
package enum Trust: Int, Sendable, Comparable {
    /// Connector items only.
    case itemsOnly = 0
    /// Also http(s) URLs of other machines, and paths below a configured music folder.
    case musicFolders = 1
    /// Also http(s) URLs of this machine, for clients that run on it.
    case ownMachine = 4
    /// Also any other path without a symlink. For entries of versions that stored no trust: they name real paths, so queued files still play, and a
    /// symlink put in their place is not followed.
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

    /// The order of the rights, from the least to the most.
    package static func < (a: Trust, b: Trust) -> Bool { a.rank < b.rank }
}
