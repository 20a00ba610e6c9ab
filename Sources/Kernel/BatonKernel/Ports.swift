import BatonSeams

/// The questions that the kernel and features have to features which are installed later, each by a protocol of its own in `Ports`. A feature
/// puts its part here when it is installed and holds it; where no feature did, there is no answer.
@Loop
final class Ports {
    /// Changes items before players get them.
    weak var preparing: (any PlayablePreparing)?
    /// Knows which rooms play along with others.
    weak var following: (any RoomFollowing)?
    /// Knows who listens in a room.
    weak var listeners: (any ListenerFinding)?
    /// Takes places that servers tell.
    weak var places: (any ServerPlaceHearing)?
    /// Knows the copies that people asked for.
    weak var copies: (any CopyKnowing)?
    /// Knows what plays before and after a station.
    weak var stations: (any StationFollowing)?
    /// Knows the items that differ from person to person.
    weak var personItems: (any PersonItems)?
    /// Fills shelves for single persons.
    weak var shelves: (any PersonShelves)?
    /// Tells servers where a person is in an item.
    weak var placeNotes: (any PlaceTelling)?
}
