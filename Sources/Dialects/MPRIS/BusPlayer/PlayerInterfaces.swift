/// The four interfaces of MPRIS 2.2, as its specification names them.
package import BatonSeams

package enum PlayerInterfaces {
    package static let root = BusInterface(
        "org.mpris.MediaPlayer2", methods: [.init("Raise"), .init("Quit")],
        properties: [
            .init("CanQuit", "b"), .init("Fullscreen", "b", isWritable: true), .init("CanSetFullscreen", "b"), .init("CanRaise", "b"),
            .init("HasTrackList", "b"), .init("Identity", "s"), .init("DesktopEntry", "s", announcement: .constant),
            .init("SupportedUriSchemes", "as"), .init("SupportedMimeTypes", "as"),
        ])

    package static let player = BusInterface(
        "org.mpris.MediaPlayer2.Player",
        methods: [
            .init("Next"), .init("Previous"), .init("Pause"), .init("PlayPause"), .init("Stop"), .init("Play"),
            .init("Seek", takes: [.init("Offset", "x")]),
            .init("SetPosition", takes: [.init("TrackId", "o"), .init("Position", "x")]), .init("OpenUri", takes: [.init("Uri", "s")]),
        ],
        properties: [
            .init("PlaybackStatus", "s"), .init("LoopStatus", "s", isWritable: true), .init("Rate", "d", isWritable: true),
            .init("Shuffle", "b", isWritable: true), .init("Metadata", BusValue.tableType), .init("Volume", "d", isWritable: true),
            // It moves all the time, so programs compute it, and `Seeked` tells of jumps.
            .init("Position", "x", announcement: .none), .init("MinimumRate", "d"), .init("MaximumRate", "d"), .init("CanGoNext", "b"),
            .init("CanGoPrevious", "b"), .init("CanPlay", "b"), .init("CanPause", "b"), .init("CanSeek", "b"),
            .init("CanControl", "b", announcement: .none),
        ],
        signals: [.init("Seeked", carries: [.init("Position", "x")])])

    package static let trackList = BusInterface(
        "org.mpris.MediaPlayer2.TrackList",
        methods: [
            .init("GetTracksMetadata", takes: [.init("TrackIds", "ao")], gives: [.init("Metadata", "aa{sv}")]),
            .init("AddTrack", takes: [.init("Uri", "s"), .init("AfterTrack", "o"), .init("SetAsCurrent", "b")]),
            .init("RemoveTrack", takes: [.init("TrackId", "o")]), .init("GoTo", takes: [.init("TrackId", "o")]),
        ],
        properties: [.init("Tracks", "ao", announcement: .name), .init("CanEditTracks", "b")],
        signals: [
            .init("TrackListReplaced", carries: [.init("Tracks", "ao"), .init("CurrentTrack", "o")]),
            .init("TrackAdded", carries: [.init("Metadata", BusValue.tableType), .init("AfterTrack", "o")]),
            .init("TrackRemoved", carries: [.init("TrackId", "o")]),
            .init("TrackMetadataChanged", carries: [.init("TrackId", "o"), .init("Metadata", BusValue.tableType)]),
        ])

    package static let playlists = BusInterface(
        "org.mpris.MediaPlayer2.Playlists",
        methods: [
            .init("ActivatePlaylist", takes: [.init("PlaylistId", "o")]),
            .init(
                "GetPlaylists",
                takes: [.init("Index", "u"), .init("MaxCount", "u"), .init("Order", "s"), .init("ReverseOrder", "b")],
                gives: [.init("Playlists", "a(oss)")]),
        ],
        properties: [.init("PlaylistCount", "u"), .init("Orderings", "as"), .init("ActivePlaylist", "(b(oss))")],
        signals: [.init("PlaylistChanged", carries: [.init("Playlist", "(oss)")])])

    package static let all = [root, player, trackList, playlists]
}
