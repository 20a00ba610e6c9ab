import BatonCore
import BatonProtocol
import BatonSeams

/// Shelves of what a person has begun and finished. They differ from person to person, so the hub fills them itself and no source does.
enum PlaceShelf: String, CaseIterable {
    case goOn = "continue"
    case again

    static let source = "place"

    init?(_ uri: ItemURI) {
        let start = "\(Self.source):shelf/"
        guard uri.text.hasPrefix(start), let shelf = PlaceShelf(rawValue: String(uri.text.dropFirst(start.count))) else { return nil }
        self = shelf
    }

    var uri: ItemURI { ItemURI("\(Self.source):shelf/\(rawValue)") }
    var isFinished: Bool { self == .again }

    var row: ItemRow {
        var tags = Tags(title: self == .goOn ? "Continue listening" : "Listen again")
        tags.kind = .shelf
        return ItemRow(uri: uri, tags: tags)
    }
}

extension PlaceService {
    /// The rows of a shelf, the item that was heard last first.
    func rows(of shelf: PlaceShelf, _ page: LibraryRequest.Page, of person: Person) async throws(SourceFault) -> ItemList {
        let from = page.window.place
        // One more than is shown says whether others follow.
        let window = PageWindow(from: from, limit: page.limit + 1)
        let placed = try await look { keeper throws(SourceFault) in
            try keeper.placed(by: person, isFinished: shelf.isFinished, window)
        }
        let shown = placed.prefix(page.limit).map(\.row)
        return ItemList(node: shelf.row, shown, cursor: placed.count > shown.count ? String(from + shown.count) : nil)
    }

    /// The shelves on which something stands.
    func shelves(of person: Person) async -> [ItemRow] {
        guard isOpen else { return [] }
        var rows: [ItemRow] = []
        for shelf in PlaceShelf.allCases {
            let first = try? await look { keeper throws(SourceFault) in
                try keeper.placed(by: person, isFinished: shelf.isFinished, PageWindow(limit: 1))
            }
            if first?.isEmpty == false { rows.append(shelf.row) }
        }
        return rows
    }
}
