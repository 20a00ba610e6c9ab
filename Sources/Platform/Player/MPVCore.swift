import BatonSeams
import CLinux
import CMPV
import Glibc

/// One running libmpv, with calls that never wait for it.
///
/// Threads: libmpv calls back from its own threads, only to signal that something happened. That call writes to an eventfd that the loop
/// watches; everything else runs on the loop. Borrowed memory: an event is valid until the next `mpv_wait_event`, so its data is copied
/// before. Pairs: `mpv_create` and `mpv_terminate_destroy` run on threads of their own because both may block; between them only calls are
/// made whose answer comes as an event.
@Loop
@safe final class MPVCore {
    /// Events that libmpv sends unasked.
    enum Event {
        case started(file: Int64)
        case loaded
        /// Sound is ready after a start or a seek.
        case restarted
        case ended(file: Int64, End)
        case changed(String, MPVNode)
        /// A line of libmpv's log. FFmpeg's network layer calls a refusal a warning.
        case said(String)
    }

    enum End: Equatable {
        case played, stopped, redirected
        case failed(MPVStatus)
    }

    private let raw: RawCore
    private let wakeEvent: Int32
    private var watch: (any Watch)?
    private var tickets: UInt64 = 0
    private var waiting: [UInt64: @Loop (MPVStatus, MPVNode) -> Void] = [:]
    private let deliver: @Loop (Event) -> Void
    private let delivered: @Loop () -> Void

    /// Limit of events for one turn, so that the sockets are served in between.
    private static let eventsPerTurn = 64

    /// `delivered` is called when all pending events were delivered.
    init(
        _ raw: RawCore, reactor: any Reactor, deliver: @escaping @Loop (Event) -> Void, delivered: @escaping @Loop () -> Void
    ) {
        self.raw = raw
        self.deliver = deliver
        self.delivered = delivered
        wakeEvent = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        precondition(wakeEvent >= 0, "No descriptor is left for the player's wake-up.")
        watch = reactor.watch(wakeEvent, for: .readable) { [weak self] _ in self?.takeEvents() }
        // The descriptor is passed as the callback's context, plus one so that it is never nil.
        unsafe baton_mpv_set_wakeup_callback(
            raw.handle, ring, UnsafeMutableRawPointer(bitPattern: Int(wakeEvent) + 1))
    }

    func command(_ arguments: [MPVNode], _ answer: (@Loop (MPVStatus, MPVNode) -> Void)? = nil) {
        let ticket = ticket(for: answer)
        var node = BorrowedNode(.list(arguments))
        let status = unsafe node.withPointer { unsafe baton_mpv_command_node_async(raw.handle, ticket, $0) }
        refused(ticket, status)
    }

    func set(_ property: String, to value: MPVNode, _ answer: (@Loop (MPVStatus, MPVNode) -> Void)? = nil) {
        let ticket = ticket(for: answer)
        var node = BorrowedNode(value)
        // An argument of this type would be copied into an array.
        let status = unsafe property.withCString { property in
            unsafe node.withPointer { unsafe baton_mpv_set_property_async(raw.handle, ticket, property, MPV_FORMAT_NODE, $0) }
        }
        refused(ticket, status)
    }

    func get(_ property: String, _ answer: @escaping @Loop (MPVStatus, MPVNode) -> Void) {
        let ticket = ticket(for: answer)
        refused(ticket, unsafe baton_mpv_get_property_async(raw.handle, ticket, property, MPV_FORMAT_NODE))
    }

    /// Reads several properties and answers once; missing ones are `.none`.
    func get(_ properties: [String], _ answer: @escaping @Loop ([MPVNode]) -> Void) {
        var answers: [MPVNode] = []
        for property in properties {
            // Answers arrive in the order of the requests.
            get(property) { _, value in
                answers.append(value)
                if answers.count == properties.count { answer(answers) }
            }
        }
    }

    /// Requests `changed` with the current value and after each change.
    func observe(_ property: String) {
        unsafe baton_mpv_observe_property(raw.handle, 0, property, MPV_FORMAT_NODE)
    }

    /// Requests `changed` without a value. A value read at the wrong time could belong to the previous file, while an answer to `get` is in
    /// order with the events.
    func observeThatItChanged(_ property: String) {
        unsafe baton_mpv_observe_property(raw.handle, 0, property, MPV_FORMAT_NONE)
    }

    /// Stops listening. The caller then destroys the `RawCore` on a thread that may block.
    func release() -> RawCore {
        // After this call no thread of libmpv runs the callback.
        unsafe baton_mpv_set_wakeup_callback(raw.handle, nil, nil)
        watch?.cancel()
        watch = nil
        close(wakeEvent)
        waiting = [:]
        return raw
    }

    private func ticket(for answer: (@Loop (MPVStatus, MPVNode) -> Void)?) -> UInt64 {
        tickets += 1
        // Nothing is there yet that `nil` would take away.
        if let answer { waiting[tickets] = answer }
        return tickets
    }

    /// Answers a call that libmpv refused to queue at the next turn, like any other answer.
    private func refused(_ ticket: UInt64, _ status: Int32) {
        guard status < 0, let answer = waiting.removeValue(forKey: ticket) else { return }
        tickets += 1
        waiting[tickets] = { _, _ in answer(MPVStatus(status), .none) }
        unsafe baton_mpv_get_property_async(raw.handle, tickets, "idle-active", MPV_FORMAT_NODE)
    }

    private func takeEvents() {
        var rings: eventfd_t = 0
        unsafe eventfd_read(wakeEvent, &rings)
        for _ in 0..<Self.eventsPerTurn {
            // After `release`, which an event's handler may call, the core belongs to the caller.
            guard watch != nil else { return }
            let event = unsafe baton_mpv_wait_event(raw.handle, 0).pointee
            if unsafe event.event_id == MPV_EVENT_NONE { return delivered() }
            unsafe take(event)
        }
        eventfd_write(wakeEvent, 1)
    }

    private func take(_ event: mpv_event) {
        switch unsafe event.event_id {
        case MPV_EVENT_COMMAND_REPLY:
            unsafe answer(event, MPVNode(copying: event.read(mpv_event_command.self)?.result ?? mpv_node()))
        case MPV_EVENT_GET_PROPERTY_REPLY: unsafe answer(event, event.property)
        case MPV_EVENT_SET_PROPERTY_REPLY: unsafe answer(event, .none)
        case MPV_EVENT_START_FILE:
            if let start = unsafe event.read(mpv_event_start_file.self) { deliver(.started(file: start.playlist_entry_id)) }
        case MPV_EVENT_FILE_LOADED: deliver(.loaded)
        case MPV_EVENT_PLAYBACK_RESTART: deliver(.restarted)
        case MPV_EVENT_END_FILE:
            if let end = unsafe event.read(mpv_event_end_file.self) {
                deliver(.ended(file: end.playlist_entry_id, End(end)))
            }
        case MPV_EVENT_PROPERTY_CHANGE:
            if let name = unsafe event.read(mpv_event_property.self)?.name {
                unsafe deliver(.changed(String(cString: name), event.property))
            }
        case MPV_EVENT_LOG_MESSAGE:
            if let text = unsafe event.read(mpv_event_log_message.self)?.text { unsafe deliver(.said(String(cString: text))) }
        default: break
        }
    }

    private func answer(_ event: mpv_event, _ node: MPVNode) {
        guard let answer = unsafe waiting.removeValue(forKey: event.reply_userdata) else { return }
        unsafe answer(MPVStatus(event.error), node)
    }
}

/// The callback that libmpv runs on its own threads.
private func ring(_ context: UnsafeMutableRawPointer?) {
    eventfd_write(Int32(Int(bitPattern: context) - 1), 1)
}

extension MPVCore.End {
    fileprivate init(_ end: mpv_event_end_file) {
        switch end.reason {
        case MPV_END_FILE_REASON_EOF: self = .played
        case MPV_END_FILE_REASON_ERROR: self = .failed(MPVStatus(end.error))
        case MPV_END_FILE_REASON_REDIRECT: self = .redirected
        default: self = .stopped
        }
    }
}

extension mpv_event {
    /// The payload of an event. The caller knows its kind from `event_id`.
    fileprivate func read<Payload>(_: Payload.Type) -> Payload? {
        unsafe data?.assumingMemoryBound(to: Payload.self).pointee
    }

    var property: MPVNode {
        guard let property = unsafe read(mpv_event_property.self), unsafe property.format == MPV_FORMAT_NODE,
            let node = unsafe property.data?.assumingMemoryBound(to: mpv_node.self).pointee
        else { return .none }
        return unsafe MPVNode(copying: node)
    }
}
