package import BatonCore
package import BatonSeams

/// The items that any person has marked or listed. A port, since unmarked pieces are deleted first when space is needed.
@Loop
package protocol ItemMarking: AnyObject {
    /// The marks of these items by all people together, and those of them that are in a playlist.
    func marked(_ items: [ItemURI]) async throws(SourceFault) -> MarkedItems
}

/// The marks of items, and the items in playlists of people.
package struct MarkedItems: Sendable {
    /// Marks by item; an item without a mark is left out.
    package var marks: [ItemURI: ItemMark] = [:]
    /// Items that are in a playlist of any person.
    package var listed: Set<ItemURI> = []

    package init(marks: [ItemURI: ItemMark] = [:]) { self.marks = marks }
}
