public import BatonCore

/// Commands about playlists.
extension Commands {
    /// Lists the playlists.
    public struct Playlists: HubRequest {
        public typealias Answer = PlaylistList

        public static let definition = CommandDefinition(.playlistList, runsBeside: true)
        public var from: Int
        public var limit: Int

        public init(from: Int = 0, limit: Int = 100) {
            self.from = from
            self.limit = limit
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                from: try p.int("from", value?.from, in: 0...p.limits.playlistLength, default: 0),
                limit: try p.int("limit", value?.limit, in: 1...100, default: 100))
        }

        package var request: Request { .playlists(.list(from: from, limit: limit)) }
    }

    /// Asks for a part of one playlist.
    public struct Playlist: HubRequest {
        public typealias Answer = PlaylistContents

        public static let definition = CommandDefinition(.playlistGet, runsBeside: true)
        public var id: PlaylistID
        public var from: Int
        public var count: Int

        public init(_ id: PlaylistID, from: Int = 0, count: Int = 100) {
            self.id = id
            self.from = from
            self.count = count
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                try p.playlist(value?.id), from: try p.int("from", value?.from, in: 0...p.limits.playlistLength, default: 0),
                count: try p.int("n", value?.count, in: 1...100, default: 100))
        }

        package var request: Request { .playlists(.get(id, from: from, count: count)) }
    }

    /// Makes a playlist of items, or one that a rule fills.
    public struct PlaylistCreate: HubRequest {
        public typealias Answer = PlaylistEdited

        public static let definition = CommandDefinition(.playlistCreate)
        public var name: String
        public var uris: [ItemURI]?
        /// Fills the playlist, instead of items.
        public var rule: SmartRule?

        public init(_ name: String, _ uris: [ItemURI]? = nil, rule: SmartRule? = nil) {
            self.name = name
            self.uris = uris
            self.rule = rule
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                try p.required("name", p.personalName("name", value?.name)), try p.uris("uris", value?.uris),
                rule: try p.rule("rule", value?.rule))
        }

        public func validate(_ faults: ParameterFaults) throws(ProtocolFault) {
            guard rule != nil, uris != nil else { return }
            throw faults.fault("uris", "A rule fills this playlist: name items or a rule, not both.")
        }

        package var request: Request { .playlists(.create(name: name, uris ?? [], rule: rule)) }
    }

    /// Deletes a playlist.
    public struct PlaylistDelete: HubRequest {
        public static let definition = CommandDefinition(.playlistDelete)
        public var id: PlaylistID

        public init(_ id: PlaylistID) {
            self.id = id
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(try p.playlist(value?.id))
        }

        package var request: Request { .playlists(.delete(id)) }
    }

    /// Changes a playlist by steps, all of them or none.
    public struct PlaylistEdit: HubRequest {
        public typealias Answer = PlaylistEdited

        public static let definition = CommandDefinition(.playlistEdit)
        public var id: PlaylistID
        /// The revision that the list was seen at.
        public var base: Int?
        public var ops: [PlaylistRequest.Op]

        public init(_ id: PlaylistID, base: Int? = nil, _ ops: [PlaylistRequest.Op]) {
            self.id = id
            self.base = base
            self.ops = ops
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                try p.playlist(value?.id), base: try p.int("base", value?.base, in: 0...ParameterRange.revision),
                try p.required("ops", p.edits("ops", value?.ops)))
        }

        public func validate(_ faults: ParameterFaults) throws(ProtocolFault) {
            guard base == nil, ops.contains(.plain(.clear)) else { return }
            throw faults.fault("base", "base is missing: clearing a playlist names the revision it was looked at.")
        }

        package var request: Request { .playlists(.edit(id, base: base, ops)) }
    }
}
