import BatonCore
import BatonSeams

/// Knows who listens in a room. A play is counted for that person in the middle of a change, so it is asked and not told.
@Loop
protocol ListenerFinding: AnyObject {
    /// The person who pressed play there last.
    func listener(in room: RoomID) -> Person
}
