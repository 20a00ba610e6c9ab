package import BatonCore
package import BatonSeams

/// The shelves, mixes and playlists that differ between people. A port, since queues are filled with their entries.
@Loop
package protocol PersonItems: AnyObject {
    /// The entries, at most one more than `most`; `nil` for an item that is the same for all.
    func entries(of uri: ItemURI, for person: Person, most: Int) async throws(SourceFault) -> [NewEntry]?
}
