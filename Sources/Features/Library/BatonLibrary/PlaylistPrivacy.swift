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
        default: kind.definition.namesPlaylists
        }
    }

    package func take(_ command: any CommandRequest, _ visit: Visit) throws(ProtocolFault) -> Handling? {
        guard let persons = library.persons, persons.hasOwnedLists else { return nil }
        let person = visit.identity.person
        switch command {
        case let command as Commands.Playlist: try see(command.id, person, persons, showing: command.link)
        case let command as Commands.PlaylistEdit: try change(command.id, person, persons)
        case let command as Commands.PlaylistDelete: try change(command.id, person, persons)
        case let command as Commands.PlaylistRestore: try change(command.id, person, persons)
        case let command as Commands.PlaylistShare: try change(command.id, person, persons)
        default: break
        }
        guard command.kind.definition.namesPlaylists else { return nil }
        for uri in command.itemURIs {
            guard let list = PlaylistID(uri), let access = persons.access(of: list), !access.isReadable(by: person) else { continue }
            throw ProtocolFault(.notFound, "There is no playlist \(list).")
        }
        return nil
    }

    private func change(_ id: PlaylistID?, _ person: Person, _ persons: any PersonKeeper) throws(ProtocolFault) {
        guard let id else { return }
        try see(id, person, persons)
        guard let access = persons.access(of: id), !access.isEditable(by: person) else { return }
        throw ProtocolFault(.forbidden, "This playlist belongs to another user.", at: "/p/id")
    }

    private func see(
        _ id: PlaylistID, _ person: Person, _ persons: any PersonKeeper, showing link: String? = nil
    ) throws(ProtocolFault) {
        guard let access = persons.access(of: id), !access.isReadable(by: person, showing: link) else { return }
        throw ProtocolFault(.notFound, "There is no playlist \(id).", at: "/p/id")
    }
}

extension CommandRequest {
    /// The items of a command that may be playlists.
    var itemURIs: [ItemURI] {
        let uris: [ItemURI?] =
            switch self {
            case let command as Commands.Play: [command.uri]
            case let command as Commands.QueueAdd: command.uris
            case let command as Commands.QueueReplace: command.uris
            case let command as Commands.ModeSet: [command.filler]
            case let command as Commands.Browse: [command.node]
            case let command as Commands.Item: [command.uri]
            case let command as Commands.FavouriteSet: [command.uri]
            case let command as Commands.RatingSet: [command.uri]
            case let command as Commands.Split: [command.uri, command.from]
            case let command as Commands.PlaylistCreate: command.uris ?? []
            case let command as Commands.PlaylistEdit: (command.list.map { [$0] } ?? []) + command.ops.flatMap(\.uris)
            case let command as Commands.PlaylistDelete: [command.list]
            case let command as Commands.KeepSet: [command.uri]
            case let command as Commands.MarkAdd: [command.uri]
            case let command as Commands.Marks: [command.uri]
            case let command as Commands.ProgressTold: [command.uri]
            case let command as Commands.ProgressListing: [command.uri]
            case let command as Commands.ProgressRestore: [command.uri]
            case let command as Commands.ProgressFinish: [command.uri]
            case let command as Commands.ProgressReset: [command.uri]
            case let command as Commands.ListenOnly: [command.uri]
            default: []
            }
        return uris.compactMap { $0 }
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
