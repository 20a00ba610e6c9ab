import Glibc

/// What the program says to people, a line each: news on the standard output, trouble on the standard error.
enum Terminal {
    static func say(_ text: String) { write(text, to: STDOUT_FILENO) }
    static func complain(_ text: String) { write("baton-listen: \(text)", to: STDERR_FILENO) }

    /// Control characters of names and titles would reach the terminal.
    private static func write(_ text: String, to descriptor: Int32) {
        let plain = String(text.unicodeScalars.map { $0.value < 32 || $0.value == 127 ? " " : Character($0) }) + "\n"
        _ = plain.utf8.withContiguousStorageIfAvailable { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }
}
