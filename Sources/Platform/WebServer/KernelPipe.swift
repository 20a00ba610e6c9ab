import BatonSeams
import CLinux
import Glibc

/// A pipe through which the kernel hands pages on to a peer's socket, so that this process sees none of them. No call on it waits.
final class KernelPipe: PipeEnd {
    /// The end that is read.
    private let output: Int32
    /// The end that is written to.
    let descriptor: Int32
    let room: Int

    /// Enough that a turn of the loop is worth it. A user who has too many gets smaller ones from the system.
    private static let bytes: Int32 = 1024 * 1024

    /// `nil` when the system gives no pipe.
    init?() {
        var ends: [Int32] = [-1, -1]
        room = Int(unsafe clinux_make_pipe(&ends, Self.bytes))
        (output, descriptor) = (ends[0], ends[1])
        guard room > 0 else { return nil }
    }

    enum Passed {
        case bytes(Int)
        /// The peer takes nothing at the moment.
        case noRoom
        case peerIsGone
    }

    /// Up to so many bytes from the pipe to a peer's socket.
    func pass(_ most: Int, to peer: Int32) -> Passed {
        while true {
            let count = clinux_splice(output, peer, most)
            if count > 0 { return .bytes(count) }
            if errno == EAGAIN { return .noRoom }
            if errno != EINTR { return .peerIsGone }
        }
    }

    deinit {
        // Without a pipe both are -1.
        close(output)
        close(descriptor)
    }
}

/// A file on its way to a peer by way of a pipe: threads that may wait for the disk fill it, and the loop empties it.
@Loop
final class FilePassage {
    enum Progress {
        case empty
        /// The peer takes nothing at the moment.
        case waitsForRoom
        case peerIsGone
    }

    let file: any FileRange
    let pipe: KernelPipe
    /// What the pipe holds.
    var held = 0

    init(_ file: any FileRange, _ pipe: KernelPipe) {
        self.file = file
        self.pipe = pipe
    }

    /// How many bytes the peer's socket took, and what comes next.
    func empty(into peer: Int32) -> (sent: Int, progress: Progress) {
        var sent = 0
        while held > 0 {
            switch pipe.pass(held, to: peer) {
            case .bytes(let count):
                sent += count
                held -= count
            case .noRoom: return (sent, .waitsForRoom)
            case .peerIsGone: return (sent, .peerIsGone)
            }
        }
        return (sent, .empty)
    }
}
