import BatonClient
import BatonProtocol
import BatonWire
import Glibc

/// Prints answers on standard output, and sentences about problems on standard error.
enum Output {
    /// Prints one line, with its control characters made visible. Tabs stay, because they separate fields.
    static func line(_ text: String) { verbatim(VisibleText.of(text, keeping: ["\t"])) }

    /// Prints text that `VisibleText` has been applied to already, or that contains no text of others.
    static func verbatim(_ text: String) {
        print(text)
        fflush(nil)
    }

    static func trouble(_ text: String) { complain("baton: \(text)") }

    static func complain(_ text: String) {
        var bytes = Array("\(VisibleText.of(text, keeping: ["\t", "\n"]))\n".utf8)
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

    /// An answer as the hub has written it, with members that this version does not know.
    static func json<Answer>(_ answered: Answered<Answer>) { json { $0.value(answered.raw ?? .null) } }

    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }
}
