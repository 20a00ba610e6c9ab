import BatonCore
import BatonSeams

/// Knows which items anybody has marked or listed. Pieces that are not go first when there is no room for another, so it is asked by then.
@Loop
protocol ItemMarking: AnyObject {
    func marked(_ items: [ItemURI]) async throws(SourceFault) -> MarkedItems
}

/// The marks of items, and which of them stand in playlists that people fill.
struct MarkedItems: Sendable {
    var marks: [ItemURI: ItemMark] = [:]
    var listed: Set<ItemURI> = []
}
