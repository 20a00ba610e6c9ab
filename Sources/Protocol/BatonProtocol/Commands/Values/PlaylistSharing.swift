/// The visibility of a playlist, as a command sets it.
public enum PlaylistSharing: String, Sendable, CaseIterable {
    case `private`, shared, link
    /// A playlist without an owner, which everyone may see and change.
    case hub
}
