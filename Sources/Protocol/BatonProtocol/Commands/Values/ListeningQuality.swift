/// The sound format for a device that plays along: a network may be too slow for the original, and a device unable to decode it.
public enum ListeningQuality: String, Sendable, CaseIterable {
    /// The hub's choice.
    case auto
    case original
    /// A codec with its kilobits a second.
    case opus128, opus64, aac128
}
