package import BatonCore

/// Access to the endless streams of rooms, for a dialect that serves them.
@Loop
package protocol StreamAccess: AnyObject {
    /// Checks the key of a room's stream. Wrong keys are counted by address.
    func permit(_ room: RoomID, key: String, from address: String) throws(StreamRefusal) -> StreamPermit
    /// The sound of the room from now on. With `titlesEvery`, a title follows each block of this many bytes of sound.
    func open(_ permit: StreamPermit, as coding: SoundCoding, titlesEvery: Int?) throws(StreamRefusal) -> HTTPStream
}

/// Permission to open a stream with a valid link.
package struct StreamPermit: Equatable, Sendable {
    /// The room whose sound it opens.
    package var room: RoomID
    /// The id of the link, by which its streams can be ended.
    package var link: String
    /// The name of the room, for players that show it.
    package var roomName: String

    package init(room: RoomID, link: String, roomName: String) {
        self.room = room
        self.link = link
        self.roomName = roomName
    }
}

/// The reason why a stream cannot be opened.
package struct StreamRefusal: Error, Equatable, Sendable {
    /// The kind of refusal, for the answer of the dialect.
    package enum Code: Sendable {
        /// The link was revoked, or never existed.
        case badLink
        /// Too many wrong links came from this address.
        case limited
        /// The hub cannot encode, or has too many listeners.
        case unavailable
    }

    package var code: Code
    package var sentence: String
    /// The time after which another try makes sense; `nil` where none does.
    package var retryAfterMs: Milliseconds?

    package init(_ code: Code, _ sentence: String, retryAfterMs: Milliseconds? = nil) {
        self.code = code
        self.sentence = sentence
        self.retryAfterMs = retryAfterMs
    }
}
