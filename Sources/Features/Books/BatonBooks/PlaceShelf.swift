import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// Shelves of begun, next and finished items. They differ between people, so the hub fills them and no source does.
enum PlaceShelf: String, CaseIterable {
    case goOn = "continue"
    case next
    case again

    static let source = "place"

    init?(_ uri: ItemURI) {
        let start = "\(Self.source):shelf/"
        guard uri.text.hasPrefix(start), let shelf = PlaceShelf(rawValue: String(uri.text.dropFirst(start.count))) else { return nil }
        self = shelf
    }

    var uri: ItemURI { ItemURI("\(Self.source):shelf/\(rawValue)") }

    private var title: String {
        switch self {
        case .goOn: "Continue listening"
        case .next: "Up next"
        case .again: "Listen again"
        }
    }

    var row: ItemRow {
        var tags = Tags(title: title)
        tags.kind = .shelf
        return ItemRow(uri: uri, tags: tags)
    }

    func rows(_ window: PageWindow, of person: Person, in storage: any PlaceStorage) throws(SourceFault) -> [ItemRow] {
        switch self {
        case .goOn: try storage.placed(by: person, isFinished: false, window).map(\.row)
        case .next: try storage.upNext(for: person, window)
        case .again: try storage.placed(by: person, isFinished: true, window).map(\.row)
        }
    }
}

extension PlaceService: PersonShelves {
    func rows(ofShelf uri: ItemURI, _ page: PageRequest, for person: Person) async throws(SourceFault) -> ItemList? {
        guard let shelf = PlaceShelf(uri) else { return nil }
        return try await rows(of: shelf, page, of: person)
    }

    /// The rows of a shelf, the most recent item first.
    func rows(of shelf: PlaceShelf, _ page: PageRequest, of person: Person) async throws(SourceFault) -> ItemList {
        let from = page.window.offset
        // One extra row tells whether there are more.
        let window = PageWindow(from: from, limit: page.limit + 1)
        let found = try await lookInTurn { storage throws(SourceFault) in try shelf.rows(window, of: person, in: storage) }
        let shown = found.prefix(page.limit)
        return ItemList(Array(shown), node: shelf.row, cursor: found.count > shown.count ? String(from + shown.count) : nil)
    }

    /// The shelves with content.
    func shelves(of person: Person) async -> [ItemRow] {
        guard isOpen else { return [] }
        let filled = try? await lookInTurn { storage throws(SourceFault) in
            var filled: [PlaceShelf] = []
            for shelf in PlaceShelf.allCases where try !shelf.rows(PageWindow(limit: 1), of: person, in: storage).isEmpty {
                filled.append(shelf)
            }
            return filled
        }
        return (filled ?? []).map(\.row)
    }
}
