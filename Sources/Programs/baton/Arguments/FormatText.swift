/// A text with fields, as `--format` takes it: `{title}` or `%title%`, with `\n` and `\t`. Pure.
struct FormatText: Equatable, Sendable {
    private enum Part: Equatable, Sendable {
        case text(String)
        case field(String)
    }

    private var parts: [Part] = []

    /// All fields of all verbs; a field that an item lacks is empty.
    static let fields = StatusText.fieldNames + ItemFields.names.filter { !StatusText.fieldNames.contains($0) }
    /// Names that other programs use for some of these fields.
    private static let others = ["elapsed": "position", "time": "duration", "file": "uri", "name": "title"]

    /// Reports an unknown field before the program connects to a hub.
    init(_ text: String) throws(Stop) {
        var plain = ""
        var rest = text[...]
        while let sign = rest.popFirst() {
            if sign == "\\", let escaped = rest.first, let meant = ["n": "\n", "t": "\t", "\\": "\\"][String(escaped)] {
                plain += meant
                rest.removeFirst()
            } else if let name = Self.field(behind: sign, in: rest) {
                parts.append(.text(plain))
                parts.append(.field(try Self.known(String(name), sign)))
                plain = ""
                rest = rest[rest.index(after: name.endIndex)...]
            } else {
                plain.append(sign)
            }
        }
        parts.append(.text(plain))
    }

    /// The field's name up to its closing sign; `nil` if this is no field, as in `100 %` or a final `{`.
    private static func field(behind sign: Character, in rest: Substring) -> Substring? {
        guard let end: Character = ["{": "}", "%": "%"][sign], let close = rest.firstIndex(of: end) else { return nil }
        let name = rest[..<close]
        return sign == "%" && (name.isEmpty || !name.allSatisfy(\.isLetter)) ? nil : name
    }

    private static func known(_ name: String, _ sign: Character) throws(Stop) -> String {
        let meant = others[name] ?? name
        guard fields.contains(meant) else {
            throw Stop(
                .usage, "There is no field \(sign == "%" ? "%\(name)%" : "{\(name)}"). There are: \(fields.joined(separator: ", ")).")
        }
        return meant
    }

    /// Fills in values, with their control characters made visible.
    func filled(_ value: (String) -> String) -> String {
        parts.map { part in
            switch part {
            case .text(let text): text
            case .field(let name): VisibleText.of(value(name))
            }
        }.joined()
    }
}
