package import BatonJSON

/// JSON on one line, with members in the given order.
package enum JSONText {
    package static func of(_ json: JSON) -> String {
        switch json {
        case .null: return "null"
        case .bool(let value): return value ? "true" : "false"
        case .int(let value): return String(value)
        case .double(let value): return number(value)
        case .string(let value): return quoted(value)
        case .array(let values): return "[" + values.map(of).joined(separator: ",") + "]"
        case .object(let object):
            return "{" + object.members.map { quoted($0.name) + ":" + of($0.value) }.joined(separator: ",") + "}"
        }
    }

    /// Three decimal places are enough for progress and loudness.
    private static func number(_ value: Double) -> String {
        guard value.isFinite, abs(value) < 1e12 else { return "null" }
        let thousandths = Int64((value * 1000).rounded())
        let rest = thousandths.magnitude % 1000
        var digits = String(rest + 1000).dropFirst()
        while digits.last == "0" { digits = digits.dropLast() }
        return (thousandths < 0 ? "-" : "") + String(thousandths.magnitude / 1000) + (digits.isEmpty ? "" : "." + digits)
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case _ where scalar.value < 32 || scalar.value == 127:
                let code = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - code.count) + code
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
