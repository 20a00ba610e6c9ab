import BatonProtocol

/// A command is sent as a value of its type in `Commands`. A name in a string goes around the types of its parameters, and stays
/// behind when the table of commands changes.
enum CommandNameRule {
    /// Where names stand as text, each for a reason.
    private static let mayStand = [
        // The table itself.
        "Sources/Protocol/BatonProtocol/Commands/",
        // The codec is tested by the text that it reads and writes.
        "Tests/BatonProtocolTests/",
    ]

    /// Calls that send text as it is, for input that no type can say.
    private static let rawText = ["sendText(", #"tell("raw", "#]

    /// The names with two parts are no other words, so they are found in any text.
    private static let dotted: Set<String> = Set(names.filter { $0.contains(".") })

    /// Names such as `next` are also words of the command line and of states: only the place tells that a command is meant.
    private static let plain: Set<String> = Set(names).subtracting(dotted)

    private static var names: [String] { RequestKind.allCases.map(\.rawValue) }

    static func complaints(about file: SourceFile) -> [String] {
        guard !mayStand.contains(where: file.path.hasPrefix) else { return [] }
        let text = /"(\w+\.\w+)"/
        let place = /(?:"m":|\bmethod:\s*|\bmethod\s*==\s*|\b(?:command|patiently|send|press|Press)\(\s*)"(\w+)"/
        return file.lines.enumerated().flatMap { number, line -> [String] in
            if line.drop(while: \.isWhitespace).hasPrefix("//") || rawText.contains(where: line.contains) { return [] }
            let found =
                line.matches(of: text).map { String($0.1) }.filter(dotted.contains)
                + line.matches(of: place).map { String($0.1) }.filter(plain.contains)
            return found.map { "\(file.path):\(number + 1) names the command “\($0)” in a string: send its type in Commands." }
        }
    }
}
