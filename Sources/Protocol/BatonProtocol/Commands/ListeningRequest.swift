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
