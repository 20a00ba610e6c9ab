package import BatonCore
package import BatonSeams

/// The rooms that play along with others. Their players report in the other room's terms, so a port translates each report
/// for the room.
@Loop
package protocol RoomFollowing: AnyObject {
    /// The report in the room's terms.
    func plain(_ report: PlayerReport, in live: LiveRoom) -> PlayerReport
    /// Handles the report after the room has.
    func heard(_ report: PlayerReport, in live: LiveRoom)
}
