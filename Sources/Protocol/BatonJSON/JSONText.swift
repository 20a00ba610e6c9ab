/// The few forms of JSON that requests to other servers need.
package enum JSONText {
    /// The members in their order; values are JSON already.
    package static func object(_ members: [(name: String, value: String?)]) -> String {
        "{" + members.compactMap { member in member.value.map { "\(string(member.name)):\($0)" } }.joined(separator: ",") + "}"
    }

    /// A value as it was read. Numbers keep their value; how they were written is lost.
    package static func value(_ json: JSON) -> String {
        switch json {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .int(let value): String(value)
        case .double(let value): String(value)
        case .string(let value): string(value)
        case .array(let values): "[" + values.map(value).joined(separator: ",") + "]"
        case .object(let object): self.object(object.members.map { ($0.name, value($0.value)) })
        }
    }

    package static func string(_ text: String) -> String {
        var written = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": written += "\\\""
            case "\\": written += "\\\\"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                let digits = String(scalar.value, radix: 16)
                written += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: written.unicodeScalars.append(scalar)
            }
        }
        return written + "\""
    }
}
