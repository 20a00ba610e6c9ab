package import BatonSeams
import CLinux
import Glibc

/// The terminal that this program was started on, as long as it draws a whole screen there.
///
/// It is opened anew, so that it can be read and written without waiting: the descriptors that the shell has lent would stay that way
/// for the shell. All calls are on the loop's thread. What is written while the terminal takes nothing is kept, and `isBusy` says so: its
/// owner draws when it is through, and only the newest screen then.
@Loop
@safe
package final class Terminal {
    package struct Size: Equatable, Sendable {
        package var columns: Int
        package var rows: Int
        /// Of one cell in dots; 0 where the terminal does not say.
        package var cellWidth: Int
        package var cellHeight: Int
    }

    /// What a person typed, and what the terminal has answered.
    package nonisolated let input: AsyncStream<[UInt8]>
    private let typed: AsyncStream<[UInt8]>.Continuation
    /// Called when everything was written that waited.
    package var whenIdle: () -> Void = {}

    private let reactor: any Reactor
    private let descriptor: Int32
    private let before: termios
    private var watch: (any Watch)?
    private var waiting: [UInt8] = []
    /// What stays to be sent of it, counted from its beginning.
    private var sent = 0
    private var isOpen = false

    /// Signals that a program with a whole screen answers itself; they have to be blocked before other threads start.
    package nonisolated static let signals = [SIGHUP, SIGQUIT, SIGWINCH, SIGCONT, SIGTSTP]

    /// Another screen, no wrapping at its edge, the mouse by cells, and pasted text marked as such; the screen before comes back at the end.
    private nonisolated static let beginning = "\u{1B}[?1049h\u{1B}[?7l\u{1B}[?1000h\u{1B}[?1006h\u{1B}[?2004h\u{1B}[?25l"
    private nonisolated static let end =
        "\u{1B}_Ga=d,d=I,i=77,q=2\u{1B}\\\u{1B}[0m\u{1B}[?2026l\u{1B}[?2004l\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

    /// `nil` when this program has no terminal.
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

    /// Takes the screen over. A second call does nothing until `leave`.
    package func enter() {
        guard !isOpen else { return }
        isOpen = true
        var settings = before
        settings.c_iflag &= ~tcflag_t(BRKINT | ICRNL | INLCR | IGNCR | ISTRIP | IXON)
        settings.c_oflag &= ~tcflag_t(OPOST)
        // Ctrl-C and Ctrl-Z are keys here; as signals they would come without the screen being given back.
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

    /// Gives the screen back. What was not written yet is dropped; the end itself is waited for, for a moment.
    package func leave() {
        guard isOpen else { return }
        isOpen = false
        watch?.cancel()
        watch = nil
        // A sequence that was sent in part must not swallow the first one of the end.
        let broken = sent > 0 ? "\u{18}\u{1B}\\" : ""
        waiting = []
        sent = 0
        let flags = fcntl(descriptor, F_GETFL)
        var place = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        // A terminal that is stopped takes nothing, and must not keep this program alive.
        if unsafe poll(&place, 1, Self.endWaitsMs) == 1 {
            _ = fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK)
            let end = Array((broken + Self.end).utf8)
            _ = unsafe end.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            _ = fcntl(descriptor, F_SETFL, flags)
        }
        var settings = before
        // Answers that are still on their way would be typed into the shell.
        unsafe tcsetattr(descriptor, TCSAFLUSH, &settings)
        unsafe clinux_guard_terminal(-1, &settings, nil, 0)
    }

    private nonisolated static let endWaitsMs: Int32 = 500

    /// Gives the screen back and stops this program, as Ctrl-Z does; it is taken over again when the shell lets the program go on.
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

    /// Whether something waits to be written.
    package var isBusy: Bool { !waiting.isEmpty }

    /// Writes as much as the terminal takes, and the rest when it takes more.
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
