import Glibc

/// The progress of a file, on a line of the terminal that is cleared at the end.
struct FileProgress: Sendable {
    private let name: String
    private let isShown = isatty(STDERR_FILENO) == 1

    init(_ name: String) { self.name = VisibleText.of(name) }

    func show(_ done: Int64, of length: Int64) {
        guard isShown, length > 0 else { return }
        Output.draw("\r\u{1B}[2K\(name): \(done * 100 / length)% of \((length + 524_287) / 1_048_576) MiB")
    }

    /// Shows a text before the first byte has arrived.
    func begin(_ text: String) { if isShown { Output.draw("\r\u{1B}[2K\(text)") } }

    func clear() { if isShown { Output.draw("\r\u{1B}[2K") } }
}
