/// The id of a session, chosen at random when the session begins.
public struct SessionID: Hashable, Sendable {
    /// The word, which clients choose for their own sessions.
    public let text: String

    /// An id as received or stored; those of a room's own stretches begin with `r`.
    public init(_ text: String) { self.text = text }

    /// Maximum length of an id in bytes.
    package static let mostBytes = 64
}

/// One uninterrupted session of listening to one item.
public struct ListeningSession: Equatable, Sendable {
    /// The id, the same for all reports of the session.
    public var id: SessionID
    /// The name of the playing device, program or room that people know.
    public var device: String
    /// The room of this hub; `nil` where a device plays by itself.
    public var room: RoomID?
    /// The session whose place this one started from; `nil` where none was known.
    public var parent: SessionID?

    /// A session; without a parent it moves no place that another session has set.
    public init(_ id: SessionID, on device: String, in room: RoomID? = nil, from parent: SessionID? = nil) {
        self.id = id
        self.device = device
        self.room = room
        self.parent = parent
    }
}

/// A report of how far a session has come.
public struct PlaceReport: Equatable, Sendable {
    /// The session that reports, with the session it started from.
    public var session: ListeningSession
    /// The position that was reached. One in the first second changes nothing, unless the item has ended.
    public var positionMs: Milliseconds
    /// The length of the item; `nil` where it is unknown.
    public var durationMs: Milliseconds?
    /// True when the item played to its end, also where its length is unknown.
    public var isAtEnd: Bool
    /// Wall clock time. It is shown, and decides nothing.
    public var atMs: Milliseconds

    /// A report; without a length, only `isAtEnd` can make it one of a finished item.
    public init(
        _ session: ListeningSession, positionMs: Milliseconds, durationMs: Milliseconds? = nil, isAtEnd: Bool = false, atMs: Milliseconds
    ) {
        self.session = session
        self.positionMs = positionMs
        self.durationMs = durationMs
        self.isAtEnd = isAtEnd
        self.atMs = atMs
    }
}

/// A place in an item, and the session that set it.
public struct ItemPlace: Equatable, Sendable {
    /// The session that set the place; only its own reports and those of its descendants move it on.
    public var session: SessionID
    /// The name of the device, program or room where the place was set.
    public var device: String
    /// The room of this hub; `nil` where another device set it.
    public var room: RoomID?
    /// The position; 0 where the item should start from its beginning.
    public var positionMs: Milliseconds
    /// True when the item was heard to its end, or was marked so.
    public var isFinished: Bool
    /// Wall clock time.
    public var atMs: Milliseconds

    package init(
        positionMs: Milliseconds, isFinished: Bool = false, session: SessionID, device: String, room: RoomID? = nil, atMs: Milliseconds
    ) {
        self.session = session
        self.device = device
        self.room = room
        self.positionMs = positionMs
        self.isFinished = isFinished
        self.atMs = atMs
    }

    /// The place that a report stands for, never behind the end of the item.
    package init(_ report: PlaceReport) {
        let session = report.session
        self.init(
            positionMs: min(report.positionMs, report.durationMs ?? .max), isFinished: report.isFinished, session: session.id,
            device: session.device, room: session.room, atMs: report.atMs)
    }

    /// True when the item can be resumed here.
    public var isInside: Bool { positionMs > 0 && !isFinished }

    /// True when both are the same place to a server, which stores whole seconds.
    package func isNear(_ other: ItemPlace) -> Bool {
        ServerPlace(self, isFinished: isFinished).isSame(as: ServerPlace(other, isFinished: other.isFinished))
    }
}

extension PlaceReport {
    /// An item counts as finished with less than this left.
    package static let finishedLeftMs: Milliseconds = 30_000

    /// True when the item counts as finished. An item of less than a minute does not before its middle.
    package var isFinished: Bool {
        guard !isAtEnd, let durationMs else { return isAtEnd }
        return durationMs.minus(positionMs) < min(Self.finishedLeftMs, durationMs / 2)
    }
}
