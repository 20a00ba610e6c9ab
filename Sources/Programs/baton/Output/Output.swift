import BatonProtocol
import BatonWire
import Glibc

/// What is printed: answers on standard output, sentences about trouble on standard error.
enum Output {
    static func line(_ text: String) {
        print(text)
        fflush(nil)
    }

    static func trouble(_ text: String) { complain("baton: \(text)") }

    static func complain(_ text: String) {
        var bytes = Array("\(text)\n".utf8)
        _ = write(STDERR_FILENO, &bytes, bytes.count)
    }

    /// A question; the answer is typed on the same line.
    static func prompt(_ text: String) {
        var bytes = Array(text.utf8)
        _ = write(STDERR_FILENO, &bytes, bytes.count)
    }

    static func json(_ body: (inout JSONWriter) -> Void) {
        line(String(decoding: JSONWriter.bytes(body), as: UTF8.self))
    }

    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }
}
