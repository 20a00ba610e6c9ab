import BatonProtocol
import BatonWire
import Foundation

/// The faults of parameters, as `Faults.txt` holds them: for each command the parameters that it accepts, and then what is said when
/// some of them are changed.
///
///     # vol.set   level=0
///     > bad_request /p/level level must be an integer from 0 to 100.
///     level=-1
///     level=101
///
/// A change is `name=value`, `-name` (left out), `bare` (none of the usual parameters) or `unkeyed`, with tabs between several. A value is
/// JSON, or `x*65` for a text of 65 letters, or `101*"q1"` for a list of 101.
struct FaultRecording {
    struct Command {
        let name: String
        let usual: [String]
        /// The answers, each with the changes that got it.
        var cases: [(said: String, changes: [[String]])] = []

        mutating func add(_ changes: [String], _ said: String) {
            if let place = cases.firstIndex(where: { $0.said == said }) {
                cases[place].changes.append(changes)
            } else {
                cases.append((said, [changes]))
            }
        }
    }

    static let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Faults.txt")

    var commands: [Command] = []

    /// Asked for by `BATON_RECORD=1` in the environment.
    static let isRecording = ProcessInfo.processInfo.environment["BATON_RECORD"] == "1"

    init() {}

    init(_ text: String) {
        for line in text.split(separator: "\n") {
            let words = line.dropFirst(2)
            if line.hasPrefix("# ") {
                let parts = words.split(separator: "\t").map(String.init)
                commands.append(Command(name: parts[0], usual: Array(parts.dropFirst())))
            } else if line.hasPrefix("> ") {
                commands[commands.count - 1].cases.append((String(words), []))
            } else {
                let place = commands.count - 1
                commands[place].cases[commands[place].cases.count - 1].changes.append(line.split(separator: "\t").map(String.init))
            }
        }
    }

    var text: String {
        commands.map { command in
            let cases = command.cases.map { said, changes in
                "> \(said)\n" + changes.map { $0.joined(separator: "\t") + "\n" }.joined()
            }
            return "# " + ([command.name] + command.usual).joined(separator: "\t") + "\n" + cases.joined()
        }.joined()
    }

    /// A command with these parameters.
    static func frame(of name: String, _ usual: [String], _ changes: [String]) throws(JSONFault) -> CommandFrame {
        var params = JSONObject()
        for change in (changes.contains("bare") ? [] : usual) + changes {
            if change.hasPrefix("-") {
                params[String(change.dropFirst())] = nil
            } else if let end = change.firstIndex(of: "=") {
                params[String(change[..<end])] = try value(change[change.index(after: end)...])
            }
        }
        return CommandFrame(id: 7, method: name, key: changes.contains("unkeyed") ? nil : "keykey", params: params)
    }

    static func said(
        of name: String, _ usual: [String], _ changes: [String], within limits: WireLimits = .standard
    ) throws(JSONFault) -> String {
        said(of: try frame(of: name, usual, changes), within: limits)
    }

    /// The answer of a hub to a command's parameters: `ok`, or the code, the place and the sentence.
    static func said(of frame: CommandFrame, within limits: WireLimits = .standard) -> String {
        do throws(ProtocolFault) { _ = try frame.command(within: limits) } catch {
            return "\(error.code.rawValue) \(error.at ?? "-") \(error.sentence)"
        }
        return "ok"
    }

    private static func value(_ text: Substring) throws(JSONFault) -> JSON {
        guard let star = text.firstIndex(of: "*") else { return try parse(String(text)) }
        let before = text[..<star]
        let after = text[text.index(after: star)...]
        if before == "x", let count = Int(after) { return .string(String(repeating: "x", count: count)) }
        if let count = Int(before) { return .array(Array(repeating: try parse(String(after)), count: count)) }
        return try parse(String(text))
    }
}
