package import BatonCore
package import BatonSeams

/// Changes an item before a room's player gets it. A port, since the player waits for the result.
@Loop
package protocol PlayablePreparing: AnyObject {
    /// The form that the player gets, for example without silent parts; the same form if nothing is changed.
    func asPlayed(_ playable: Playable, entry: EntryID, uri: ItemURI, in live: LiveRoom) -> Playable
}
