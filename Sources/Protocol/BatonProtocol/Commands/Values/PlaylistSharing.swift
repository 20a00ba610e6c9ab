/// Who may see a playlist from now on.
public enum PlaylistSharing: String, Sendable, CaseIterable {
    case `private`, shared, link
    /// It belongs to no user any more: all may see and change it.
    case hub
}
