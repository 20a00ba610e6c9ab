import BatonProtocol
import BatonWire

/// Parameters that are tried on a command, right and wrong ones, for `Faults.txt`.
enum FaultCases {
    static func recorded(_ name: String) throws -> FaultRecording.Command {
        let rows = try WrittenDefinition(name).rows.map(Row.init)
        var recorded = FaultRecording.Command(name: name, usual: usual(of: name, rows))
        for changes in changes(of: rows, recorded.usual) {
            recorded.add(changes, try FaultRecording.said(of: name, recorded.usual, changes))
        }
        return recorded
    }

    private struct Row {
        let name: String
        /// The first is right, and the last is wrong.
        let texts: [String]
        let isRequired: Bool

        init(_ row: ParameterDescription) {
            name = row.name
            // An item is split from another one.
            texts = row.form == .uri && row.name == "from" ? [#""a:b/d""#] + row.form.texts.dropFirst() : row.form.texts
            isRequired = row.isRequired
        }

        var right: String { "\(name)=\(texts.first ?? "1")" }
        var wrong: String { "\(name)=\(texts.last ?? "null")" }
    }

    /// The fewest parameters that are accepted: those that must be there, and up to two more.
    private static func usual(of name: String, _ rows: [Row]) -> [String] {
        let required = rows.filter(\.isRequired).map(\.right)
        let others = rows.filter { !$0.isRequired }.map(\.right)
        let pairs = others.indices.flatMap { first in others[(first + 1)...].map { [others[first], $0] } }
        let tries: [[String]] = [[]] + others.map { [$0] } + pairs
        let found = tries.first { (try? FaultRecording.said(of: name, required + $0, [])) == "ok" }
        return required + (found ?? [])
    }

    private static func changes(of rows: [Row], _ usual: [String]) -> [[String]] {
        var changes: [[String]] = [["unkeyed"], ["bare"], ["bare", "unkeyed"]]
        for row in rows {
            changes += row.texts.map { ["\(row.name)=\($0)"] }
            changes.append(["bare", row.right])
            if usual.contains(where: { $0.hasPrefix("\(row.name)=") }) { changes.append(["-\(row.name)"]) }
        }
        for first in rows.indices {
            changes += rows[(first + 1)...].map { [rows[first].right, $0.right] }
            // The order in which parameters are looked at: the first wrong one is named.
            changes.append(["bare"] + rows[..<first].map(\.right) + rows[first...].map(\.wrong))
        }
        return changes
    }
}

extension ParameterDescription.Form {
    /// Values as `FaultRecording` spells them, the first of them right and the last of another type.
    var texts: [String] {
        switch self {
        case .int(let range):
            let above = Int64(range.upperBound) < JSON.largestNumber ? ["\(range.upperBound + 1)"] : []
            return ["\(range.lowerBound)", "\(range.upperBound)", "\(range.lowerBound - 1)"] + above
                + ["\(range.lowerBound).5", "null", "true", #""1""#]
        case .bool: return ["true", "false", "0", "null", #""true""#]
        case .text(let bytes):
            let lengths = [max(1, bytes.lowerBound), bytes.upperBound, bytes.upperBound + 1, max(0, bytes.lowerBound - 1)]
            return lengths.map { "x*\($0)" } + [#""a\u0001b""#, #""tab\t""#, #""\#u{FC}""#, "7", "null"]
        case .token(let length):
            let lengths = [length.lowerBound, length.upperBound, length.upperBound + 1, length.lowerBound - 1]
            return lengths.map { "x*\($0)" } + [#""with a space""#, "7", "null"]
        case .choice(let words): return words.map { "\"\($0)\"" } + [#""nonsense""#, "7", "null"]
        case .choices(let words):
            let all = words.map { "\"\($0)\"" }
            let lists = ["[\(all[0])]", "[\(all.joined(separator: ","))]", "[]", #"["nonsense"]"#, "[7]", "\(all.count + 1)*\(all[0])"]
            return lists + [all[0], "null"]
        case .entry: return [#""q1""#, #""q007""#, #""x""#, "7", "null"]
        case .anchor: return [#""q1""#, "null", #""x""#, "7"]
        case .entries(let count):
            return [#"["q1","q2"]"#, "[]", #"["q1","x"]"#, "[7]", #"\#(count.upperBound + 1)*"q1""#, #""q1""#, "null"]
        case .uri: return [#""a:b/c""#, #""""#, #""a\nb""#, "7", "null"]
        case .uris(let count):
            return [#"["a:b/c"]"#, "[]", #"["a:b/c",7]"#, #"[""]"#, #"\#(count.upperBound + 1)*"a:b/c""#, #""a:b/c""#, "null"]
        case .personalName: return [#""Kitchen""#, #""""#, #"" x""#, #""a\nb""#, "x*64", "x*65", "7", "null"]
        case .output: return [#""alsa/x""#, "null", #""""#, "x*256", "x*257", "7"]
        case .folder: return [#""/music""#, #""music""#, #""""#, "x*4097", "7", "null"]
        case .span: return ["[10,20]", "[20,10]", "[1]", "[1,2,3]", "[-1,101]", #"["a",1]"#, "7", "null"]
        case .sourceName: return [#""attic""#, #""Attic""#, #""""#, "x*32", "x*33", "7", "null"]
        case .serverURL:
            let hosts = ["https://music.example.org", "ftp://host", "https://", "https://a:b@host", "https://host?a=b"]
            return hosts.map { "\"\($0)\"" } + ["7", "null"]
        case .options: return [#"{"quality":"mp3"}"#, "{}", #"{"":"1"}"#, #"{"a":7}"#, #"{"A B":"1"}"#, "[]", "null"]
        case .place:
            return [#""end""#, #""next""#, #"{"after":"q1"}"#, #"{"after":null}"#, "{}", #"{"after":"x"}"#, #""start""#, "7", "null"]
        case .word: return [#""end""#, #""head""#, "7", "null"]
        case .rule:
            let rule = #"{"all":[{"f":"stars","is":"atLeast","v":"4"}],"order":"played","limit":100}"#
            return [rule, "{}", #"{"all":[]}"#, #"{"all":[{"f":"nonsense","is":"has","v":"x"}]}"#, "7", "null"]
        case .stations:
            return [#"[{"title":"A","url":"http://host/"}]"#, "[]", "[{}]", #"[{"title":"A"}]"#, "[7]", "null"]
        case .edits(let count):
            return [
                #"[{"clear":1}]"#, "[]", "[{}]", "[7]", #"\#(count.upperBound + 1)*{"clear":1}"#, #"[{"add":["a:b"]},{"removeAt":[0]}]"#,
                #"[{"rule":{}}]"#, "null",
            ]
        }
    }
}
