import BatonSeams
import CLinux
import Glibc

/// Passes bytes from one socket to another by way of a pipe. The kernel hands pages on, and this process sees none of them.
///
/// Only the loop uses it; no call blocks. It owns the pipe and the source, and the peer's socket is another's.
@Loop
final class SocketRelay {
    enum Progress {
        /// The source has nothing at the moment.
        case waitsForBytes
        /// The peer takes nothing at the moment.
        case waitsForRoom
        /// There is more, and others on the loop come first.
        case more
        /// All that the source had, which may be less than it was to have.
        case ended
        case peerIsGone
    }

    let source: BodyConnection
    private let pipe: KernelPipe
    /// What the pipe holds, and how much that may be.
    private var held = 0
    private let room: Int
    /// What is still to come out of the source.
    private var left: Int64
    private var watch: (any Watch)?

    /// What a slow peer may keep waiting: with all else a stream holds less than 1 MiB. With a quarter of it, it is slower by a third.
    private static let mostHeld = 896 * 1024
    /// In one turn, so that the loop is busy with it for less than a millisecond.
    static let turnBytes = 2 * 1024 * 1024

    /// `nil` when the system gives no pipe.
    init?(_ source: BodyConnection, most: Int64) {
        guard let pipe = KernelPipe() else { return nil }
        self.pipe = pipe
        self.source = source
        room = min(pipe.room, Self.mostHeld)
        left = min(most, source.length)
    }

    /// How many bytes the peer's socket took, and what comes next.
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
            // A pipe may also be full of small pieces: then it is emptied first.
            if count < 0, errno == EAGAIN { return .empty }
            left = 0
            return .over
        }
    }

    /// Calls once the source has bytes, or its end.
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
