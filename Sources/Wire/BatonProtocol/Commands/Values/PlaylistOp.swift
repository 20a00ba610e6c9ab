public import BatonCore

/// One step of an edit of a playlist.
public enum PlaylistOp: Equatable, Sendable {
    /// Adds items; the sources resolve the URIs to tracks.
    case add([ItemURI], at: InsertionPoint)
    /// A step that lists of the hub support, with entries named by their ids. A list on a server supports only a new name of these.
    case plain(PlaylistEdit)
    /// A step for a list on a server, whose entries have places and no ids. A list of the hub can be edited so too.
    case indexed(Indexed)

    /// A step that only lists on servers support. Places count from 0.
    public enum Indexed: Equatable, Sendable {
        case insert([ItemURI], at: Int)
        case remove([Int])
        case move(from: Int, to: Int)
        case describe(String)
        /// Shows the list to other users of its server, or to its owner only.
        case publish(Bool)
    }
}

extension PlaylistOp {
    var isOfServers: Bool {
        switch self {
        case .indexed(.describe): false
        case .indexed: true
        default: false
        }
    }

    var isKnownToServers: Bool {
        switch self {
        case .add(_, let place): place == .end
        case .plain(.rename), .indexed: true
        case .plain: false
        }
    }

    /// Whether it refers to places and so is valid only for the state of the list that it was made for.
    var namesIndices: Bool {
        switch self {
        case .indexed(.insert), .indexed(.remove), .indexed(.move): true
        default: false
        }
    }
}
