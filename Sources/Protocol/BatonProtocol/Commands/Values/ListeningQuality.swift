/// How a device that plays along wants the sound: a network may be too slow for the original, and a device unable to decode it.
public enum ListeningQuality: String, Sendable, CaseIterable {
    /// As the hub thinks best.
    case auto
    case original
    /// Thousands of bits a second.
    case opus128, opus64, aac128
}
