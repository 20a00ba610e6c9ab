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

    package static func decode(_ frame: CommandFrame, limits: WireLimits = .standard) throws(ProtocolFault) -> Request {
        try decode(frame, as: RequestKind(of: frame), limits: limits)
    }

    package static func decode(
        _ frame: CommandFrame, as kind: RequestKind, limits: WireLimits
    ) throws(ProtocolFault) -> Request {
        do throws(ProtocolFault) {
            let request = try decode(kind, Fields(frame.params, path: "/p"), limits)
            if frame.key == nil, request.needsKey(kind) {
                throw ProtocolFault(.badRequest, "\(kind.rawValue) needs a key, so that sending it again is safe.", at: "/k")
            }
            return request
        } catch { throw error.answering(frame.id) }
    }

    /// `play` counts as keyed when it replaces the queue.
    private func needsKey(_ kind: RequestKind) -> Bool {
        switch self {
        case .unsupported: false
        case .play: true
        default: kind.needsKey
        }
    }
}
