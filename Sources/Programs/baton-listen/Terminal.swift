import Glibc

/// Prints lines for people: news to standard output, errors to standard error.
enum Terminal {
    static func say(_ text: String) { write(text, to: STDOUT_FILENO) }
    static func complain(_ text: String) { write("baton-listen: \(text)", to: STDERR_FILENO) }

    /// Prints a line. Control characters in names and titles are replaced, because the terminal would interpret them.
    private static func write(_ text: String, to descriptor: Int32) {
        let plain = String(text.unicodeScalars.map { $0.value < 32 || $0.value == 127 ? " " : Character($0) }) + "\n"
        _ = plain.utf8.withContiguousStorageIfAvailable { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }
}
