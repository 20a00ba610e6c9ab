import BatonClient
import BatonProtocol
import BatonWire
import Glibc

/// Prints answers on standard output, and sentences about problems on standard error.
enum Output {
    /// Prints one line, with its control characters made visible. Tabs stay, because they separate fields.
    static func line(_ text: String) { verbatim(VisibleText.of(text, keeping: ["\t"])) }

    /// Prints text that `VisibleText` has been applied to already, or that contains no text of others. A rule of the architecture's tests
    /// lists who does so.
    static func verbatim(_ text: String, terminator: String = "\n") {
        print(text, terminator: terminator)
        fflush(nil)
    }

    static func trouble(_ text: String) { complain("baton: \(text)") }

    static func complain(_ text: String) {
        var bytes = Array("\(VisibleText.of(text, keeping: ["\t", "\n"]))\n".utf8)
        _ = write(STDERR_FILENO, &bytes, bytes.count)
    }

    /// A question; the answer is typed on the same line.
    static func prompt(_ text: String) { draw(VisibleText.of(text, keeping: ["\n"])) }

    /// Text with signs that move the cursor, beside the answers. Texts of others in it have to be visible already.
    static func draw(_ text: String) {
        var bytes = Array(text.utf8)
        _ = write(STDERR_FILENO, &bytes, bytes.count)
    }

    static func json(_ body: (inout JSONWriter) -> Void) {
        line(String(decoding: JSONWriter.bytes(body), as: UTF8.self))
    }

    /// An answer as the hub has written it, with members that this version does not know.
    static func json<Answer>(_ answered: Answered<Answer>) { json { $0.value(answered.raw ?? .null) } }

    /// What was done, where no state or list says it: a sentence, or that it is done, for programs.
    static func done(_ sentence: String, _ call: Invocation) {
        guard call.json else { return line(sentence) }
        json {
            $0.object {
                $0.member("done", true)
                $0.member("message", sentence)
            }
        }
    }

    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }
    static var isPromptSeen: Bool { isatty(STDERR_FILENO) == 1 }
}
