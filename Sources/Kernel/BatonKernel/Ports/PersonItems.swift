package import BatonCore
package import BatonSeams

/// Knows the shelves, mixes and playlists that differ from person to person. A queue is filled with their entries, so it is asked.
@Loop
package protocol PersonItems: AnyObject {
    /// At most one entry more than `most`; `nil` for an item that is the same for all.
    func entries(of uri: ItemURI, for person: Person, most: Int) async throws(SourceFault) -> [NewEntry]?
}
