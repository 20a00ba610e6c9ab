package import BatonCore
package import BatonProtocol
package import BatonSeams

/// Knows who listens in a room. A play is counted for that person in the middle of a change, so it is asked and not told.
@Loop
package protocol ListenerFinding: AnyObject {
    /// The person has pressed a key there, and listens from now on if it was one that begins music.
    func pressed(_ kind: CommandKind, by person: Person, in live: LiveRoom)
    /// The person who pressed play there last.
    func listener(in room: RoomID) -> Person
}
