package import BatonCore
package import BatonSeams

/// Takes the places in spoken items that servers tell by themselves. They come by the connection to one server, for one item at a time, and
/// only one part keeps places.
@Loop
package protocol ServerPlaceHearing: AnyObject {
    func heard(_ place: ServerPlace, in uri: ItemURI, at source: String)
}
