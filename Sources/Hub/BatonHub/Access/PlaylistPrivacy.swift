import BatonCore
import BatonProtocol
import BatonSeams

/// Keeps playlists of users from those who may not see or change them, on every command and by whatever name they are given.
///
/// It is asked before a command is carried out. A list that may not be seen is answered as one that is not there, so that nothing is told
/// about it.
@Loop
struct PlaylistPrivacy {
    let library: LibraryService

    func check(_ request: Request, by caller: Identity) throws(ProtocolFault) {
        guard let persons = library.persons, persons.hasOwnedLists else { return }
        let person = caller.person
        if case .playlists(let request) = request { try check(request, person, persons) }
        for uri in request.uris {
            guard let list = PlaylistID(uri), let access = persons.access(of: list), !access.isReadable(by: person) else { continue }
            throw ProtocolFault(.notFound, "There is no playlist \(list).")
        }
    }

    private func check(_ request: PlaylistRequest, _ person: Person, _ persons: any PersonKeeper) throws(ProtocolFault) {
        switch request {
        case .get(let id, _, _, let link): try see(id, person, persons, showing: link)
        case .edit(let id, _, _), .delete(let id), .restore(let id), .share(let id, _):
            try see(id, person, persons)
            guard let access = persons.access(of: id), !access.isEditable(by: person) else { return }
            throw ProtocolFault(.forbidden, "This playlist belongs to another user.", at: "/p/id")
        case .list, .create, .createAt, .editAt, .deleteAt: return
        }
    }

    private func see(
        _ id: PlaylistID, _ person: Person, _ persons: any PersonKeeper, showing link: String? = nil
    ) throws(ProtocolFault) {
        guard let access = persons.access(of: id), !access.isReadable(by: person, showing: link) else { return }
        throw ProtocolFault(.notFound, "There is no playlist \(id).", at: "/p/id")
    }
}

extension Request {
    /// The items that a command names, as far as one of them may be a playlist.
    var uris: [ItemURI] {
        switch self {
        case .play(let uri, _, _): [uri]
        case .add(let uris, at: _), .replace(_, let uris, start: _, positionMs: _): uris
        case .room(.setModes(let modes)): modes.unfinished?.uris ?? []
        case .library(let request): request.uris
        case .playlists(let request): request.uris
        case .keeping(.set(.item(let uri), _)): [uri]
        case .bookmarks(.add(.item(let uri, positionMs: _), note: _)), .bookmarks(.list(let uri?, _)): [uri]
        case .progress(let request): request.uris
        case .listening(.only(let uri, index: _, positionMs: _)): [uri]
        default: []
        }
    }
}

extension Unfinished {
    fileprivate var uris: [ItemURI] { if case .filler(let uri) = self { [uri] } else { [] } }
}

extension LibraryRequest {
    fileprivate var uris: [ItemURI] {
        switch self {
        case .browse(node: let node?, sort: _, isUnfolded: _, isAvailable: _, _): [node]
        case .item(let uri, lyrics: _, media: _), .favourite(let uri, _), .stars(let uri, _): [uri]
        case .split(let uri, from: let other, _): [uri, other]
        case .search, .browse, .history, .folders, .setFolder, .scan: []
        }
    }
}

extension PlaylistRequest {
    fileprivate var uris: [ItemURI] {
        switch self {
        case .create(name: _, let uris, rule: _), .createAt(source: _, name: _, let uris): uris
        case .edit(_, base: _, let steps): steps.flatMap(\.uris)
        case .editAt(let list, version: _, let steps): [list] + steps.flatMap(\.uris)
        case .deleteAt(let list, version: _): [list]
        case .list, .get, .delete, .restore, .share: []
        }
    }
}

extension PlaylistOp {
    fileprivate var uris: [ItemURI] {
        switch self {
        case .add(let uris, at: _), .placed(.insert(let uris, at: _)): uris
        case .plain(.add(let entries, at: _)): entries.map(\.uri)
        case .plain, .placed: []
        }
    }
}

extension ProgressRequest {
    fileprivate var uris: [ItemURI] {
        switch self {
        case .report(let report): [report.uri]
        case .list(uri: let uri?, isFinished: _, _), .restore(let uri, _), .finish(let uri), .reset(let uri): [uri]
        case .list, .asleep, .here: []
        }
    }
}
