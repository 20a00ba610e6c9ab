public import BatonCore

/// Commands about playlists.
extension Commands {
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
            Self(try p.required("id", p.playlist("id", value?.id)), try p.required("share", p.choice("share", value?.sharing)))
        }

        package var request: Request { .playlists(.share(id, sharing)) }
    }
}

extension Commands.Playlists: HubRequest {
    public typealias Answer = PlaylistList
    package var request: Request { .playlists(.list(from: from, limit: limit)) }
}
extension Commands.Playlist: HubRequest {
    public typealias Answer = PlaylistContents
    package var request: Request { .playlists(.get(id, from: from, count: count, link: link)) }
}
