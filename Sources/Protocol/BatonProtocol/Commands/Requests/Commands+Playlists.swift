public import BatonCore

// How the hub carries out commands about playlists.

extension Commands.Playlists: HubRequest {
    package var request: Request { .playlists(.list(from: from, limit: limit)) }
}

extension Commands.Playlist: HubRequest {
    package var request: Request { .playlists(.get(id, from: from, count: count, link: link)) }
}

extension Commands.PlaylistShare: HubRequest {
    package var request: Request { .playlists(.share(id, share)) }
}

extension Commands.PlaylistRestore: HubRequest { package var request: Request { .playlists(.restore(id)) } }

extension Commands.PlaylistDelete: HubRequest {
    public init(_ id: PlaylistID) { self.init(id: id) }
    public init(_ list: ItemURI, version: String? = nil) { self.init(list: list, version: version) }

    package var request: Request {
        if let list { return .playlists(.deleteAt(list, version: version)) }
        return .playlists(.delete(id ?? PlaylistID("")))
    }
}

extension Commands.PlaylistEdit: HubRequest {
    public init(_ id: PlaylistID, base: Int? = nil, _ ops: [PlaylistOp]) { self.init(id: id, base: base, ops: ops) }
    public init(_ list: ItemURI, version: String?, _ ops: [PlaylistOp]) { self.init(list: list, version: version, ops: ops) }

    /// Which steps the list knows.
    func check(_ faults: ParameterFaults) throws(ProtocolFault) {
        guard list != nil else {
            if ops.contains(where: \.isOfServers) {
                throw faults.fault("ops", "Only a list that a server keeps is edited by places. This one knows its entries by their ids.")
            }
            if base == nil, ops.contains(.plain(.clear)) {
                throw faults.fault("base", "base is missing: clearing a playlist names the revision it was looked at.")
            }
            return
        }
        guard ops.allSatisfy(\.isKnownToServers) else {
            throw faults.fault("ops", "A list that a server keeps knows add, removeAt, moveAt, name, about and public.")
        }
        if version == nil, ops.contains(where: \.namesPlaces) {
            throw faults.fault("version", "version is missing: places are those of a state of the list.")
        }
    }

    package var request: Request {
        if let list { return .playlists(.editAt(list, version: version, ops)) }
        return .playlists(.edit(id ?? PlaylistID(""), base: base, ops))
    }
}

extension Commands.PlaylistCreate: HubRequest {
    package var request: Request {
        if let source { return .playlists(.createAt(source: source, name: name, uris ?? [])) }
        return .playlists(.create(name: name, uris ?? [], rule: rule))
    }
}
