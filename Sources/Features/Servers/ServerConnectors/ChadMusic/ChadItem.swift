/// The items behind the URIs of a Chad Music account.
///
/// `NAME:shelf/CATEGORY` is a category, `NAME:CATEGORY/VALUE` one of its values, `NAME:album/ID` an album and
/// `NAME:track/ID/ALBUM/PATH` a track. A track's URI includes its file's path relative to the account's address, so
/// that playing it costs one request. Addresses and URLs stay out of URIs, so that playlists remain valid when the
/// server moves.
import BatonCore
import BatonSeams

enum ChadItem: Equatable, Sendable {
    case shelf(ChadCategory)
    case value(ChadCategory, String)
    case album(String)
    case track(ChadTrackName)

    /// Longest URI that fits into a message, with room for the source's name.
    private static let mostBytes = 980

    /// Parses a URI; `nil` for other sources and invalid items.
    init?(_ uri: ItemURI, of source: String) {
        guard uri.source == source else { return nil }
        let rest = uri.text.dropFirst(source.count + 1)
        let parts = rest.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[1].isEmpty else { return nil }
        if parts[0] == "track" {
            guard let name = ChadTrackName(parts[1]) else { return nil }
            self = .track(name)
            return
        }
        guard !parts[1].contains("/"), let id = PercentText.decoded(parts[1]) else { return nil }
        switch parts[0] {
        case "shelf":
            guard let category = ChadCategory(rawValue: id) else { return nil }
            self = .shelf(category)
        case "album": self = .album(id)
        default:
            guard let category = ChadCategory(rawValue: String(parts[0])) else { return nil }
            self = .value(category, id)
        }
    }

    func uri(in source: String) -> ItemURI {
        switch self {
        case .shelf(let category): ItemURI("\(source):shelf/\(category.rawValue)")
        case .value(let category, let value): ItemURI("\(source):\(category.rawValue)/\(PercentText.encoded(value))")
        case .album(let id): ItemURI("\(source):album/\(PercentText.encoded(id))")
        case .track(let name): ItemURI("\(source):track/\(name.text(most: Self.mostBytes))")
        }
    }
}

/// The parts of a track's URI: its id, its album's id, and the path of its file.
struct ChadTrackName: Equatable, Sendable {
    var id: String
    var album: String
    /// The path relative to the account's address; `nil` if only the server's list tells where the file is.
    var path: ChadPath?

    init(id: String, album: String, path: ChadPath? = nil) {
        self.id = id
        self.album = album
        self.path = path
    }

    /// Parses the text of a URI; `nil` if it is invalid or its path leaves the server's files.
    init?(_ text: Substring) {
        let parts = text.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count >= 2, let id = PercentText.decoded(parts[0]), let album = PercentText.decoded(parts[1]), !id.isEmpty,
            !album.isEmpty
        else { return nil }
        self.init(id: id, album: album)
        guard parts.count == 3 else { return }
        guard let path = ChadPath(encoded: String(parts[2])) else { return nil }
        self.path = path
    }

    /// The text of the URI, without the path if that makes it too long.
    func text(most: Int) -> String {
        let short = "\(PercentText.encoded(id))/\(PercentText.encoded(album))"
        guard let path, short.utf8.count + path.text.utf8.count < most else { return short }
        return "\(short)/\(path.text)"
    }
}

/// The eight categories of albums on the server.
enum ChadCategory: String, CaseIterable, Sendable {
    case artist, year, album, publisher, country, genre, type, status

    var title: String {
        switch self {
        case .artist: "Artists"
        case .year: "Years"
        case .album: "Albums"
        case .publisher: "Publishers"
        case .country: "Countries"
        case .genre: "Genres"
        case .type: "Types"
        case .status: "Statuses"
        }
    }

    /// The kind of container for a value of this category.
    var kind: ItemKind {
        switch self {
        case .artist: .artist
        case .album: .album
        case .genre: .genre
        case .year: .year
        case .publisher: .label
        case .country, .type, .status: .folder
        }
    }
}
