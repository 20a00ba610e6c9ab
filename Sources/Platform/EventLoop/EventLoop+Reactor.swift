package import BatonCore
package import BatonSeams
import CLinux
import CWebSockets
import Glibc

/// The loop as `Reactor`: descriptors and deadlines of other modules, in one epoll inside of libev's.
extension EventLoop {
    /// Number of descriptors that one turn serves.
    nonisolated static let eventsPerTurn = 64
    nonisolated static let wakeID: UInt64 = 0
    nonisolated static let timerID: UInt64 = 1

    package var nowUs: Microseconds { Clock.monotonicUs() }

    package func watch(_ descriptor: Int32, for interest: Readiness, _ action: @escaping @Loop (Readiness) -> Void) -> any Watch {
        watch(descriptor, mask: Descriptor.mask(interest), action)
    }

    /// Watches with epoll's own mask, for interests that other modules do not need.
    package func watch(_ descriptor: Int32, mask: UInt32, _ action: @escaping @Loop (Readiness) -> Void) -> any Watch {
        let id = nextWatch
        nextWatch += 1
        let watch = Descriptor(on: self, id: id, descriptor: descriptor, mask: mask, action: action)
        watches[id] = watch
        return watch
    }

    package func after(_ delay: Duration, _ action: @escaping @Loop () -> Void) -> any Alarm {
        let (seconds, attoseconds) = delay.components
        let us = Microseconds(seconds * 1_000_000 + (attoseconds + 999_999_999_999) / 1_000_000_000_000)
        return alarms.add(nowUs + max(0, us), for: self, action)
    }

    /// Numbers of watched descriptors and of alarms, including cancelled ones.
    package var watchCount: Int { watches.count }
    package var alarmCount: Int { alarms.count }

    func forget(_ id: UInt64) {
        watches[id] = nil
        watches.dropSpareRoom()
    }

    private func ringAlarms() {
        alarms.expired()
        // An alarm that is set for now by one of these actions waits for the next turn, after the sockets.
        let now = nowUs
        while let action = alarms.takeDue(now) { action() }
        alarms.arm()
    }

    /// Serves ready descriptors of the nested epoll. Actions are found by number, so that events of a cancelled watch are dropped.
    fileprivate func serveDescriptors() {
        let count = unsafe epoll_wait(engine.epoll, ready, Int32(Self.eventsPerTurn), 0)
        for index in 0..<max(0, Int(count)) {
            let event = unsafe ready[index]
            let id = unsafe event.data.u64
            switch id {
            case Self.wakeID: runPosted()
            case Self.timerID: ringAlarms()
            default: watches[id]?.fire(unsafe event.events)
            }
        }
        // Last, so that a wake-up for remaining sockets is not consumed by this turn.
        endScheduledSockets()
    }
}

extension Duration {
    /// The duration in whole microseconds.
    package var us: Microseconds { Microseconds(self) }
}

/// The nested epoll, which libwebsockets treats as one readable file.
@Loop
final class NestedEpoll: SocketHandler {
    let socket = Socket()

    init() { socket.handler = self }

    func handle(_ event: SocketEvent, _ bytes: UnsafeMutableRawBufferPointer) -> Int32 {
        if event == .fileReady { EventLoop.current?.serveDescriptors() }
        return 0
    }

    func socketForgotten() {}

    var label: String { "a job, a timer or a descriptor" }
}
