public import BatonCore

/// Commands that make, change and delete playlists: those that the hub keeps, by their ids, and those that servers keep, by their
/// URIs.
extension Commands {
    /// Makes a playlist of items, or one that a rule fills.
    public struct PlaylistCreate: HubRequest {
        public typealias Answer = PlaylistEdited

        public static let kind = RequestKind.playlistCreate
        public var name: String
        public var uris: [ItemURI]?
        /// Fills the playlist, instead of items.
        public var rule: SmartRule?
        /// The source whose server keeps it.
        public var source: String?

        public init(_ name: String, _ uris: [ItemURI]? = nil, rule: SmartRule? = nil, to source: String? = nil) {
            self.name = name
            self.uris = uris
            self.rule = rule
            self.source = source
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                try p.required("name", p.personalName("name", value?.name)), try p.uris("uris", value?.uris),
                rule: try p.rule("rule", value?.rule), to: try p.sourceName("to", value?.source))
        }

        public func validate(_ faults: ParameterFaults) throws(ProtocolFault) {
            guard rule != nil else { return }
            if uris != nil { throw faults.fault("uris", "A rule fills this playlist: name items or a rule, not both.") }
            if source != nil { throw faults.fault("to", "Only the hub keeps lists that a rule fills.") }
        }

        package var request: Request {
            if let source { return .playlists(.createAt(source: source, name: name, uris ?? [])) }
            return .playlists(.create(name: name, uris ?? [], rule: rule))
        }
    }
}

extension PlaylistRequest.Op {
    fileprivate var isOfServers: Bool {
        switch self {
        case .placed(.describe): false
        case .placed: true
        default: false
        }
    }

    fileprivate var isKnownToServers: Bool {
        switch self {
        case .add(_, let place): place == .end
        case .plain(.rename), .placed: true
        case .plain: false
        }
    }

    fileprivate var namesPlaces: Bool { if case .placed(let edit) = self { edit.namesPlaces } else { false } }
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
    public typealias Answer = PlaylistEdited

    public init(_ id: PlaylistID, base: Int? = nil, _ ops: [PlaylistRequest.Op]) { self.init(id: id, base: base, ops: ops) }
    public init(_ list: ItemURI, version: String?, _ ops: [PlaylistRequest.Op]) { self.init(list: list, version: version, ops: ops) }

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
