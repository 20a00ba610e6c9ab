import BatonSeams
import EventLoop
import Glibc

/// Reads key presses from the terminal without echo. Closing it restores the terminal.
@Loop
final class KeyPresses {
    nonisolated let pressed: AsyncStream<Character>
    private let continuation: AsyncStream<Character>.Continuation
    private var watch: (any Watch)?
    private var before: termios?

    /// Limit of waiting keys; further ones are dropped.
    private nonisolated static let most = 16

    init(on loop: EventLoop, isWanted: Bool) {
        (pressed, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.most))
        var settings = termios()
        guard isWanted, isatty(STDIN_FILENO) == 1, tcgetattr(STDIN_FILENO, &settings) == 0 else {
            continuation.finish()
            return
        }
        before = settings
        // ISIG stays on, because the program handles Ctrl-C itself.
        settings.c_lflag &= ~tcflag_t(ECHO | ICANON)
        tcsetattr(STDIN_FILENO, TCSANOW, &settings)
        watch = loop.watch(STDIN_FILENO, for: .readable) { [weak self] _ in self?.take() }
    }

    private func take() {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(STDIN_FILENO, &bytes, bytes.count)
        guard count > 0 else { return stop() }
        // All keys with a meaning are single characters. Cursor keys send an escape sequence, which is skipped.
        guard bytes[0] != 0x1B else { return }
        for character in String(decoding: bytes.prefix(count), as: UTF8.self) { continuation.yield(character) }
    }

    private func stop() {
        watch?.cancel()
        watch = nil
        continuation.finish()
    }

    func close() {
        stop()
        if var before { tcsetattr(STDIN_FILENO, TCSANOW, &before) }
        before = nil
    }
}
