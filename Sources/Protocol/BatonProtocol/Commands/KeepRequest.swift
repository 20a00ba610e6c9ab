public import BatonCore

/// Commands about what is kept on the hub's own disk, so that it plays without its server.
public enum KeepRequest: Equatable, Sendable {
    case list
    /// Keeps it from now on, or no longer.
    case set(KeepWish, Bool)
    /// How many bytes all of it together may have.
    case limit(Int64)
}
