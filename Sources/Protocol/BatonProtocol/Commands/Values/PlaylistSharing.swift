/// The visibility of a playlist, as a command sets it.
public enum PlaylistSharing: String, Sendable, CaseIterable {
    /// For the owner alone, for everyone, or for everyone with the link; only the owner may change it.
    case `private`, shared, link
    /// A playlist without an owner, which everyone may see and change.
    case hub
}
