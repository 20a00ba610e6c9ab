package import BatonSeams

/// The questions of the kernel and of features to features that are installed later, each with a protocol in `Ports`. A
/// feature sets its part here when it is installed, and owns it; without such a feature there is no answer.
@Loop
package final class Ports {
    /// Changes items before players get them.
    package weak var preparing: (any PlayablePreparing)?
    /// The rooms that play along with others.
    package weak var following: (any RoomFollowing)?
    /// The listener in a room.
    package weak var personFinding: (any PersonFinding)?
    /// Receives places that servers push.
    package weak var places: (any ServerPlaceHearing)?
    /// The copies that people asked for.
    package weak var copies: (any CopyKnowing)?
    /// The titles and presets before and after a station.
    package weak var stations: (any StationFollowing)?
    /// The items that differ between people.
    package weak var personItems: (any PersonItems)?
    /// The shelves of single persons.
    package weak var shelves: (any PersonShelves)?
    /// Sends a person's place in an item to servers.
    package weak var placeNotes: (any PlaceTelling)?
}
