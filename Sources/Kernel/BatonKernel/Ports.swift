package import BatonSeams

/// The questions that the kernel and features have to features which are installed later, each by a protocol of its own in `Ports`. A feature
/// puts its part here when it is installed and holds it; where no feature did, there is no answer.
@Loop
package final class Ports {
    /// Changes items before players get them.
    package weak var preparing: (any PlayablePreparing)?
    /// Knows which rooms play along with others.
    package weak var following: (any RoomFollowing)?
    /// Knows who listens in a room.
    package weak var listeners: (any ListenerFinding)?
    /// Takes places that servers tell.
    package weak var places: (any ServerPlaceHearing)?
    /// Knows the copies that people asked for.
    package weak var copies: (any CopyKnowing)?
    /// Knows what plays before and after a station.
    package weak var stations: (any StationFollowing)?
    /// Knows the items that differ from person to person.
    package weak var personItems: (any PersonItems)?
    /// Fills shelves for single persons.
    package weak var shelves: (any PersonShelves)?
    /// Tells servers where a person is in an item.
    package weak var placeNotes: (any PlaceTelling)?
}
