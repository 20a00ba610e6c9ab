package import BatonCore

/// The endless streams of rooms, for a dialect that hands them out.
@Loop
package protocol StreamAccess: AnyObject {
    /// Whose stream a key opens. Wrong keys are counted by address.
    func permit(_ room: RoomID, key: String, from address: String) throws(StreamRefusal) -> StreamPermit
    /// What the room plays, from now on. With `titlesEvery`, its titles stand between so many bytes of sound each.
    func open(_ permit: StreamPermit, as coding: SoundCoding, titlesEvery: Int?) throws(StreamRefusal) -> HTTPStream
}

/// A link that was shown, and is good.
package struct StreamPermit: Equatable, Sendable {
    package var room: RoomID
    package var link: String
    /// For people.
    package var roomName: String

    package init(room: RoomID, link: String, roomName: String) {
        self.room = room
        self.link = link
        self.roomName = roomName
    }
}

package struct StreamRefusal: Error, Equatable, Sendable {
    package enum Code: Sendable {
        /// The link was revoked, or there never was one.
        case badLink
        /// Too many wrong links came from there.
        case braked
        /// The hub cannot encode, or has too many listeners.
        case unavailable
    }

    package var code: Code
    package var sentence: String
    package var retryAfterMs: Int?

    package init(_ code: Code, _ sentence: String, retryAfterMs: Int? = nil) {
        self.code = code
        self.sentence = sentence
        self.retryAfterMs = retryAfterMs
    }
}
