/// The items behind this source's URIs: `NAME:track/ID`, `NAME:shelf/newest` and so on. The server's ids are
/// percent-encoded and treated as plain text: no path or address is made from them.
import BatonCore

enum SubsonicItem: Equatable, Sendable {
    case track(String)
    case album(String)
    case artist(String)
    case playlist(String)
    case genre(String)
    case station(String)
    case podcast(String)
    case episode(podcast: String, id: String)
    /// A music folder of the server, and a directory below one.
    case root(String)
    case folder(String)
    /// Artists under one letter of the index.
    case letter(String)
    /// A decade, by its first year.
    case decade(Int)
    case shelf(Shelf)
    /// Songs similar to a song, and an artist's top songs: containers that can be queued.
    case similar(String)
    case top(String)
    /// Artists similar to an artist.
    case related(String)

    enum Shelf: String, CaseIterable, Sendable {
        case albums, artists, letters, newest, recent, frequent, starred, random, genres, years, folders, playlists, stations, podcasts

        var title: String {
            switch self {
            case .albums: "Albums"
            case .artists: "Artists"
            case .letters: "Artists A–Z"
            case .newest: "Newest albums"
            case .recent: "Recently played"
            case .frequent: "Most played"
            case .starred: "Favourites"
            case .random: "Random songs"
            case .genres: "Genres"
            case .years: "Years"
            case .folders: "Folders"
            case .playlists: "Playlists"
            case .stations: "Stations"
            case .podcasts: "Podcasts"
            }
        }
    }

    /// Parses a URI; `nil` for other sources and unknown kinds.
    init?(_ uri: ItemURI, of source: String) {
        guard uri.text.hasPrefix(source + ":") else { return nil }
        let parts = uri.text.dropFirst(source.utf8.count + 1).split(separator: "/", omittingEmptySubsequences: false)
        let ids = parts.dropFirst().compactMap { PercentText.decoded($0) }
        guard parts.count >= 2, ids.count == parts.count - 1, ids.allSatisfy({ 1...1_024 ~= $0.utf8.count }) else { return nil }
        if parts[0] == "episode", ids.count == 2 {
            self = .episode(podcast: ids[0], id: ids[1])
            return
        }
        guard ids.count == 1, let item = Self.item(parts[0], ids[0]) else { return nil }
        self = item
    }

    private static func item(_ kind: Substring, _ id: String) -> SubsonicItem? {
        switch kind {
        case "track": .track(id)
        case "album": .album(id)
        case "artist": .artist(id)
        case "playlist": .playlist(id)
        case "genre": .genre(id)
        case "station": .station(id)
        case "podcast": .podcast(id)
        case "root": .root(id)
        case "folder": .folder(id)
        case "letter": .letter(id)
        case "decade": Int(id).map { .decade($0) }
        case "shelf": Shelf(rawValue: id).map { .shelf($0) }
        case "similar": .similar(id)
        case "top": .top(id)
        case "related": .related(id)
        default: nil
        }
    }

    func uri(of source: String) -> ItemURI {
        let (kind, id) = word
        return ItemURI("\(source):\(kind)/\(id)")
    }

    private var word: (String, String) {
        switch self {
        case .track(let id): ("track", Self.encoded(id))
        case .album(let id): ("album", Self.encoded(id))
        case .artist(let id): ("artist", Self.encoded(id))
        case .playlist(let id): ("playlist", Self.encoded(id))
        case .genre(let id): ("genre", Self.encoded(id))
        case .station(let id): ("station", Self.encoded(id))
        case .podcast(let id): ("podcast", Self.encoded(id))
        case .episode(let podcast, let id): ("episode", "\(Self.encoded(podcast))/\(Self.encoded(id))")
        case .root(let id): ("root", Self.encoded(id))
        case .folder(let id): ("folder", Self.encoded(id))
        case .letter(let id): ("letter", Self.encoded(id))
        case .decade(let year): ("decade", String(year))
        case .shelf(let shelf): ("shelf", shelf.rawValue)
        case .similar(let id): ("similar", Self.encoded(id))
        case .top(let id): ("top", Self.encoded(id))
        case .related(let id): ("related", Self.encoded(id))
        }
    }

    private static func encoded(_ id: String) -> String { PercentText.encoded(id) }
}
