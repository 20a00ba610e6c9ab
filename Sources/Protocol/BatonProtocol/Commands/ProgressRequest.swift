public import BatonCore

/// Commands about where a person is in books and episodes. They are about the person of the device that sends them.
public enum ProgressRequest: Equatable, Sendable {
    case report(ProgressReport)
    /// Of one item, or of all that the person has begun or finished.
    case list(uri: ItemURI?, isFinished: Bool, PageRequest)
    case restore(ItemURI, SessionID)
    case finish(ItemURI)
    case reset(ItemURI)
    /// Where a person who fell asleep in the room can go on.
    case asleep
    /// The room goes on, and its places count again, although the same person listens elsewhere too.
    case here
}

/// How far a device has come that plays by itself.
public struct ProgressReport: Equatable, Sendable {
    public var uri: ItemURI
    public var positionMs: Int
    /// The stretch of listening, by a name that the device has chosen at random.
    public var session: SessionID
    /// The session of the place from which it started; `nil` where the device knew of none.
    public var parent: SessionID?
    /// The item was heard to its end.
    public var isAtEnd: Bool

    public init(_ uri: ItemURI, positionMs: Int, session: SessionID, parent: SessionID? = nil, isAtEnd: Bool = false) {
        self.uri = uri
        self.positionMs = positionMs
        self.session = session
        self.parent = parent
        self.isAtEnd = isAtEnd
    }
}
