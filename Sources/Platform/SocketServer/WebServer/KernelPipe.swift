import BatonSeams
import CLinux
import Glibc

/// A pipe through which the kernel moves pages to a peer's socket without copying them into this process. No call on it waits.
final class KernelPipe: PipeEnd {
    /// The end for reading.
    private let output: Int32
    /// The end for writing.
    let descriptor: Int32
    let room: Int

    /// Large enough to be worth a turn of the loop. The system gives smaller ones to a user with too many pipes.
    private static let bytes: Int32 = 1024 * 1024

    /// `nil` if the system provides no pipe.
    init?() {
        var ends: [Int32] = [-1, -1]
        room = Int(unsafe clinux_make_pipe(&ends, Self.bytes))
        (output, descriptor) = (ends[0], ends[1])
        guard room > 0 else { return nil }
    }

    enum Passed {
        case bytes(Int)
        /// The peer accepts nothing at the moment.
        case noRoom
        case peerIsGone
    }

    /// Moves at most `most` bytes from the pipe to a peer's socket.
    func pass(_ most: Int, to peer: Int32) -> Passed {
        while true {
            let count = clinux_splice(output, peer, most)
            if count > 0 { return .bytes(count) }
            if errno == EAGAIN { return .noRoom }
            if errno != EINTR { return .peerIsGone }
        }
    }

    deinit {
        // Both are -1 if there is no pipe.
        close(output)
        close(descriptor)
    }
}

/// A file that is sent to a peer through a pipe: threads that may wait for the disk fill it, and the loop empties it.
@Loop
final class FilePassage {
    enum Progress {
        case empty
        /// The peer accepts nothing at the moment.
        case waitsForRoom
        case peerIsGone
    }

    let file: any FileRange
    let pipe: KernelPipe
    /// Number of bytes in the pipe.
    var held = 0

    init(_ file: any FileRange, _ pipe: KernelPipe) {
        self.file = file
        self.pipe = pipe
    }

    /// Number of bytes that the peer's socket accepted, and the next step.
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
