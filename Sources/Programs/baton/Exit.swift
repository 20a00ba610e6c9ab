/// The exit codes of `baton`. Scripts rely on them; the help lists them.
enum Exit: Int32, CaseIterable {
    case done = 0
    /// The hub refused the command, and the sentence says why.
    case refused = 1
    /// The command line is invalid.
    case usage = 2
    /// No hub was found, or there are several and none was named.
    case noHub = 3
    /// The connection failed or took too long.
    case connection = 4

    var meaning: String {
        switch self {
        case .done: "done"
        case .refused: "refused"
        case .usage: "usage"
        case .noHub: "no hub or several"
        case .connection: "connection failed"
        }
    }
}

/// An error that ends the command with a sentence.
struct Stop: Error {
    let exit: Exit
    let sentence: String

    init(_ exit: Exit, _ sentence: String) {
        self.exit = exit
        self.sentence = sentence
    }
}
