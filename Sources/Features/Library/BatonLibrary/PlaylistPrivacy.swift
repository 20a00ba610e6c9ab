import BatonCore
package import BatonKernel
package import BatonProtocol
package import BatonSeams

/// Hides playlists of users from people who may not see or change them, in every command and by every name.
///
/// It runs before the handlers. A hidden list is answered like a missing one, so that its existence stays secret.
@Loop
package final class PlaylistPrivacy: CommandStep {
    private let library: LibraryService

    init(_ library: LibraryService) { self.library = library }

    package func concerns(_ kind: CommandKind) -> Bool {
        switch kind {
        case .playlistGet, .playlistEdit, .playlistDelete, .playlistRestore, .playlistShare: true
        default: kind.namesPlaylists
        }
    }

    package func take(_ command: any CommandRequest, _ accepted: AcceptedCommand) throws(ProtocolFault) -> Handling? {
        guard let persons = library.persons, persons.hasOwnedLists else { return nil }
        let person = accepted.identity.person
        switch command.kind {
        case .playlistGet:
            let command = command.typed(as: Commands.Playlist.self)
            try see(command.id, by: person, in: persons, showing: command.link)
        case .playlistEdit: try change(command.typed(as: Commands.PlaylistEdit.self).id, by: person, in: persons)
        case .playlistDelete: try change(command.typed(as: Commands.PlaylistDelete.self).id, by: person, in: persons)
        case .playlistRestore: try change(command.typed(as: Commands.PlaylistRestore.self).id, by: person, in: persons)
        case .playlistShare: try change(command.typed(as: Commands.PlaylistShare.self).id, by: person, in: persons)
        default: break
        }
        guard command.kind.namesPlaylists else { return nil }
        for uri in command.itemURIs {
            guard let list = PlaylistID(uri), let access = persons.access(of: list), !access.isReadable(by: person) else { continue }
            throw ProtocolFault(.notFound, "There is no playlist \(list).")
        }
        return nil
    }

    private func change(_ id: PlaylistID?, by person: Person, in persons: any PersonStorage) throws(ProtocolFault) {
        guard let id else { return }
        try see(id, by: person, in: persons)
        guard let access = persons.access(of: id), !access.isEditable(by: person) else { return }
        throw ProtocolFault(.forbidden, "This playlist belongs to another user.", at: "/p/id")
    }

    private func see(
        _ id: PlaylistID, by person: Person, in persons: any PersonStorage, showing link: String? = nil
    ) throws(ProtocolFault) {
        guard let access = persons.access(of: id), !access.isReadable(by: person, showing: link) else { return }
        throw ProtocolFault(.notFound, "There is no playlist \(id).", at: "/p/id")
    }
}

extension CommandRequest {
    /// The items of a command that may be playlists.
    var itemURIs: [ItemURI] {
        let uris: [ItemURI?] =
            switch kind {
            case .play: [typed(as: Commands.Play.self).uri]
            case .queueAdd: typed(as: Commands.QueueAdd.self).uris
            case .queueReplace: typed(as: Commands.QueueReplace.self).uris
            case .modeSet: [typed(as: Commands.ModeSet.self).filler]
            case .libBrowse: [typed(as: Commands.Browse.self).node]
            case .libItem: [typed(as: Commands.Item.self).uri]
            case .favSet: [typed(as: Commands.FavouriteSet.self).uri]
            case .rateSet: [typed(as: Commands.RatingSet.self).uri]
            case .libSplit: typed(as: Commands.Split.self).items
            case .playlistCreate: typed(as: Commands.PlaylistCreate.self).uris ?? []
            case .playlistEdit: typed(as: Commands.PlaylistEdit.self).items
            case .playlistDelete: [typed(as: Commands.PlaylistDelete.self).list]
            case .keepSet: [typed(as: Commands.KeepSet.self).uri]
            case .markAdd: [typed(as: Commands.MarkAdd.self).uri]
            case .markList: [typed(as: Commands.Marks.self).uri]
            case .progressReport: [typed(as: Commands.ProgressTold.self).uri]
            case .progressList: [typed(as: Commands.ProgressListing.self).uri]
            case .progressRestore: [typed(as: Commands.ProgressRestore.self).uri]
            case .progressFinish: [typed(as: Commands.ProgressFinish.self).uri]
            case .progressReset: [typed(as: Commands.ProgressReset.self).uri]
            case .listenOnly: [typed(as: Commands.ListenOnly.self).uri]
            default: []
            }
        return uris.compactMap { $0 }
    }
}

extension Commands.Split {
    fileprivate var items: [ItemURI?] { [uri, from] }
}

extension Commands.PlaylistEdit {
    fileprivate var items: [ItemURI?] { [list] + ops.flatMap(\.uris) }
}

extension PlaylistOp {
    fileprivate var uris: [ItemURI] {
        switch self {
        case .add(let uris, at: _), .indexed(.insert(let uris, at: _)): uris
        case .plain(.add(let entries, at: _)): entries.map(\.uri)
        case .plain, .indexed: []
        }
    }
}
