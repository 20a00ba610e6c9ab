package import BatonCore

/// Commands about hearing the sound of a room elsewhere.
package enum ListeningRequest: Equatable, Sendable {
    /// With the addresses of the current and the next entry in a quality, where they are asked for.
    case here(ListenerReport, media: ListeningQuality?)
    case gone
    /// The links by which the room is heard as a stream.
    case links
    case addLink(name: String)
    case removeLink(String)
    /// Plays an item in a private room.
    case only(ItemURI, index: Int, positionMs: Int)
}

/// How a device that plays along wants the sound: a network may be too slow for the original, and a device unable to decode it.
public enum ListeningQuality: String, Sendable, CaseIterable {
    /// As the hub thinks best.
    case auto
    case original
    /// Thousands of bits a second.
    case opus128, opus64, aac128
}
