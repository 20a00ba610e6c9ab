/// The name of a stretch of listening, chosen at random where the stretch begins.
public struct SessionID: Hashable, Sendable {
    public let text: String

    public init(_ text: String) { self.text = text }

    package static let mostBytes = 64
}

/// One uninterrupted stretch of listening to one item.
public struct ListeningSession: Equatable, Sendable {
    public var id: SessionID
    /// What plays, as people know it: the name of a device, of a program or of a room.
    public var device: String
    /// The room of this hub; `nil` where a device plays by itself.
    public var room: RoomID?
    /// The session from whose place this one started; `nil` where it knew of none.
    public var parent: SessionID?

    public init(_ id: SessionID, on device: String, in room: RoomID? = nil, from parent: SessionID? = nil) {
        self.id = id
        self.device = device
        self.room = room
        self.parent = parent
    }
}

/// How far a session has come.
public struct PlaceReport: Equatable, Sendable {
    public var session: ListeningSession
    public var positionMs: Int
    /// Of the item; `nil` where it is not known.
    public var durationMs: Int?
    /// The item was heard to its end, also where its length is not known.
    public var isAtEnd: Bool
    /// Wall clock. It is shown, and decides nothing.
    public var atMs: Int64

    public init(_ session: ListeningSession, positionMs: Int, durationMs: Int? = nil, isAtEnd: Bool = false, atMs: Int64) {
        self.session = session
        self.positionMs = positionMs
        self.durationMs = durationMs
        self.isAtEnd = isAtEnd
        self.atMs = atMs
    }
}

/// A place in an item, and how it came about.
public struct ItemPlace: Equatable, Sendable {
    public var session: SessionID
    public var device: String
    public var room: RoomID?
    /// 0 where the item is to be heard from its beginning.
    public var positionMs: Int
    public var isFinished: Bool
    /// Wall clock.
    public var atMs: Int64

    package init(positionMs: Int, isFinished: Bool = false, session: SessionID, device: String, room: RoomID? = nil, atMs: Int64) {
        self.session = session
        self.device = device
        self.room = room
        self.positionMs = positionMs
        self.isFinished = isFinished
        self.atMs = atMs
    }

    package init(_ report: PlaceReport) {
        let session = report.session
        self.init(
            positionMs: min(report.positionMs, report.durationMs ?? .max), isFinished: report.isFinished, session: session.id,
            device: session.device, room: session.room, atMs: report.atMs)
    }

    /// Whether an item can be gone on with here.
    public var isInside: Bool { positionMs > 0 && !isFinished }

    /// The same place as far as a server would know, which keeps whole seconds.
    package func isNear(_ other: ItemPlace) -> Bool {
        ServerPlace(self, isFinished: isFinished).isSame(as: ServerPlace(other, isFinished: other.isFinished))
    }
}

extension PlaceReport {
    /// With less than this left, an item counts as heard.
    package static let finishedLeftMs = 30_000

    /// An item of less than a minute is not finished before its middle.
    package var isFinished: Bool {
        guard !isAtEnd, let durationMs else { return isAtEnd }
        return durationMs.minus(positionMs) < min(Self.finishedLeftMs, durationMs / 2)
    }
}
