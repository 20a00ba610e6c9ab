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

    /// Deletes a playlist.
    public struct PlaylistDelete: HubRequest {
        public static let kind = RequestKind.playlistDelete
        /// Of one that the hub keeps.
        public var id: PlaylistID?
        /// Of one that a server keeps.
        public var list: ItemURI?
        /// Deletes it at its server only in this state.
        public var version: String?

        public init(_ id: PlaylistID) { self.id = id }

        public init(_ list: ItemURI, version: String? = nil) {
            self.list = list
            self.version = version
        }

        private init(_ id: PlaylistID?, _ list: ItemURI?, _ version: String?) {
            self.id = id
            self.list = list
            self.version = version
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(try p.playlist("id", value?.id), try p.uri("list", value?.list), try p.version(value?.version))
        }

        public func validate(_ faults: ParameterFaults) throws(ProtocolFault) { try faults.checkOne(id, list, version) }

        package var request: Request {
            if let list { return .playlists(.deleteAt(list, version: version)) }
            return .playlists(.delete(id ?? PlaylistID("")))
        }
    }

    /// Changes a playlist by steps, all of them or none.
    public struct PlaylistEdit: HubRequest {
        public typealias Answer = PlaylistEdited

        public static let kind = RequestKind.playlistEdit
        /// Of one that the hub keeps.
        public var id: PlaylistID?
        /// Of one that a server keeps.
        public var list: ItemURI?
        /// The revision that the list was seen at.
        public var base: Int?
        /// The state that the list at its server was seen in.
        public var version: String?
        public var ops: [PlaylistRequest.Op]

        public init(_ id: PlaylistID, base: Int? = nil, _ ops: [PlaylistRequest.Op]) {
            self.init(id, nil, base, nil, ops)
        }

        public init(_ list: ItemURI, version: String?, _ ops: [PlaylistRequest.Op]) {
            self.init(nil, list, nil, version, ops)
        }

        private init(_ id: PlaylistID?, _ list: ItemURI?, _ base: Int?, _ version: String?, _ ops: [PlaylistRequest.Op]) {
            self.id = id
            self.list = list
            self.base = base
            self.version = version
            self.ops = ops
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                try p.playlist("id", value?.id), try p.uri("list", value?.list),
                try p.int("base", value?.base, in: 0...ParameterRange.revision),
                try p.version(value?.version), try p.required("ops", p.edits("ops", value?.ops)))
        }

        public func validate(_ faults: ParameterFaults) throws(ProtocolFault) {
            try faults.checkOne(id, list, version)
            if list == nil {
                if ops.contains(where: \.isOfServers) {
                    throw faults.fault(
                        "ops", "Only a list that a server keeps is edited by places. This one knows its entries by their ids.")
                }
                if base == nil, ops.contains(.plain(.clear)) {
                    throw faults.fault("base", "base is missing: clearing a playlist names the revision it was looked at.")
                }
                return
            }
            if base != nil { throw faults.fault("base", "A list that a server keeps has a version and no revision.") }
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
}

extension ParameterFaults {
    /// A list is named by its id, or by its URI where a server keeps it.
    fileprivate func checkOne(_ id: PlaylistID?, _ list: ItemURI?, _ version: String?) throws(ProtocolFault) {
        guard (id == nil) != (list == nil) else {
            throw fault("id", "Name one list: by its id, or where a server keeps it by its uri in list.")
        }
        if list == nil, version != nil { throw fault("version", "Only a list that a server keeps has a version.") }
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
