package import BatonCore
package import BatonProtocol
package import BatonSeams

/// The shelves of single persons, which come before those of the sources.
@Loop
package protocol PersonShelves: AnyObject {
    /// The shelves with content.
    func shelves(of person: Person) async -> [ItemRow]
    /// The rows of a shelf; `nil` when the item is no such shelf.
    func rows(ofShelf uri: ItemURI, _ page: PageRequest, for person: Person) async throws(SourceFault) -> ItemList?
}
