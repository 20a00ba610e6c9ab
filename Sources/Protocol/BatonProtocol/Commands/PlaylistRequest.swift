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
    case edit(PlaylistID, base: Int?, [Op])
    /// Makes a list at the server of this source.
    case createAt(source: String, name: String, [ItemURI])
    case editAt(ItemURI, version: String?, [Op])
    case deleteAt(ItemURI, version: String?)

    /// One step of an edit.
    public enum Op: Equatable, Sendable {
        /// Sources tell which tracks the URIs stand for.
        case add([ItemURI], at: Place)
        case plain(PlaylistEdit)
        /// The edit of a list that a server keeps, whose entries have places and no ids. A list of the hub can be described as well.
        case placed(PlacedEdit)
    }

    /// A step that only lists at servers know. Places count from 0.
    public enum PlacedEdit: Equatable, Sendable {
        case insert([ItemURI], at: Int)
        case remove([Int])
        case move(from: Int, to: Int)
        case describe(String)
        case publish(Bool)

        /// Whether it means nothing without the state of the list that it was made for.
        var namesPlaces: Bool {
            switch self {
            case .insert, .remove, .move: true
            case .describe, .publish: false
            }
        }
    }
}

/// Who may see a playlist from now on.
public enum PlaylistSharing: String, Sendable, CaseIterable {
    case `private`, shared, link
    /// It belongs to no user any more: all may see and change it.
    case hub
}
