import BatonClient
import BatonProtocol
import BatonWire
import Glibc

/// Prints answers on standard output, and sentences about problems on standard error.
enum Output {
    /// Prints one line, with its control characters made visible. Tabs stay, because they separate fields.
    static func line(_ text: String) { verbatim(VisibleText.of(text, keeping: ["\t"])) }

    /// Prints text that `VisibleText` has processed already, or that contains only text of this program. An
    /// architecture test lists the allowed callers.
    static func verbatim(_ text: String, terminator: String = "\n") {
        print(text, terminator: terminator)
        fflush(nil)
    }

    static func trouble(_ text: String) { complain("baton: \(text)") }

    static func complain(_ text: String) {
        var bytes = Array("\(VisibleText.of(text, keeping: ["\t", "\n"]))\n".utf8)
        _ = write(STDERR_FILENO, &bytes, bytes.count)
    }

    /// Prints a question, whose answer is typed on the same line.
    static func prompt(_ text: String) { draw(VisibleText.of(text, keeping: ["\n"])) }

    /// Prints text with cursor movements on standard error. Foreign text in it must be made visible first.
    static func draw(_ text: String) {
        var bytes = Array(text.utf8)
        _ = write(STDERR_FILENO, &bytes, bytes.count)
    }

    static func json(_ body: (inout JSONWriter) -> Void) {
        line(String(decoding: JSONWriter.bytes(body), as: UTF8.self))
    }

    /// Prints a result as JSON in the hub's form, with members that this version does not know.
    static func json<Answer>(_ answered: Answered<Answer>) { json { $0.value(answered.raw ?? .null) } }

    /// Reports a change that no state or list shows: a sentence for people, a JSON object for programs.
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
