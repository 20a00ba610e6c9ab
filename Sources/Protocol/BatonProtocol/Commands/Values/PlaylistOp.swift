public import BatonCore

/// One step of an edit of a playlist.
public enum PlaylistOp: Equatable, Sendable {
    /// Sources tell which tracks the URIs stand for.
    case add([ItemURI], at: Place)
    case plain(PlaylistEdit)
    /// The edit of a list that a server keeps, whose entries have places and no ids. A list of the hub can be described as well.
    case placed(Placed)

    /// A step that only lists at servers know. Places count from 0.
    public enum Placed: Equatable, Sendable {
        case insert([ItemURI], at: Int)
        case remove([Int])
        case move(from: Int, to: Int)
        case describe(String)
        case publish(Bool)
    }
}

extension PlaylistOp {
    var isOfServers: Bool {
        switch self {
        case .placed(.describe): false
        case .placed: true
        default: false
        }
    }

    var isKnownToServers: Bool {
        switch self {
        case .add(_, let place): place == .end
        case .plain(.rename), .placed: true
        case .plain: false
        }
    }

    /// Whether it means nothing without the state of the list that it was made for.
    var namesPlaces: Bool {
        switch self {
        case .placed(.insert), .placed(.remove), .placed(.move): true
        default: false
        }
    }
}
