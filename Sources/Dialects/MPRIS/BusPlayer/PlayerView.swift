/// The state of a room as programs of a desktop see it, made of the sections that all remotes get. A value; nothing here knows of a bus.
package import BatonCore
package import BatonProtocol

package struct PlayerView: Equatable, Sendable {
    /// Abilities that depend on where the player is shown.
    package struct Abilities: Equatable, Sendable {
        /// True where the page can be opened.
        package var raises = false
        /// True where the player can be ended without ending the room.
        package var quits = false
        /// True where paths of this machine are those of the hub.
        package var opensFiles = false
        /// False for a device that may only listen.
        package var controls = true

        package init(raises: Bool = false, quits: Bool = false, opensFiles: Bool = false, controls: Bool = true) {
            self.raises = raises
            self.quits = quits
            self.opensFiles = opensFiles
            self.controls = controls
        }
    }

    package var room: RoomID
    /// The name that people gave the room.
    package var name: String
    package var now: NowSection?
    package var timeline: TimelineSection?
    package var volume: VolumeSection?
    package var modes = Modes()
    package var queue: QueueSection?
    package var playlists: PlaylistsSection?
    /// The rows around the current entry; a whole queue may be too long for a desktop (`window`).
    package var tracks: [QueueRow] = []
    /// The words before the colon in the URIs that the hub knows.
    package var sources: [String] = []
    /// URLs of pictures that are on this machine, by their ids.
    package var art: [String: String] = [:]
    package var abilities = Abilities()

    package init(room: RoomID, name: String) {
        self.room = room
        self.name = name
    }

    // MARK: Facts

    /// The entry that plays, or would.
    package var entry: EntryID? { now?.entry }
    package var isLive: Bool { timeline?.isLive ?? now?.tags.isLive ?? false }
    package var durationMs: Milliseconds? { isLive ? nil : now?.tags.durationMs }

    /// Playing is wanted, whether sound comes out yet or not.
    package var isPlaying: Bool { timeline?.state == .playing || timeline?.state == .buffering }
    package var isStopped: Bool { timeline == nil || timeline?.state == .stopped }

    package var canPlay: Bool { abilities.controls && (now != nil || (queue?.length ?? 0) > 0) }
    package var canSeek: Bool { abilities.controls && now != nil && !isLive }
    /// Another entry would play.
    package var canGoNext: Bool { abilities.controls && queue?.next != nil }
    /// There is an entry before this one, also behind the end of a queue that repeats.
    package var canGoPrevious: Bool { abilities.controls && now != nil && ((queue?.index ?? 0) > 0 || modes.repeat) }

    /// The position at a moment of the hub's clock.
    package func positionMs(atUs nowUs: Microseconds) -> Milliseconds {
        guard let timeline, !isStopped else { return 0 }
        return timeline.position(atUs: nowUs, durationMs: durationMs)
    }

    /// True when the position is not where the earlier state would have led. A difference that no person sees is none.
    package func hasJumped(since earlier: PlayerView) -> Bool {
        guard let timeline, timeline.entry != nil else { return false }
        let expected =
            entry == earlier.entry ? earlier.positionMs(atUs: timeline.atUs) : 0
        return (positionMs(atUs: timeline.atUs) - expected).magnitude > Self.unseenMs
    }

    private static let unseenMs: Milliseconds = 400

    // MARK: The window of the queue

    /// Rows before the current one, and rows in all, which programs of a desktop see.
    package static let tracksBefore = 10
    package static let mostTracks = 40

    /// The index of the first row of the window.
    package static func firstTrack(around index: Int?) -> Int { max(0, (index ?? 0) - tracksBefore) }
}

extension TimelineSection {
    fileprivate func position(atUs nowUs: Microseconds, durationMs: Milliseconds?) -> Milliseconds {
        Timeline(entry: entry, positionMs: positionMs, atUs: atUs, rate: rate, state: .playing)
            .positionMs(atUs: nowUs, durationMs: durationMs)
    }
}
