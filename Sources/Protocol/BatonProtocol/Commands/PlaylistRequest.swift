public import BatonCore

/// What is asked of playlists, and what shall become of them.
public enum PlaylistRequest: Equatable, Sendable {
    case list(from: Int, limit: Int)
    case get(PlaylistID, from: Int, count: Int)
    case create(name: String, [ItemURI], rule: SmartRule?)
    case delete(PlaylistID)
    case edit(PlaylistID, base: Int?, [Op])

    /// One step of an edit.
    public enum Op: Equatable, Sendable {
        /// What the names stand for is for the sources to say.
        case add([ItemURI], at: Place)
        case plain(PlaylistEdit)
    }
}
