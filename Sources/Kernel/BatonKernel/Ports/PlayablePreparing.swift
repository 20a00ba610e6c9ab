package import BatonCore
package import BatonSeams

/// Changes an item before a room's player gets it. The player waits for that, so it is asked and not told.
@Loop
package protocol PlayablePreparing: AnyObject {
    func asPlayed(_ playable: Playable, _ entry: EntryID, _ uri: ItemURI, in live: LiveRoom) -> Playable
}
