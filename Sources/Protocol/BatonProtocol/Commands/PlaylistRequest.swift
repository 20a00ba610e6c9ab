public import BatonCore

/// Commands about playlists.
public enum PlaylistRequest: Equatable, Sendable {
    case list(from: Int, limit: Int)
    /// `link` is the word that opens a list which is shared by one.
    case get(PlaylistID, from: Int, count: Int, link: String? = nil)
    case share(PlaylistID, PlaylistSharing)
    case create(name: String, [ItemURI], rule: SmartRule?)
    case delete(PlaylistID)
    case restore(PlaylistID)
    case edit(PlaylistID, base: Int?, [PlaylistOp])
    /// Makes a list at the server of this source.
    case createAt(source: String, name: String, [ItemURI])
    case editAt(ItemURI, version: String?, [PlaylistOp])
    case deleteAt(ItemURI, version: String?)
}
