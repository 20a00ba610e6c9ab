package import BatonCore
package import BatonProtocol

/// One connection of a person, for the list of connected people.
@Loop
package protocol Attendee: AnyObject {
    var identity: Identity { get }
    var room: RoomID { get }
    /// True when it follows this room, perhaps among others.
    func follows(_ room: RoomID) -> Bool
    /// The sections that it follows. The list of people is made only while someone follows it.
    var wanted: SectionSet { get }
    /// True when the client says that it plays the room's sound itself.
    var hears: Bool { get }
    /// The name of its paired device.
    var deviceName: String? { get }
    /// Tells the client why it has to leave the room, and ends the connection.
    func sendOut(_ fault: ProtocolFault)
}

extension Attendee {
    /// Default for dialects whose connections follow one room.
    package func follows(_ room: RoomID) -> Bool { room == self.room }
}

/// The connections of all dialects.
@Loop
package protocol Attendance: AnyObject {
    func enter(_ attendee: any Attendee)
    /// Removes a connection; does nothing for one that has left already.
    func leave(_ attendee: any Attendee)
    /// Called when it follows other sections or another room. `old` are the sections that it followed before.
    func turned(_ attendee: any Attendee, from old: SectionSet)
    /// Number of connections of this principal.
    func connections(of principal: String) -> Int
    /// The reason why this person may not enter this room; `nil` for one who may.
    func refusal(of identity: Identity, from room: RoomID) -> ProtocolFault?
    /// Notes that a person did something, so that it is not shown as idle.
    func acted(_ principal: String)
    /// Updates these sections for a reader that does not follow them.
    func freshen(_ wanted: SectionSet)
    /// The names of the people in this room, in the order in which they came; each person appears once.
    func names(in room: RoomID) -> [String]
}

/// The room that each client chose last, which it returns to when it names none.
@Loop
package protocol RoomChoosing: AnyObject {
    /// The room that this client chose last; `nil` where it chose none, or the choice is forgotten.
    func room(of client: String) -> RoomID?
    /// Notes a choice. The oldest choices are forgotten when there are many.
    func remember(_ room: RoomID, of client: String)
}

/// Reads the steps and pages of queues.
@Loop
package protocol QueueReading: AnyObject {
    /// The number of the newest step of this room's queue; `nil` when the room does not exist.
    func step(of room: RoomID) -> Int?
    /// The steps after `number`, for a client that knows the earlier ones.
    func news(of room: RoomID, since number: Int) -> QueueOps?
    /// Entries of a queue from an index on; `nil` when the room does not exist.
    func page(of room: RoomID, from: Int, count: Int) -> QueuePage?
}

/// Access to pictures and items, for dialects that serve them.
@Loop
package protocol MediaAccess: AnyObject {
    /// The picture at this size, scaled if necessary.
    func picture(
        _ id: String, width: Int?, height: Int?, format: Picture.Format?, mostBytes: Int?
    ) async throws(SourceFault) -> Picture
    /// The item that a pass opens; `nil` when the pass was never given, has expired, or was given to another device. A request over a channel without
    /// devices has none.
    func opening(withPass token: String, from device: DeviceID?) async throws(SourceFault) -> MediaOpening?
    /// A playable item, for a dialect that itself decides who may have it.
    func playable(of uri: ItemURI, trust: Trust) async throws(SourceFault) -> Playable
    /// The executor for reading pieces of files.
    var blockingPool: any TaskExecutor { get }
    /// The executor for work that takes seconds and has a lower priority than commands.
    var quietPool: any TaskExecutor { get }
}

/// Uploads of files to servers at which the hub has accounts.
@Loop
package protocol UploadAccess: AnyObject {
    /// Uploads the file to the server of an account while it arrives; the returned sentence says what the server did with it.
    func upload(_ content: NamedBytes, to source: String) async throws(SourceFault) -> String
}

/// An item that a client may play itself.
package struct MediaOpening: Sendable {
    /// The item, ready to be read.
    package var playable: Playable
    /// Returns false when the transfer must end, as when the requesting device was removed.
    package var isGood: @Loop () -> Bool

    package init(playable: Playable, isGood: @escaping @Loop () -> Bool) {
        self.playable = playable
        self.isGood = isGood
    }
}

/// A dialect, as the hub counts and ends its connections.
@Loop
package protocol Dialect: AnyObject {
    /// Number of all connections, followed by the number for each paired device.
    var connections: Int { get }
    var connectionsByDevice: [DeviceID: Int] { get }
    /// Figures about the dialect's memory, for `hub.info`.
    var memoryFigures: [HubDiagnostics.Memory.Figure] { get }
    /// Ends the connections of a device that was removed or has other rights now. The fault says which.
    func end(_ device: DeviceID, _ fault: ProtocolFault)
    /// Called when sessions of users have ended, or the rights of a user have changed. The dialect checks each signed-in connection by
    /// `UserAccess.session(named:)` or by its token, and ends those whose session has ended or whose user has changed.
    func usersChanged()
    /// Called when the hub stops.
    func close()
}

extension Dialect {
    /// Default for dialects without users.
    package func usersChanged() {}
}
