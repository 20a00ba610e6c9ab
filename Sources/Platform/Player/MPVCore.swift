import BatonSeams
import CLinux
import CMPV
import Glibc

/// One running libmpv, spoken to without ever waiting for it.
///
/// Which thread calls us: libmpv's own, and only to say that something has happened; that call
/// writes to an eventfd which the loop watches, and everything else runs on the loop. How long
/// borrowed memory lives: an event until the next `mpv_wait_event`, so what matters is copied out
/// before. What comes in pairs: `mpv_create` and `mpv_terminate_destroy`, both on threads of their
/// own because both may block, and between them only calls whose answer comes as an event.
@Loop
@safe final class MPVCore {
    /// What libmpv tells without having been asked.
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

    /// How many events one turn takes before the sockets are served again.
    private static let eventsPerTurn = 64

    /// `delivered` is called when all that had happened was delivered.
    init(
        _ raw: RawCore, reactor: any Reactor, deliver: @escaping @Loop (Event) -> Void, delivered: @escaping @Loop () -> Void
    ) {
        self.raw = raw
        self.deliver = deliver
        self.delivered = delivered
        wakeEvent = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        precondition(wakeEvent >= 0, "No descriptor is left for the player's wake-up.")
        watch = reactor.watch(wakeEvent, for: .readable) { [weak self] _ in self?.takeEvents() }
        // The descriptor travels as the callback's context; one more than it, so that it is never nil.
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

    /// Several at once, answered together; what is not there is `.none`.
    func get(_ properties: [String], _ answer: @escaping @Loop ([MPVNode]) -> Void) {
        var answers: [MPVNode] = []
        for property in properties {
            // Answers come in the order of the questions.
            get(property) { _, value in
                answers.append(value)
                if answers.count == properties.count { answer(answers) }
            }
        }
    }

    /// Asks for `changed` with the value now and after each change.
    func observe(_ property: String) {
        unsafe baton_mpv_observe_property(raw.handle, 0, property, MPV_FORMAT_NODE)
    }

    /// Asks for `changed` without a value: a value read at the wrong moment could belong to the
    /// file before, while an answer to `get` keeps its place among the events.
    func observeThatItChanged(_ property: String) {
        unsafe baton_mpv_observe_property(raw.handle, 0, property, MPV_FORMAT_NONE)
    }

    /// Stops listening. What is left is to take `RawCore` apart, on a thread that may block.
    func release() -> RawCore {
        // Once this returns no thread of libmpv is inside the callback, nor will be.
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

    /// An order that libmpv would not even queue is answered at the next turn, like any other.
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
            // After `release`, which an event's own handler may call, the core is not ours any more.
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

/// libmpv's call from its own threads.
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
    /// What an event of a known kind carries. The caller knows from `event_id` which kind it is.
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
