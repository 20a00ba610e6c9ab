import BatonSeams
import CLinux
import Glibc

/// A relay of bytes from one socket to another through a pipe. The kernel moves the pages without copying them into this process.
///
/// Only the loop uses it, and no call blocks. It owns the pipe and the source, but not the peer's socket.
@Loop
final class SocketRelay {
    enum Progress {
        /// The source has nothing at the moment.
        case waitsForBytes
        /// The peer accepts nothing at the moment.
        case waitsForRoom
        /// There is more to do, after other work on the loop.
        case more
        /// The source has ended, perhaps early.
        case ended
        case peerIsGone
    }

    let source: BodyConnection
    private let pipe: KernelPipe
    /// Number of bytes in the pipe, and its limit.
    private var held = 0
    private let room: Int
    /// Number of bytes that the source still has to deliver.
    private var left: Int64
    private var watch: (any Watch)?

    /// Limit of bytes that wait for a slow peer, so that a stream takes less than 1 MiB in total. A quarter of it would make it slower by a
    /// third.
    private static let mostHeld = 896 * 1024
    /// Limit for one turn, so that it takes less than a millisecond.
    static let turnBytes = 2 * 1024 * 1024

    /// `nil` if the system provides no pipe.
    init?(_ source: BodyConnection, most: Int64) {
        guard let pipe = KernelPipe() else { return nil }
        self.pipe = pipe
        self.source = source
        room = min(pipe.room, Self.mostHeld)
        left = min(most, source.length)
    }

    /// Number of bytes that the peer's socket accepted, and the next step.
    func turn(to peer: Int32) -> (sent: Int, progress: Progress) {
        var sent = 0
        while sent < Self.turnBytes {
            let source = fill()
            if held == 0 { return (sent, source == .empty ? .waitsForBytes : .ended) }
            switch pipe.pass(held, to: peer) {
            case .bytes(let count):
                sent += count
                held -= count
            case .noRoom: return (sent, .waitsForRoom)
            case .peerIsGone: return (sent, .peerIsGone)
            }
        }
        return (sent, .more)
    }

    private enum Source { case empty, over, some }

    private func fill() -> Source {
        guard left > 0 else { return .over }
        guard held < room else { return .some }
        while true {
            let count = clinux_splice(source.descriptor, pipe.descriptor, min(room - held, Int(left)))
            if count > 0 {
                held += count
                left -= Int64(count)
                return .some
            }
            if count < 0, errno == EINTR { continue }
            // A pipe may also be full of small pieces; it is emptied first.
            if count < 0, errno == EAGAIN { return .empty }
            left = 0
            return .over
        }
    }

    /// Calls `action` once the source has bytes, or has ended.
    func whenReadable(on loop: any Reactor, _ action: @escaping @Loop () -> Void) {
        stopWaiting()
        watch = loop.watch(source.descriptor, for: .readable) { _ in action() }
    }

    func stopWaiting() {
        watch?.cancel()
        watch = nil
    }

    isolated deinit { stopWaiting() }
}
