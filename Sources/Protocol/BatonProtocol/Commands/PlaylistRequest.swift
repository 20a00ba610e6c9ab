public import BatonCore

/// Commands about playlists.
public enum PlaylistRequest: Equatable, Sendable {
    case list(from: Int, limit: Int)
    case get(PlaylistID, from: Int, count: Int)
    case create(name: String, [ItemURI], rule: SmartRule?)
    case delete(PlaylistID)
    case edit(PlaylistID, base: Int?, [Op])

    /// One step of an edit.
    public enum Op: Equatable, Sendable {
        /// Sources tell which tracks the URIs stand for.
        case add([ItemURI], at: Place)
        case plain(PlaylistEdit)
    }
}
