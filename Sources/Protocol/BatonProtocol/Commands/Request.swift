package import BatonCore

/// What a command asks for, its parameters checked: the hub has nothing left to parse.
package enum Request: Equatable, Sendable {
    /// The core takes it as it is.
    case room(Command)
    /// Replaces the queue by what the item expands to and plays from `index` in it.
    case play(uri: ItemURI, index: Int, positionMs: Int)
    case add([ItemURI], at: Place)
    case replace(base: Int, [ItemURI], start: Int, positionMs: Int)
    case queueWindow(from: Int, count: Int)
    case queueRows([EntryID])
    case queueHistory
    /// Makes, changes or connects rooms.
    case rooms(RoomRequest)
    case hubInfo
    /// Looks at what sources offer.
    case library(LibraryRequest)
    case playlists(PlaylistRequest)
    case art(ArtRequest)
    case devices(DeviceRequest)
    /// Named by the protocol, not built yet.
    case unsupported(RequestKind)
}
