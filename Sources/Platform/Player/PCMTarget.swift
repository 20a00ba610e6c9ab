import Glibc
import Synchronization

/// The file or named pipe for raw samples.
///
/// libmpv opens it by name, and would wait forever for the reader of a pipe. So both ends of a pipe are kept open here: opening never
/// waits, a leaving reader ends nothing, and if the pipe has no reader when the player is destroyed, the remaining samples are read here
/// and dropped.
final class PCMTarget: Sendable {
    private let file: String
    private let state = Mutex(State())

    private struct State {
        var pipe: Int32 = -1
        var wasOpened = false
        var isClosed = false
    }

    /// Time for a slow reader while the pipe is full. With room in it libmpv does not wait.
    private static let graceMs: Int32 = 500

    init(file: String) { self.file = file }

    /// Prepares the target before libmpv opens it. A file is emptied once; libmpv itself only appends.
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

    /// Runs beside the destruction of libmpv: empties the pipe if that is stuck. Returns after `close`.
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

    /// Called when libmpv is gone.
    func close() { state.withLock { $0.isClosed = true } }
}
