package import BatonCore
package import BatonSeams

/// The number of devices that play a room's stream. A port, since it is needed when a copy begins: streamed tracks are copied
/// first.
@Loop
package protocol StreamListening: AnyObject {
    func listenerCount(of room: RoomID) -> Int
}
