public import BatonCore

/// Commands about playlists.
extension Commands {
    /// Lists the playlists.
    public struct Playlists: HubRequest {
        public typealias Answer = PlaylistList

        public static let kind = RequestKind.playlistList
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

        public static let kind = RequestKind.playlistGet
        public var id: PlaylistID
        public var from: Int
        public var count: Int
        /// Opens a list that is shared by a link.
        public var link: String?

        public init(_ id: PlaylistID, from: Int = 0, count: Int = 100, link: String? = nil) {
            self.id = id
            self.from = from
            self.count = count
            self.link = link
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(
                try p.playlist(value?.id), from: try p.int("from", value?.from, in: 0...p.limits.playlistLength, default: 0),
                count: try p.int("n", value?.count, in: 1...100, default: 100),
                link: try p.token("link", value?.link, length: 16...64))
        }

        package var request: Request { .playlists(.get(id, from: from, count: count, link: link)) }
    }

    /// Says who may see a playlist of a user.
    public struct PlaylistShare: HubRequest {
        public typealias Answer = SharedPlaylist

        public static let kind = RequestKind.playlistShare
        public var id: PlaylistID
        public var sharing: PlaylistSharing

        public init(_ id: PlaylistID, _ sharing: PlaylistSharing) {
            self.id = id
            self.sharing = sharing
        }

        public static func coded(_ value: Self?, _ p: inout some ParameterCoder) throws(ProtocolFault) -> Self {
            Self(try p.playlist(value?.id), try p.required("share", p.choice("share", value?.sharing)))
        }

        package var request: Request { .playlists(.share(id, sharing)) }
    }
}
