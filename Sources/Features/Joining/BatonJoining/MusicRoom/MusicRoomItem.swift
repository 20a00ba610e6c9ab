/// The items behind this source's URIs: `NAME:track/ID`, `NAME:playlist/ID`, `NAME:room/ID` and `NAME:shelf/library`.
/// Ids are the server's own, percent-encoded; that of a track is a hash with a colon.
import BatonCore

enum MusicRoomItem: Equatable, Sendable {
    case track(String)
    case playlist(String)
    case room(String)
    case shelf(Shelf)

    enum Shelf: String, CaseIterable, Sendable {
        case library, mine, shared, rooms

        var title: String {
            switch self {
            case .library: "Library"
            case .mine: "My playlists"
            case .shared: "Shared playlists"
            case .rooms: "Rooms"
            }
        }
    }

    /// Limit of an id. Longer ones are no hashes, and do not fit into a URI.
    static let mostIDBytes = 256

    static func isID(_ text: String) -> Bool { 1...mostIDBytes ~= text.utf8.count }

    /// Parses a URI; `nil` for other sources and unknown kinds.
    init?(_ uri: ItemURI, of source: String) {
        guard uri.text.hasPrefix(source + ":"), uri.text.utf8.count <= 1_024 else { return nil }
        let parts = uri.text.dropFirst(source.utf8.count + 1).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let id = PercentText.decoded(parts[1]), Self.isID(id) else { return nil }
        switch parts[0] {
        case "track": self = .track(id)
        case "playlist": self = .playlist(id)
        case "room": self = .room(id)
        case "shelf":
            guard let shelf = Shelf(rawValue: id) else { return nil }
            self = .shelf(shelf)
        default: return nil
        }
    }

    func uri(of source: String) -> ItemURI {
        switch self {
        case .track(let id): ItemURI("\(source):track/\(PercentText.encoded(id))")
        case .playlist(let id): ItemURI("\(source):playlist/\(PercentText.encoded(id))")
        case .room(let id): ItemURI("\(source):room/\(PercentText.encoded(id))")
        case .shelf(let shelf): ItemURI("\(source):shelf/\(shelf.rawValue)")
        }
    }
}
