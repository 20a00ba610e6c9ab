import Glibc

/// A secret that is typed invisibly or piped in. It is never an argument, because all users of a machine can read the
/// arguments of programs.
enum Password {
    /// Reads a line from standard input. The prompt is shown only at a terminal.
    static func read(_ prompt: String, orElse sentence: String = "A password is needed.") throws(Stop) -> String {
        let line = line(isTyped ? prompt : nil)
        guard !line.isEmpty else { throw Stop(.usage, sentence) }
        return line
    }

    /// Reads a new password, twice at a terminal, because typing errors are invisible.
    static func new(_ prompt: String) throws(Stop) -> String {
        let first = try read(prompt)
        guard isTyped else { return first }
        guard try read("Once more: ") == first else { throw Stop(.usage, "The two passwords differ. Nothing was changed.") }
        return first
    }

    static var isTyped: Bool { isatty(STDIN_FILENO) == 1 }

    /// Reads a line with echo turned off. The echo is restored afterwards, even after Ctrl-C.
    static func line(_ prompt: String?) -> String {
        var before = termios()
        let isHidden = prompt != nil && tcgetattr(STDIN_FILENO, &before) == 0
        if let prompt { Output.prompt(prompt) }
        if isHidden {
            var hidden = before
            // ISIG stays on, because the program handles Ctrl-C itself.
            hidden.c_lflag &= ~tcflag_t(ECHO)
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
        }
        let line = readLine() ?? ""
        if isHidden {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
            Output.prompt("\n")
        }
        return line
    }
}
