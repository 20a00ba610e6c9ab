package import BatonCore
package import BatonProtocol
package import BatonSeams

/// Fills shelves for single persons, which stand before those of the sources.
@Loop
package protocol PersonShelves: AnyObject {
    /// The shelves on which something stands.
    func shelves(of person: Person) async -> [ItemRow]
    /// `nil` where the item is no shelf of this kind.
    func rows(ofShelf uri: ItemURI, _ page: PageRequest, for person: Person) async throws(SourceFault) -> ItemList?
}
