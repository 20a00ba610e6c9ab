package import BatonCore

/// A command with checked parameters, in the form in which the hub carries it out.
///
/// The cases are indirect: a request is handed on many times on its way, and its largest case would be copied each time.
package indirect enum Request: Equatable, Sendable {
    /// The core decides it without any other part.
    case room(Command)
    /// Replaces the queue by the tracks of the item and plays from `index`.
    case play(uri: ItemURI, index: Int, positionMs: Int)
    case add([ItemURI], at: Place)
    case replace(base: Int, [ItemURI], start: Int, positionMs: Int)
    case queueWindow(from: Int, count: Int)
    case queueRows([EntryID])
    case queueHistory
    case savedQueue(SavedQueueRequest)
    /// Makes, changes or connects rooms.
    case rooms(RoomRequest)
    case joining(JoinRequest)
    case hubInfo
    case hubLog(HubLogQuery)
    case hubResume
    /// Reads the items of sources, or changes the library.
    case library(LibraryRequest)
    case playlists(PlaylistRequest)
    case art(ArtRequest)
    case devices(DeviceRequest)
    case users(UserRequest)
    case sources(SourceRequest)
    case keeping(KeepRequest)
    case radio(RadioRequest)
    case podcasts(PodcastRequest)
    case bookmarks(BookmarkRequest)
    case progress(ProgressRequest)
    case jobs(JobRequest)
    case composing(ComposingRequest)
    case clips(ClipRequest)
    case prompts(PromptRequest)
    case workers(WorkerRequest)
    case presence(PresenceRequest)
    case listening(ListeningRequest)
    /// Named by the protocol, not built yet.
    case unsupported(CommandKind)
}

/// Commands about the queue that an account keeps at its server.
package enum SavedQueueRequest: Equatable, Sendable {
    case save(at: String)
    case goOn(from: String)
}
