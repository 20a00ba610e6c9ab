/// JSON as text on one line, with members in the given order: for requests to other servers, for programs, and for files.
package enum JSONText {
    /// The form of numbers with a fraction.
    package enum Numbers {
        /// The shortest text that is read back as the same number.
        case exact
        /// Rounded to three decimal places, which are enough for progress and loudness; `null` from 10^12.
        case thousandths
    }

    /// An object with the members in their order; the values are JSON already.
    package static func object(_ members: [(name: String, value: String?)]) -> String {
        "{" + members.compactMap { member in member.value.map { "\(string(member.name)):\($0)" } }.joined(separator: ",") + "}"
    }

    /// A value as JSON.
    package static func value(_ json: JSON, numbers: Numbers = .exact) -> String {
        switch json {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .int(let value): String(value)
        case .double(let value): numbers == .exact ? String(value) : thousandths(value)
        case .string(let value): string(value)
        case .array(let values): "[" + values.map { value($0, numbers: numbers) }.joined(separator: ",") + "]"
        case .object(let object): self.object(object.members.map { ($0.name, value($0.value, numbers: numbers)) })
        }
    }

    private static func thousandths(_ value: Double) -> String {
        guard value.isFinite, abs(value) < 1e12 else { return "null" }
        let thousandths = Int64((value * 1000).rounded())
        let rest = thousandths.magnitude % 1000
        var digits = String(rest + 1000).dropFirst()
        while digits.last == "0" { digits = digits.dropLast() }
        return (thousandths < 0 ? "-" : "") + String(thousandths.magnitude / 1000) + (digits.isEmpty ? "" : "." + digits)
    }

    /// The text as a JSON string with its quotes. Control characters are escaped, all other characters stay as they are.
    package static func string(_ text: String) -> String {
        var bytes: [UInt8] = []
        write(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends `text` as a JSON string to the bytes.
    package static func write(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0..<0x20, 0x7F:
                bytes.append(contentsOf: "\\u00".utf8)
                bytes.append(digit(byte >> 4))
                bytes.append(digit(byte & 15))
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10 }
}
