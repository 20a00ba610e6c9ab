package import BatonCore
package import BatonSeams

/// Knows which items anybody has marked or listed. Pieces that are not go first when there is no room for another, so it is asked by then.
@Loop
package protocol ItemMarking: AnyObject {
    func marked(_ items: [ItemURI]) async throws(SourceFault) -> MarkedItems
}

/// The marks of items, and which of them stand in playlists that people fill.
package struct MarkedItems: Sendable {
    package var marks: [ItemURI: ItemMark] = [:]
    package var listed: Set<ItemURI> = []

    package init(marks: [ItemURI: ItemMark] = [:]) { self.marks = marks }
}
