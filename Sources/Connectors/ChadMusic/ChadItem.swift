/// The names of a Chad Music account's items.
///
/// `NAME:shelf/CATEGORY` is a category, `NAME:CATEGORY/VALUE` one of its values, `NAME:album/ID` an album and
/// `NAME:track/ID/ALBUM/PATH` a track. A track keeps where its file is, relative to the account's address, so that playing it
/// costs one request; the address itself and all URLs stay out of names, so lists stay right when the server moves.
import BatonCore
import BatonSeams

enum ChadItem: Equatable, Sendable {
    case shelf(ChadCategory)
    case value(ChadCategory, String)
    case album(String)
    case track(ChadTrackName)

    /// As much as a row's URI may be long on the wire, with room for the source's word.
    private static let mostBytes = 980

    /// `nil` for a URI of another source, and for one that names none of its items.
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

/// What a track's URI says: its id, that of the album in which the server lists it, and where its file is.
struct ChadTrackName: Equatable, Sendable {
    var id: String
    var album: String
    /// Relative to the account's address; `nil` when only the server's list says where the file is.
    var path: ChadPath?

    init(id: String, album: String, path: ChadPath? = nil) {
        self.id = id
        self.album = album
        self.path = path
    }

    /// `nil` for text that is none, or whose path leads out of the server's files.
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

    /// A path that makes the name too long is left out.
    func text(most: Int) -> String {
        let short = "\(PercentText.encoded(id))/\(PercentText.encoded(album))"
        guard let path, short.utf8.count + path.text.utf8.count < most else { return short }
        return "\(short)/\(path.text)"
    }
}

/// The eight categories by which the server lists its albums.
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

    /// What kind of container one of its values is.
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
