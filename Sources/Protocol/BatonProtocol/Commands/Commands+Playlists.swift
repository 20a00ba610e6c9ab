public import BatonCore

/// Conversions for commands about playlists, which name a list of the hub by its id and a list on a server by its URI.
extension Commands.PlaylistDelete {
    /// Deletes a list that the hub stores.
    public init(_ id: PlaylistID) { self.init(id: id) }
    /// Deletes a list on its server; with a version, only if it is still the list's version.
    public init(_ list: ItemURI, version: String? = nil) { self.init(list: list, version: version) }
}

extension Commands.PlaylistEdit {
    /// Edits a list that the hub stores; `base` is the revision that the person saw.
    public init(_ id: PlaylistID, base: Int? = nil, _ ops: [PlaylistOp]) { self.init(id: id, base: base, ops: ops) }
    /// Edits a list on its server; steps that name positions require the version to which the positions belong.
    public init(_ list: ItemURI, version: String?, _ ops: [PlaylistOp]) { self.init(list: list, version: version, ops: ops) }

    /// Checks that the list supports the steps.
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
}
