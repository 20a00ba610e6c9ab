package import BatonCore
package import BatonSeams

/// Knows how many devices hear the stream of a room. A track that is streamed is copied first, which is decided when the copy begins.
@Loop
package protocol StreamListening: AnyObject {
    func listenerCount(of room: RoomID) -> Int
}
