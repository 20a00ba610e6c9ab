package import BatonCore
package import BatonSeams

/// Knows the marks and plays of single persons, and which playlists each may see. Rows of other features are shown with them, which takes an answer.
@Loop
package protocol PersonMarks: AnyObject {
    func marked(_ rows: [ItemRow], for person: Person) async -> [ItemRow]
    func isVisible(_ uri: ItemURI, to person: Person) -> Bool
    /// Heard for long enough to count, since then, in a room or on a device that played it by itself.
    func notePlayed(_ item: NewEntry, by person: Person, in room: RoomID, sinceMs: Int64)
}
