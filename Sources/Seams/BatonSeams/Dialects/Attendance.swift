package import BatonCore
package import BatonProtocol

/// One connection of a person, as the list of who is connected shows it.
@Loop
package protocol Attendee: AnyObject {
    var identity: Identity { get }
    /// The room it follows.
    var room: RoomID { get }
    /// Whether it follows this room, perhaps beside others.
    func follows(_ room: RoomID) -> Bool
    /// The sections it follows. The list of people is made only while it is followed.
    var wanted: SectionSet { get }
    /// It plays the room's sound itself, as far as it says.
    var hears: Bool { get }
    /// The name of the paired device behind it.
    var deviceName: String? { get }
    /// Tells the client why it has to leave the room, and ends the connection.
    func sendOut(_ fault: ProtocolFault)
}

extension Attendee {
    /// For dialects whose connections follow one room.
    package func follows(_ room: RoomID) -> Bool { room == self.room }
}

/// Who is connected, over all dialects.
@Loop
package protocol Attendance: AnyObject {
    func enter(_ attendee: any Attendee)
    /// Does nothing for one that has left already.
    func leave(_ attendee: any Attendee)
    /// It follows other sections, or another room. `old` are the sections it followed before.
    func turned(_ attendee: any Attendee, from old: SectionSet)
    /// How many connections this principal has.
    func connections(of principal: String) -> Int
    /// Why this person may not come into this room; `nil` for one who may.
    func refusal(of identity: Identity, from room: RoomID) -> ProtocolFault?
    /// A person did something there, so that it is not shown as idle.
    func acted(_ principal: String)
    /// Brings these sections up to date for a reader that does not follow them.
    func freshen(_ wanted: SectionSet)
    /// The names of the people who are in this room, in the order in which they came; one with several connections is there once.
    func names(in room: RoomID) -> [String]
}

/// The room that each client chose last: where it is led when it comes again and names none.
@Loop
package protocol RoomChoosing: AnyObject {
    func room(of client: String) -> RoomID?
    func remember(_ room: RoomID, of client: String)
}

/// Following a queue step by step.
@Loop
package protocol QueueReading: AnyObject {
    /// The number of the newest step of this room's queue; `nil` when there is no such room.
    func step(of room: RoomID) -> Int?
    /// What a client lacks that was told everything up to `number`.
    func news(of room: RoomID, since number: Int) -> QueueOps?
    func page(of room: RoomID, from: Int, count: Int) -> QueuePage?
}

/// Pictures and items, for dialects that hand them out by themselves.
@Loop
package protocol MediaAccess: AnyObject {
    /// The picture at this size, made if need be.
    func picture(
        _ id: String, _ width: Int?, _ height: Int?, _ format: Picture.Format?, mostBytes: Int?
    ) async throws(SourceFault) -> Picture
    /// The item that a pass is good for; `nil` when it was never given, is too old, or was given to another device than the one
    /// that shows it. A request over a channel without devices shows none.
    func opening(withPass token: String, from device: DeviceID?) async throws(SourceFault) -> MediaOpening?
    /// An item of a source, for a dialect that knows by itself who may have it.
    func playable(of uri: ItemURI, trust: Trust) async throws(SourceFault) -> Playable
    /// Where pieces of files are read.
    var blockingPool: any TaskExecutor { get }
    /// The same for work that takes seconds: commands go first.
    var quietPool: any TaskExecutor { get }
}

/// Files that people give to servers at which the hub has accounts.
@Loop
package protocol UploadAccess: AnyObject {
    /// Gives the file to the server of an account, as far as it has come; a sentence says what became of it.
    func upload(_ content: NamedBytes, to source: String) async throws(SourceFault) -> String
}

/// An item that a client may hear itself.
package struct MediaOpening: Sendable {
    package var playable: Playable
    /// Whether what was begun may go on: not when the device that asked was sent away.
    package var isGood: @Loop () -> Bool

    package init(playable: Playable, isGood: @escaping @Loop () -> Bool) {
        self.playable = playable
        self.isGood = isGood
    }
}

/// A dialect as the hub counts and ends its connections.
@Loop
package protocol Dialect: AnyObject {
    /// How many connections it has, and how many of them belong to each paired device.
    var connections: Int { get }
    var connectionsByDevice: [DeviceID: Int] { get }
    /// For `hub.info`: what the dialect keeps, in numbers.
    var memoryFigures: [HubDiagnostics.Memory.Figure] { get }
    /// Ends the connections of a device that was removed or has other rights now. The fault says which.
    func end(_ device: DeviceID, _ fault: ProtocolFault)
    /// Sessions of users have ended, or a user may do more or less than before. The dialect looks at each connection that a user has
    /// signed in on, by `UserAccess.session(named:)` or by its token, and ends those whose session is no more or whose user has changed.
    func usersChanged()
    /// The hub is stopping.
    func close()
}

extension Dialect {
    /// For dialects whose connections are never a user's.
    package func usersChanged() {}
}
