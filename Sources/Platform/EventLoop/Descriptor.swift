import BatonSeams
import CLinux
import Glibc

/// A descriptor of another module, watched in the nested epoll.
@Loop
final class Descriptor: Watch {
    private let loop: Int
    private let epoll: Int32
    private let id: UInt64
    /// A duplicate if the descriptor is already watched, since epoll accepts each only once.
    private let copy: Int32?
    private let number: Int32
    private var action: (@Loop (Readiness) -> Void)?

    init(_ loop: EventLoop, _ id: UInt64, _ descriptor: Int32, _ mask: UInt32, _ action: @escaping @Loop (Readiness) -> Void) {
        self.loop = loop.number
        self.id = id
        self.action = action
        epoll = loop.engine.epoll
        var cause = Self.control(epoll, EPOLL_CTL_ADD, descriptor, mask, id)
        if cause == EEXIST {
            let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
            cause = Self.control(epoll, EPOLL_CTL_ADD, copy, mask, id)
            self.copy = copy
            number = copy
        } else {
            copy = nil
            number = descriptor
        }
        precondition(cause == 0, "Descriptor \(descriptor) cannot be waited for: \(SocketsError.words(for: cause)).")
    }

    func change(to interest: Readiness) {
        guard action != nil else { return }
        Self.control(epoll, EPOLL_CTL_MOD, number, Self.mask(interest), id)
    }

    func cancel() {
        guard action != nil else { return }
        Self.control(epoll, EPOLL_CTL_DEL, number, 0, id)
        forget()
        EventLoop.running(loop)?.forget(id)
    }

    /// Releases the descriptor without epoll, which is gone or being destroyed.
    func forget() {
        action = nil
        if let copy { close(copy) }
    }

    func fire(_ events: UInt32) {
        // A raw value, since an empty set literal would run SetAlgebra's generic code at each event.
        var readiness = Readiness(rawValue: 0)
        if events & EPOLLIN.rawValue != 0 { readiness.formUnion(.readable) }
        if events & EPOLLOUT.rawValue != 0 { readiness.formUnion(.writable) }
        if events & (EPOLLERR.rawValue | EPOLLHUP.rawValue | EPOLLRDHUP.rawValue) != 0 { readiness.formUnion(.broken) }
        action?(readiness)
    }

    static func mask(_ interest: Readiness) -> UInt32 {
        (interest.contains(.readable) ? EPOLLIN.rawValue : 0) | (interest.contains(.writable) ? EPOLLOUT.rawValue : 0)
    }

    /// `epoll_ctl`: zero, or `errno`.
    @discardableResult
    static func control(_ epoll: Int32, _ verb: Int32, _ descriptor: Int32, _ mask: UInt32, _ id: UInt64) -> Int32 {
        var event = unsafe epoll_event()
        unsafe event.events = mask
        unsafe event.data.u64 = id
        return unsafe epoll_ctl(epoll, verb, descriptor, &event) == 0 ? 0 : errno
    }
}
