package import BatonCore
package import BatonProtocol
package import BatonSeams

/// The person who listens in a room. A port, since a play is counted for that person in the middle of a change.
@Loop
package protocol PersonFinding: AnyObject {
    /// Notes a command of a person, who becomes the listener if it starts music.
    func pressed(_ kind: CommandKind, by person: Person, in live: LiveRoom)
    /// The person who pressed play last.
    func listener(in room: RoomID) -> Person
}
