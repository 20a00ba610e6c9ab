package import BatonCore
package import BatonSeams

/// The number of devices that play a room's stream. A port, since it is needed when a copy begins: streamed tracks are copied
/// first.
@Loop
package protocol StreamListening: AnyObject {
    /// Number of devices that hear the room by its streams, whichever link they use.
    func listenerCount(of room: RoomID) -> Int
}
