/// Playlists of the hub, with tracks given as ids.
import BatonCore
import BatonProtocol
import BatonSeams

extension MusicRoomServer {
    private static let mostLists = 100
    /// Limit of entries in one list.
    private static let mostEntries = 2_000
    /// Limit of entries in all lists of one answer.
    private static let mostInAll = 20_000

    /// The user's playlists, and separately those of the hub and those that others share.
    func playlists(_ request: HTTPRequest, _ visitor: RoomVisitor) async throws(RoomRefusal) -> HTTPResponse {
        let reply = try await ask(Commands.Playlists(limit: Self.mostLists), visitor)
        guard let list = reply.data as? PlaylistList else { throw RoomRefusal(500, "The hub did not list its playlists.") }
        var lists: [PlaylistContents] = []
        var left = Self.mostInAll
        for row in list.rows where left > 0 {
            guard let contents = try await contents(of: row.id, visitor, most: min(left, Self.mostEntries)) else { continue }
            left -= contents.rows.count
            lists.append(contents)
        }
        let called = await names.names(of: lists.flatMap { $0.rows.map(\.row.uri) })
        let user = visitor.user.name
        let body = await withTaskExecutorPreference(ports.media.blockingPool) { await Self.written(lists, names: called, for: user) }
        return .roomJSON(200, body)
    }

    private nonisolated static func written(
        _ lists: [PlaylistContents], names: [ItemURI: TrackName], for user: String
    ) async -> [UInt8] {
        RoomText.object { text in
            text.name("mine")
            text.list(lists.filter { $0.list.owner == user }) { shown($1, names).write(into: &$0) }
            text.name("shared")
            text.list(lists.filter { $0.list.owner != user }) { shown($1, names).write(into: &$0) }
        }
    }

    private nonisolated static func shown(_ contents: PlaylistContents, _ names: [ItemURI: TrackName]) -> RoomPlaylist {
        let owner = contents.list.owner
        var shown = RoomPlaylist(
            id: contents.list.id.text, name: contents.list.name, ownerID: owner.map(RoomUser.number) ?? 0, ownerName: owner ?? "",
            isPublic: owner == nil || contents.list.sharing == .shared,
            trackIDs: contents.rows.compactMap { names[$0.row.uri]?.id.description })
        shown.about = contents.list.about
        shown.madeMs = contents.list.madeMs ?? 0
        shown.changedMs = contents.list.changedMs ?? 0
        return shown
    }

    /// `nil` if it was deleted in the meantime.
    private func contents(of id: PlaylistID, _ visitor: RoomVisitor, most: Int) async throws(RoomRefusal) -> PlaylistContents? {
        do throws(RoomRefusal) {
            let reply = try await ask(Commands.Playlist(id, count: most), visitor)
            guard let contents = reply.data as? PlaylistContents else { return nil }
            visitor.session.note(id, revision: contents.list.revision)
            return contents
        } catch {
            guard error.status == 404 else { throw error }
            return nil
        }
    }

    func playlist(_ request: HTTPRequest, _ visitor: RoomVisitor) async throws(RoomRefusal) -> HTTPResponse {
        try await shown(PlaylistID(request.parts["list"] ?? ""), visitor)
    }

    private func shown(_ id: PlaylistID, _ visitor: RoomVisitor, status: Int = 200) async throws(RoomRefusal) -> HTTPResponse {
        let contents = try await present(id, visitor)
        let called = await names.names(of: contents.rows.map(\.row.uri))
        var text = RoomText()
        Self.shown(contents, called).write(into: &text)
        return .roomJSON(status, text.bytes)
    }

    private func present(_ id: PlaylistID, _ visitor: RoomVisitor) async throws(RoomRefusal) -> PlaylistContents {
        guard let contents = try await contents(of: id, visitor, most: Self.mostEntries) else {
            throw RoomRefusal(404, "There is no playlist “\(id)” on this hub.")
        }
        return contents
    }

    // MARK: Changes

    func makePlaylist(_ request: HTTPRequest, _ visitor: RoomVisitor) async throws(RoomRefusal) -> HTTPResponse {
        let wish = try read(request) { bytes throws(RoomFault) in try PlaylistWish(making: bytes) }
        var ids: [String] = []
        switch wish.patch {
        case .add(let new, _)?, .set(let new)?: ids = new
        default: break
        }
        let uris = try await names.uris(of: ids)
        let reply = try await ask(Commands.PlaylistCreate(wish.name ?? "", uris: uris), visitor)
        guard let made = reply.data as? PlaylistEdited, let id = made.id else {
            throw RoomRefusal(500, "The hub did not say which playlist it made.")
        }
        if let about = wish.about, !about.isEmpty {
            try await ask(Commands.PlaylistEdit(id: id, ops: [.indexed(.describe(about))]), visitor)
        }
        if wish.isPublic == true { try await ask(Commands.PlaylistShare(id, share: .shared), visitor) }
        return try await shown(id, visitor, status: 201)
    }

    func changePlaylist(_ request: HTTPRequest, _ visitor: RoomVisitor) async throws(RoomRefusal) -> HTTPResponse {
        let id = PlaylistID(request.parts["list"] ?? "")
        let wish = try read(request) { bytes throws(RoomFault) in try PlaylistWish(changing: bytes) }
        let seen = visitor.session.sentPlaylists[id]
        var ops: [PlaylistOp] = []
        if let name = wish.name { ops.append(.plain(.rename(name))) }
        if let about = wish.about { ops.append(.indexed(.describe(about))) }
        var base: Int?
        if let patch = wish.patch {
            let present = try await present(id, visitor)
            ops += try await change(patch, present, seen: seen)
            base = present.list.revision
        }
        if !ops.isEmpty { try await ask(Commands.PlaylistEdit(id: id, base: base, ops: ops), visitor) }
        if let isPublic = wish.isPublic { try await ask(Commands.PlaylistShare(id, share: isPublic ? .shared : .private), visitor) }
        return try await shown(id, visitor)
    }

    /// Converts places to operations. Places refer to the list that the session got last, so the list must be unchanged.
    private func change(_ patch: ListPatch, _ list: PlaylistContents, seen: Int?) async throws(RoomRefusal) -> [PlaylistOp] {
        let sent = SentQueue(number: 0, revision: list.list.revision, entries: list.rows.map(\.id))
        if case .add(_, at: nil) = patch {
        } else if let seen, seen != list.list.revision {
            throw RoomRefusal(409, "The playlist has changed since it was sent here. Look again.")
        }
        switch patch {
        case .add(let ids, let place):
            let place = try sent.insertion(at: place)
            return [.add(try await names.uris(of: ids), at: place)]
        case .remove(let places): return [.plain(.remove(try sent.entries(at: places)))]
        case .move(let from, let to):
            let (entry, place) = try sent.move(from: from, to: to)
            return [.plain(.move([entry], to: place))]
        case .set(let ids):
            let uris = try await names.uris(of: ids)
            return [.plain(.clear)] + (uris.isEmpty ? [] : [.add(uris, at: .end)])
        }
    }

    func deletePlaylist(_ request: HTTPRequest, _ visitor: RoomVisitor) async throws(RoomRefusal) -> HTTPResponse {
        try await ask(Commands.PlaylistDelete(id: PlaylistID(request.parts["list"] ?? "")), visitor)
        return .roomDone
    }
}
