import BatonProtocol

/// A command is sent as a value of its type in `Commands`. A name in a string goes around the types of its parameters, and stays
/// behind when the table of commands changes.
enum CommandNameRule {
    /// Where names stand as text, each for a reason.
    private static let mayStand = [
        // The tool that writes the types, and its tests.
        "Sources/Wire/ProtocolWriter/", "Tests/ProtocolWriterTests/",
        // The codec is tested by the text that it reads and writes.
        "Tests/BatonProtocolTests/",
    ]

    /// Calls that send text as it is, for input that no type can say.
    private static let rawText = ["sendText(", #"tell("raw", "#]

    /// The names with two parts are no other words, so they are found in any text.
    private static let dotted: Set<String> = Set(names.filter { $0.contains(".") })

    /// Names such as `next` are also words of the command line and of states: only the place tells that a command is meant.
    private static let plain: Set<String> = Set(names).subtracting(dotted)

    private static var names: [String] { CommandKind.allCases.map(\.rawValue) }

    static func complaints(about file: SourceFile) -> [String] {
        guard !mayStand.contains(where: file.path.hasPrefix) else { return [] }
        return file.lines.enumerated().flatMap { number, line -> [String] in
            guard line.utf8.contains(UInt8(ascii: "\"")), !line.drop(while: \.isWhitespace).hasPrefix("//") else { return [] }
            if rawText.contains(where: line.contains) { return [] }
            return found(in: line).map { "\(file.path):\(number + 1) names the command “\($0)” in a string: send its type in Commands." }
        }
    }

    /// Names between two quotation marks, also those within JSON.
    private static func found(in line: Substring) -> [Substring] {
        // Not `\b`: to a pattern in Swift the point in `hub.command` does not end a word.
        let place = /(?:"m":|(?:^|\W)(?:method:\s*|method\s*==\s*|(?:command|sendWithRetries|send|press|Press)\(\s*))"$/
        return line.split(separator: "\"", omittingEmptySubsequences: false).dropFirst().dropLast().filter { word in
            if dotted.contains(String(word)) { return true }
            return plain.contains(String(word)) && line[..<word.startIndex].firstMatch(of: place) != nil
        }
    }
}
