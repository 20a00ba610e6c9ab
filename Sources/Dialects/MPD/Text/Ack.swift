/// A refusal of one line: the protocol's `ACK`.
struct Ack: Error, Equatable {
    /// The numbers that programs switch on.
    enum Code: Int {
        case argument = 2
        case password = 3
        case permission = 4
        case unknown = 5
        case missing = 50
        case tooMany = 51
        case system = 52
        case loading = 53
        case updating = 54
        case playerState = 55
        case exists = 56
    }

    let code: Code
    /// The sentence, as the original says it: some programs compare it.
    let sentence: String

    init(_ code: Code, _ sentence: String) {
        self.code = code
        self.sentence = sentence
    }

    /// The line without its end. `index` counts from 0 in a list of commands; `command` is empty for a line whose command was not found.
    func line(index: Int = 0, command: String = "") -> String { "ACK [\(code.rawValue)@\(index)] {\(command)} \(sentence)" }
}
