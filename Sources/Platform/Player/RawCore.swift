import CLinux
import CMPV
import Glibc

/// libmpv's handle while it moves between threads.
///
/// Sendable because libmpv documents all client calls as safe from any thread. `MPVCore.release` and `destroy` ensure that only one owner
/// destroys it.
@safe struct RawCore: @unchecked Sendable {
    let handle: OpaquePointer
    private let files: FileStreams

    /// Events worth a wake-up; all others are switched off.
    private static let events: [mpv_event_id] = [
        MPV_EVENT_COMMAND_REPLY, MPV_EVENT_END_FILE, MPV_EVENT_FILE_LOADED, MPV_EVENT_GET_PROPERTY_REPLY, MPV_EVENT_LOG_MESSAGE,
        MPV_EVENT_PLAYBACK_RESTART, MPV_EVENT_PROPERTY_CHANGE, MPV_EVENT_SET_PROPERTY_REPLY, MPV_EVENT_SHUTDOWN,
        MPV_EVENT_START_FILE,
    ]
    private static let lastEvent: UInt32 = 25

    /// Creates a player. Blocks for some milliseconds.
    static func make(options: [PlayerOption], files: FileStreams) -> Result<RawCore, MPVStatus> {
        // A named pipe without a reader must not end the process.
        signal(SIGPIPE, SIG_IGN)
        guard LibMPV.open() else { return .failure(.missing) }
        guard let handle = unsafe baton_mpv_create() else { return .failure(MPVStatus(MPV_ERROR_NOMEM.rawValue)) }
        for option in options { unsafe baton_mpv_set_option_string(handle, option.name, option.value) }
        var status = unsafe files.serve(handle)
        if status >= 0 { status = unsafe baton_mpv_initialize(handle) }
        guard status >= 0 else {
            unsafe RawCore(handle: handle, files: files).destroy()
            return .failure(MPVStatus(status))
        }
        for id in 1...lastEvent where !events.contains(mpv_event_id(id)) {
            unsafe baton_mpv_request_event(handle, mpv_event_id(id), 0)
        }
        unsafe baton_mpv_request_log_messages(handle, "warn")
        LibMPV.handles.add(1, ordering: .relaxed)
        return unsafe .success(RawCore(handle: handle, files: files))
    }

    /// The value of a property. Blocks until libmpv answers, and works only for a player without another listener.
    func awaited(_ property: String) -> MPVNode {
        guard unsafe baton_mpv_get_property_async(handle, 1, property, MPV_FORMAT_NODE) >= 0 else { return .none }
        while true {
            let event = unsafe baton_mpv_wait_event(handle, -1).pointee
            if unsafe event.event_id == MPV_EVENT_GET_PROPERTY_REPLY { return unsafe event.property }
            if unsafe event.event_id == MPV_EVENT_SHUTDOWN { return .none }
        }
    }

    /// Blocks until libmpv's threads are gone.
    func destroy() {
        unsafe baton_mpv_terminate_destroy(handle)
        files.left()
        LibMPV.handles.subtract(1, ordering: .relaxed)
        // A player frees some MiB at once, and this thread has nothing else to do.
        malloc_trim(0)
    }

    private init(handle: OpaquePointer, files: FileStreams) {
        unsafe self.handle = handle
        self.files = files
    }
}
