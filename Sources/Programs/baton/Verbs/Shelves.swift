import BatonClient
import BatonCore
import BatonProtocol
import BatonWire

/// The container named by the words of `baton browse`: all shelves, those of a source, or an item.
struct Shelves {
    private(set) var node: ItemURI?
    /// The source whose shelves are shown, if only one.
    private(set) var source: String?
    /// The item without content that the words name, such as a book.
    private(set) var single: ItemRow?
    /// The words so far, for sentences, because people do not know the URIs of shelves.
    private var way: [String] = []

    init() {}

    private init(node: ItemURI? = nil, source: String? = nil, way: [String]) {
        (self.node, self.source, self.way) = (node, source, way)
    }

    private init(_ row: ItemRow, way: [String]) {
        self.init(node: row.uri, way: way)
        if !row.tags.kind.isContainer { single = row }
    }

    private static let most = 10_000

    /// The sentence for an empty container.
    var nothing: String {
        node == nil ? "This hub has no library yet. Add a folder: baton library add FOLDER" : "Nothing is in there."
    }

    /// The command line that leads here.
    var command: String { (["baton browse"] + way.map(ShellWord.quoted)).joined(separator: " ") }

    /// Follows one more word: the URI of an item, a shelf of the library, a source, a row number, or a title. The
    /// person may have `typed` another form of it.
    func step(into word: String, as typed: String? = nil, _ hub: ReconnectingHub) async throws -> Shelves {
        let way = way + [typed ?? word]
        if let single { throw Stop(.refused, "“\(single.tags.title)” holds nothing else. To play it: \(command) --play") }
        if word.contains(":"), !word.hasSuffix(":") {
            let row = try? await hub.send(Commands.Item(ItemURI(word))).answer?.details.row
            return row.map { Shelves($0, way: way) } ?? Shelves(node: ItemURI(word), way: way)
        }
        let wanted = word.lowercased()
        let number = Int(word)
        let most = node == nil ? Self.most : number.map { max(1, $0) } ?? Self.most
        let rows = try await hub.items(Commands.Browse(node: node), most: most).list.rows.filter { $0.isOf(source) }
        if let number, rows.indices.contains(number - 1) { return Shelves(rows[number - 1], way: way) }
        if node == nil, let row = rows.first(where: { $0.isShelf(named: wanted) }) { return Shelves(node: row.uri, way: way) }
        if node == nil, source == nil, let name = try await Self.source(wanted, among: rows, hub) { return Shelves(source: name, way: way) }
        if let row = rows.first(where: { $0.tags.title.lowercased() == wanted }) { return Shelves(row, way: way) }
        if let node, let part = Self.parts[wanted], let uri = try await hub.send(Commands.Item(node)).answer?.details[keyPath: part] {
            return Shelves(node: uri, way: way)
        }
        throw Stop(.refused, "There is no “\(word)” there. See: \(command)")
    }

    /// Lists of an artist besides its albums, by their words.
    private static var parts: [String: KeyPath<ItemDetails, ItemURI?>] { ["top": \.top, "similar": \.related] }

    /// The source with this name or title, if it has shelves.
    private static func source(_ wanted: String, among rows: [ItemRow], _ hub: ReconnectingHub) async throws -> String? {
        let titles = SourceTitles(try await hub.state().sources)
        let names = rows.map { String($0.uri.source) }
        return names.first { "\($0):" == wanted || $0 == wanted || titles.of($0).lowercased() == wanted }
    }
}

extension ItemRow {
    /// Whether its source is this one; `nil` matches all.
    func isOf(_ source: String?) -> Bool { source == nil || uri.source == source ?? "" }

    /// Whether the shelf has this word on the command line: `newest` for `home:shelf/newest`.
    fileprivate func isShelf(named word: String) -> Bool { uri.text == "\(uri.source):shelf/\(word)" }
}
