/// Sends sockets their pending messages, in slices of at most a millisecond, so that commands are answered in between.
import BatonCore
import BatonSeams

@Loop
final class RoomRound {
    private let reactor: any Reactor
    private(set) var sockets: [RoomSocket] = []
    private var cursor = 0
    private var left = 0
    private var isWaiting = false
    private static let sliceUs: Microseconds = 1000

    init(_ reactor: any Reactor) { self.reactor = reactor }

    func enter(_ socket: RoomSocket) { sockets.append(socket) }

    func leave(_ socket: RoomSocket) {
        sockets.removeAll { $0 === socket }
        // The round may have passed the places that moved.
        left = max(left, isWaiting ? sockets.count : 0)
    }

    /// Starts a round, since some sockets may have pending messages.
    func tell() {
        left = sockets.count
        if !isWaiting { slice() }
    }

    private func slice() {
        let startUs = reactor.nowUs
        while left > 0, !sockets.isEmpty {
            if cursor >= sockets.count { cursor = 0 }
            left -= 1
            let socket = sockets[cursor]
            cursor += 1
            socket.deliver()
            if reactor.nowUs - startUs >= Self.sliceUs, left > 0 { return goOnLater() }
        }
    }

    private func goOnLater() {
        isWaiting = true
        _ = reactor.after(.zero) { [weak self] in
            guard let self else { return }
            self.isWaiting = false
            self.slice()
        }
    }
}
