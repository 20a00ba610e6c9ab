package import BatonCore
package import BatonSeams

/// Receives the places in spoken items that servers push, each over the connection to one server and for one item. Only one
/// part stores places.
@Loop
package protocol ServerPlaceHearing: AnyObject {
    func heard(_ place: ServerPlace, in uri: ItemURI, at source: String)
}
