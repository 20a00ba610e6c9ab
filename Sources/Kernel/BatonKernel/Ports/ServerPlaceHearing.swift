package import BatonCore
package import BatonSeams

/// Receives the places in spoken items that servers push, each over the connection to one server and for one item. Only one
/// part stores places.
@Loop
package protocol ServerPlaceHearing: AnyObject {
    /// Called for each pushed place, also for one that the hub itself has sent.
    func heard(_ place: ServerPlace, in uri: ItemURI, at source: String)
}
