package import BatonSeams
import CLinux
import Glibc

/// The terminal of this program while it draws on the whole screen.
///
/// It is opened separately, so that it can be non-blocking: the shell's own descriptors would stay non-blocking for the shell. All calls
/// are on the loop's thread. Output that the terminal does not accept is stored, and `isBusy` is true: the owner draws again after that,
/// and only the newest screen.
@Loop
@safe
package final class Terminal {
    package struct Size: Equatable, Sendable {
        package var columns: Int
        package var rows: Int
        /// Size of one cell in pixels; 0 if the terminal does not report it.
        package var cellWidth: Int
        package var cellHeight: Int
    }

    /// Keys that a person typed, and answers of the terminal.
    package nonisolated let input: AsyncStream<[UInt8]>
    private let typed: AsyncStream<[UInt8]>.Continuation
    /// Called when all stored output was written.
    package var whenIdle: () -> Void = {}

    private let reactor: any Reactor
    private let descriptor: Int32
    private let before: termios
    private var watch: (any Watch)?
    private var waiting: [UInt8] = []
    /// Number of bytes of `waiting` that were written.
    private var sent = 0
    private var isOpen = false

    /// Signals that a full-screen program handles itself; they have to be blocked before other threads start.
    package nonisolated static let signals = [SIGHUP, SIGQUIT, SIGWINCH, SIGCONT, SIGTSTP]

    /// Alternate screen, no line wrapping, mouse reports in cells, and marked pasted text. The earlier screen returns at the end.
    private nonisolated static let beginning = "\u{1B}[?1049h\u{1B}[?7l\u{1B}[?1000h\u{1B}[?1006h\u{1B}[?2004h\u{1B}[?25l"
    private nonisolated static let end =
        "\u{1B}_Ga=d,d=I,i=77,q=2\u{1B}\\\u{1B}[0m\u{1B}[?2026l\u{1B}[?2004l\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

    /// `nil` if this program has no terminal.
    package init?(on reactor: any Reactor) {
        let descriptor = unsafe open("/dev/tty", O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { return nil }
        var settings = termios()
        guard unsafe tcgetattr(descriptor, &settings) == 0 else {
            close(descriptor)
            return nil
        }
        self.reactor = reactor
        self.descriptor = descriptor
        before = settings
        (input, typed) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(256))
    }

    isolated deinit {
        leave()
        typed.finish()
        close(descriptor)
    }

    // MARK: Life

    /// Takes over the screen. A second call does nothing until `leave`.
    package func enter() {
        guard !isOpen else { return }
        isOpen = true
        var settings = before
        settings.c_iflag &= ~tcflag_t(BRKINT | ICRNL | INLCR | IGNCR | ISTRIP | IXON)
        settings.c_oflag &= ~tcflag_t(OPOST)
        // Ctrl-C and Ctrl-Z are keys here; as signals they would leave the screen unrestored.
        settings.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG | IEXTEN)
        var last = before
        let end = Array(Self.end.utf8)
        unsafe end.withUnsafeBufferPointer { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) {
                unsafe clinux_guard_terminal(descriptor, &last, $0.baseAddress, UInt(end.count))
            }
        }
        unsafe tcsetattr(descriptor, TCSANOW, &settings)
        watch = reactor.watch(descriptor, for: .readable) { [weak self] in self?.ready($0) }
        write(Array(Self.beginning.utf8))
    }

    /// Restores the screen. Unwritten output is dropped; the final sequence may take a moment.
    package func leave() {
        guard isOpen else { return }
        isOpen = false
        watch?.cancel()
        watch = nil
        // A partially written sequence must not swallow the first one of the end.
        let broken = sent > 0 ? "\u{18}\u{1B}\\" : ""
        waiting = []
        sent = 0
        let flags = fcntl(descriptor, F_GETFL)
        var place = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        // A stopped terminal accepts nothing, and must not keep this program alive.
        if unsafe poll(&place, 1, Self.endWaitsMs) == 1 {
            _ = fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK)
            let end = Array((broken + Self.end).utf8)
            _ = unsafe end.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            _ = fcntl(descriptor, F_SETFL, flags)
        }
        var settings = before
        // Late answers of the terminal would be typed into the shell.
        unsafe tcsetattr(descriptor, TCSAFLUSH, &settings)
        unsafe clinux_guard_terminal(-1, &settings, nil, 0)
    }

    private nonisolated static let endWaitsMs: Int32 = 500

    /// Restores the screen and stops this program, as Ctrl-Z does. The screen is taken over again when the shell continues the program.
    package func suspend() {
        leave()
        kill(0, SIGSTOP)
    }

    // MARK: Size

    package var size: Size {
        var window = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else {
            return Size(columns: 80, rows: 24, cellWidth: 0, cellHeight: 0)
        }
        let (columns, rows) = (Int(window.ws_col), Int(window.ws_row))
        return Size(columns: columns, rows: rows, cellWidth: Int(window.ws_xpixel) / columns, cellHeight: Int(window.ws_ypixel) / rows)
    }

    // MARK: Bytes

    /// Whether output waits to be written.
    package var isBusy: Bool { !waiting.isEmpty }

    /// Writes as much as the terminal accepts, and the rest later.
    package func write(_ bytes: [UInt8]) {
        guard isOpen, !bytes.isEmpty else { return }
        waiting += bytes
        flush()
    }

    private func ready(_ readiness: Readiness) {
        if readiness.contains(.readable) { read() }
        if readiness.contains(.writable), isOpen {
            flush()
            if !isBusy { whenIdle() }
        }
        if readiness.contains(.broken) { hangUp() }
    }

    private func read() {
        var room = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = unsafe Glibc.read(descriptor, &room, room.count)
            guard count > 0 else {
                if count == 0 || (errno != EAGAIN && errno != EINTR) { hangUp() }
                return
            }
            typed.yield(Array(room.prefix(count)))
        }
    }

    private func hangUp() {
        watch?.cancel()
        watch = nil
        typed.finish()
    }

    private func flush() {
        while sent < waiting.count {
            let count = unsafe waiting[sent...].withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 { sent += count } else if errno != EINTR { break }
        }
        if sent == waiting.count { (waiting, sent) = ([], 0) }
        watch?.change(to: isBusy ? [.readable, .writable] : .readable)
    }
}
