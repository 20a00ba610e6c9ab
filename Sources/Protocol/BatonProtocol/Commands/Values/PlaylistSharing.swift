/// The persons who may see a playlist.
public enum PlaylistSharing: String, Sendable, CaseIterable {
    case `private`, shared, link
    /// The list belongs to no user: all persons may see and change it.
    case hub
}
