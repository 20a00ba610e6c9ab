import BatonCore
import BatonProtocol

/// How `LibraryRequest` and what belongs to it are read from JSON.
extension LibraryRequest {
    static func decode(_ kind: RequestKind, _ p: Fields) throws(ProtocolFault) -> LibraryRequest? {
        switch kind {
        case .libSearch: try search(p)
        case .libBrowse: .browse(node: try p.uri("node"), sort: try p.choice("sort"), try p.page())
        case .libItem:
            .item(try p.required("uri", p.uri("uri")), lyrics: try p.bool("lyrics") ?? false, media: try p.bool("media") ?? false)
        case .libHistory: .history(try p.page())
        case .favSet: .favourite(try p.required("uri", p.uri("uri")), try p.required("on", p.bool("on")))
        case .rateSet: .stars(try p.required("uri", p.uri("uri")), try p.required("stars", p.int("stars", in: 0...5)))
        case .libFolders: .folders
        case .libFolder: .setFolder(try p.folder("path"), isWanted: try p.required("on", p.bool("on")))
        case .hubScan: .scan(isFull: try p.bool("full") ?? false)
        default: nil
        }
    }

    private static func search(_ p: Fields) throws(ProtocolFault) -> LibraryRequest {
        let text = try p.required("q", p.string("q", bytes: 1...1024))
        guard text.contains(where: { !$0.isWhitespace }) else { throw p.fault("q", "q must name something to look for.") }
        let kinds = try p.list("kinds", count: 1...ItemKind.allCases.count, of: "a kind of item") { $0.string.flatMap(ItemKind.init) }
        return .search(
            Search(text, kinds: kinds ?? [], source: try p.string("source", bytes: 1...64), page: try p.page(usual: 80)))
    }
}

extension ArtRequest {
    init(_ p: Fields) throws(ProtocolFault) {
        self.init(
            id: try p.required("id", p.token("id", length: 1...64)), width: try p.required("w", p.int("w", in: Self.sides)),
            height: try p.int("h", in: Self.sides), format: try p.choice("fmt") ?? .jpeg)
    }
}

extension Fields {
    /// More rows than the deepest list has.
    private static let deepest = 10_000_000

    func page(usual: Int = 100) throws(ProtocolFault) -> LibraryRequest.Page {
        LibraryRequest.Page(
            from: try int("from", in: 0...Self.deepest) ?? 0, limit: try int("limit", in: 1...100) ?? usual,
            cursor: try string("cursor", bytes: 1...1024))
    }

    /// An absolute path on the hub's machine.
    fileprivate func folder(_ name: String) throws(ProtocolFault) -> String {
        let path = try required(name, string(name, bytes: 1...4096))
        guard path.hasPrefix("/"), !path.utf8.contains(0) else { throw fault(name, "\(name) must be a folder's whole path, from / on.") }
        return path
    }
}
