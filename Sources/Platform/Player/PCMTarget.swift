import Glibc
import Synchronization

/// The file or named pipe that raw samples go to.
///
/// libmpv opens it by name, and would wait for ever for the reader of a pipe. So a pipe is kept
/// open here at both ends: opening never waits, a reader that leaves ends nothing, and when the
/// player is taken apart while the pipe has no reader, the rest of its samples is read here and dropped.
final class PCMTarget: Sendable {
    private let file: String
    private let state = Mutex(State())

    private struct State {
        var pipe: Int32 = -1
        var wasOpened = false
        var isClosed = false
    }

    /// A reader that is merely slow gets this long, while the pipe is full. With room in it libmpv does not wait.
    private static let graceMs: Int32 = 500

    init(file: String) { self.file = file }

    /// Before libmpv opens it. A file starts empty, once; libmpv itself only appends.
    func open() {
        var status = stat()
        let isPipe = unsafe stat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
        state.withLock { state in
            state.isClosed = false
            if isPipe {
                state.pipe = unsafe Glibc.open(file, O_RDWR | O_NONBLOCK | O_CLOEXEC)
            } else if !state.wasOpened {
                unsafe truncate(file, 0)
            }
            state.wasOpened = true
        }
    }

    /// Beside taking libmpv apart: empties the pipe if that does not get on. Returns after `close`.
    func unblock() {
        let pipe = state.withLock { $0.pipe }
        guard pipe >= 0 else { return }
        var waited: Int32 = 0
        var waste = [UInt8](repeating: 0, count: 65536)
        while !state.withLock({ $0.isClosed }) {
            poll(nil, 0, 10)
            if waited <= Self.graceMs { waited = Self.isFull(pipe) ? waited + 10 : 0 }
            guard waited > Self.graceMs else { continue }
            while unsafe read(pipe, &waste, waste.count) > 0 {}
        }
        Glibc.close(pipe)
    }

    private static func isFull(_ pipe: Int32) -> Bool {
        var asked = pollfd(fd: pipe, events: Int16(POLLOUT), revents: 0)
        return unsafe poll(&asked, 1, 0) == 0
    }

    /// libmpv is gone.
    func close() { state.withLock { $0.isClosed = true } }
}
