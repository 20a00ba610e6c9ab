/// An account at a MusicRoom server as a source: its library, playlists and rooms, and its tracks in any queue.
///
/// The server sends its whole library at once, and playlists as ids in it, so the library is held in memory and
/// refreshed after a while (`MusicRoomLibrary`). Parts of the API are undocumented, so all answers are parsed in one
/// place (`MusicRoomAnswers`) and all changes are written in one (`MusicRoomRequests`).
import BatonCore
import BatonJSON
package import BatonSeams

package struct MusicRoom: Connector {
    package let source: String
    let title: String
    let server: MusicRoomServer
    let library: MusicRoomLibrary
    let answers: MusicRoomAnswers
    let clock: Clock
    let sockets: (any WebSocketClient)?

    /// The capacity of a queue.
    static let mostEntries = 10_000

    package init(_ account: SourceAccount, secrets: SourceSecrets, parts: SourceParts) throws(SourceFault) {
        if let missing = MusicRoomKind.missing(secrets) { throw SourceFault(.badRequest, missing) }
        source = account.name
        title = account.title
        server = try MusicRoomServer(account, secrets: secrets, parts: parts)
        answers = MusicRoomAnswers(source: account.name)
        library = MusicRoomLibrary(of: server, answers: answers, clock: parts.clock)
        clock = parts.clock
        sockets = parts.sockets
    }

    package var about: SourceAbout {
        let shelves = MusicRoomItem.Shelf.allCases.map { shelf in
            SourceAbout.Shelf(name: shelf.rawValue, uri: uri(.shelf(shelf)), isEverything: shelf == .library)
        }
        return SourceAbout(name: title, shelves: shelves, abilities: [.browse, .search, .download, .rooms, .remote])
    }

    package func check() async throws(SourceFault) {
        guard try await server.ask("/api/status", isPublic: true).object != nil else {
            throw SourceFault(.failed, "“\(title)” answers, but not as a MusicRoom server does.")
        }
        _ = try await channels()
        await library.prepare()
    }

    func uri(_ item: MusicRoomItem) -> ItemURI { item.uri(of: source) }

    func item(_ uri: ItemURI) throws(SourceFault) -> MusicRoomItem {
        guard let item = MusicRoomItem(uri, of: source) else {
            throw SourceFault(.notFound, "“\(title)” has nothing called \(uri.text).")
        }
        return item
    }

    // MARK: Lists of the server

    func channels() async throws(SourceFault) -> [ServerRoom] {
        guard let rooms = answers.rooms(in: try await server.ask("/api/channels")) else {
            throw SourceFault(.failed, "“\(title)” answers with something that is no list of rooms.")
        }
        return rooms
    }

    func playlists() async throws(SourceFault) -> MusicRoomPlaylists {
        guard let lists = answers.playlists(in: try await server.ask("/api/playlists")) else {
            throw SourceFault(.failed, "“\(title)” answers with something that are no playlists.")
        }
        return lists
    }

    func playlist(_ id: String) async throws(SourceFault) -> MusicRoomPlaylist {
        guard let list = answers.playlist(in: try await server.ask("/api/playlists/\(PercentText.encoded(id))")) else {
            throw SourceFault(.failed, "“\(title)” answers with something that is no playlist.")
        }
        return list
    }

    func state(of room: String) async throws(SourceFault) -> ServerRoomState {
        let bytes = try await server.bytes("/api/channels/\(PercentText.encoded(room))")
        guard case .state(let state, _)? = answers.news(bytes, atUs: 0) else {
            throw SourceFault(.failed, "“\(title)” answers with something that is no room.")
        }
        return state
    }
}
