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

    init(on loop: EventLoop, id: UInt64, descriptor: Int32, mask: UInt32, action: @escaping @Loop (Readiness) -> Void) {
        self.loop = loop.number
        self.id = id
        self.action = action
        epoll = loop.engine.epoll
        var cause = Self.control(epoll, verb: EPOLL_CTL_ADD, descriptor: descriptor, mask: mask, id: id)
        if cause == EEXIST {
            let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
            cause = Self.control(epoll, verb: EPOLL_CTL_ADD, descriptor: copy, mask: mask, id: id)
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
        Self.control(epoll, verb: EPOLL_CTL_MOD, descriptor: number, mask: Self.mask(interest), id: id)
    }

    func cancel() {
        guard action != nil else { return }
        Self.control(epoll, verb: EPOLL_CTL_DEL, descriptor: number, mask: 0, id: id)
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
    static func control(_ epoll: Int32, verb: Int32, descriptor: Int32, mask: UInt32, id: UInt64) -> Int32 {
        var event = unsafe epoll_event()
        unsafe event.events = mask
        unsafe event.data.u64 = id
        return unsafe epoll_ctl(epoll, verb, descriptor, &event) == 0 ? 0 : errno
    }
}
