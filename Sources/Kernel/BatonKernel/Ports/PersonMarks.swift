package import BatonCore
package import BatonSeams

/// The marks and plays of single persons, and the playlists that each may see. A port, since rows of other features show
/// them.
@Loop
package protocol PersonMarks: AnyObject {
    /// The rows with the marks of this person. A user has marks of their own and does not see those of the hub.
    func marked(_ rows: [ItemRow], for person: Person) async -> [ItemRow]
    /// False for a playlist that this person may not read; true for every other item.
    func isVisible(_ uri: ItemURI, to person: Person) -> Bool
    /// Notes a play that was long enough to count, in a room or on a device that played by itself.
    func notePlayed(_ item: NewEntry, by person: Person, in room: RoomID, sinceMs: Milliseconds)
}
