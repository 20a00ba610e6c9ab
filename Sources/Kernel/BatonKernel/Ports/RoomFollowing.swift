package import BatonCore
package import BatonSeams

/// Knows of rooms that play along with others, whose players report what those do. A room hears such a report in its own words, so it is
/// asked before.
@Loop
package protocol RoomFollowing: AnyObject {
    /// The report as the room is to hear it.
    func plain(_ report: PlayerReport, in live: LiveRoom) -> PlayerReport
    /// The room has heard it.
    func heard(_ report: PlayerReport, in live: LiveRoom)
}
