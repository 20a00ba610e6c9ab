import BatonJSON

/// The value of a member in Swift: its type, and the code that writes it with a writer `w` and reads it from `fields`.
struct Shape {
    /// A kind of value in JSON.
    enum Form {
        case bool, flag, int, int64, text, word, code, name, pair, options, object
        /// A JSON string with a Swift type of its own.
        case identifier
        /// Sections, by their names.
        case names
        /// One value, which `type` is.
        case constant
        /// A list with a Swift type of its own.
        case array
        /// Bytes in base64url.
        case bytes
        /// An object whose members stand among those of the object around it.
        case inline
        indirect case list(Shape)
    }

    let form: Form
    var type: String
    /// Whether it is a number on the wire that has the type of its unit.
    var isTime = false
    /// The limit to which a text is cut.
    var cut: String?
    /// Whether a reader refuses no text, and takes a number out of its bounds for none.
    var isLenient = false
    /// The word for one that this version does not know.
    var unknown: String?
    /// Bounds of a number that may be negative.
    var bounds: String?
    /// Number of elements that are written.
    var first: Int64?

    // MARK: writing

    /// A statement that writes a member.
    func member(_ name: String, _ value: String) -> String {
        switch form {
        case .flag: "w.flag(\"\(name)\", \(value))"
        case .bool, .int, .int64, .pair: "w.member(\"\(name)\", \(value))"
        case .options: "w.member(\"\(name)\", JSON(options: \(value)))"
        case .code: "w.member(\"\(name)\", \(value).rawValue)"
        case .text, .word, .name, .identifier: "w.member(\"\(name)\", \(text(value)))"
        case .names: "w.member(\"\(name)\", \(value).map(\\.name))"
        case .constant: "w.member(\"\(name)\", \(type))"
        case .bytes: "w.member(\"\(name)\", bytes: \(value))"
        case .array: "w.member(\"\(name)\", array: \(value).encodeElements)"
        case .object: "w.member(\"\(name)\", object: { \(value).encodeMembers(into: &$0) })"
        case .inline: "\(value).encodeMembers(into: &w)"
        case .list(let element):
            if case .text = element.form, element.cut == nil, first == nil {
                "w.member(\"\(name)\", \(value))"
            } else {
                "w.member(\"\(name)\", array: { w in for each in \(value)\(first.map { ".prefix(\($0))" } ?? "") { \(element.element("each")) } })"
            }
        }
    }

    /// A statement that writes an element of a list.
    func element(_ value: String) -> String {
        switch form {
        case .bool: "w.bool(\(value))"
        case .flag: "w.int(\(value) ? 1 : 0)"
        case .int, .int64: "w.int(\(value))"
        case .code: "w.int(\(value).rawValue)"
        case .array: "w.array(\(value).encodeElements)"
        case .object: "w.object { \(value).encodeMembers(into: &$0) }"
        default: "w.string(\(text(value)))"
        }
    }

    /// An expression for the text in JSON.
    private func text(_ value: String) -> String {
        switch form {
        case .identifier: "\(value).text"
        case .word: "\(value).rawValue"
        case .name: "\(value).name"
        default: cut.map { "w.shown(\(value), \($0))" } ?? value
        }
    }

    // MARK: reading

    /// An expression for the value, or `nil` if it is missing.
    func read(_ name: String) -> String { isTime ? "\(plain(name)).map(\(type).init)" : plain(name) }

    private func plain(_ name: String) -> String {
        let member = "\"\(name)\""
        switch form {
        case .bool: return "fields.bool(\(member))"
        case .flag: return "fields.flag(\(member))"
        case .int: return bounds.map { "fields.int(\(member), \(isLenient ? "ifIn" : "in"): \($0))" } ?? "fields.count(\(member))"
        case .int64: return "fields.int64(\(member))"
        case .text: return "fields.text(\(member))"
        case .word: return "fields.text(\(member)).flatMap { \(type)(rawValue: $0) }"
        case .code: return "fields.count(\(member)).flatMap { \(type)(rawValue: $0) }"
        case .name: return "fields.text(\(member)).map { \(type)(name: $0) }"
        case .pair: return "fields.\(type == "Pace" ? "pace" : "span")(\(member))"
        case .options: return "fields.options(\(member))"
        case .bytes: return "fields.bytes(\(member), count: \(first ?? 0))"
        case .object: return "fields.fields(\(member)).map(\(type).init(from:))"
        case .array: return "fields.read(\(member), \"a list\", \(type).init(from:))"
        case .inline: return "\(type)(from: fields)"
        case .names: return "fields.sections(\(member))"
        case .constant: return type
        case .identifier:
            switch type {
            case "EntryID": return "fields.entry(\(member))"
            case "ItemURI" where !isLenient: return "fields.uri(\(member))"
            default: return "fields.text(\(member)).map { \(type)($0) }"
            }
        case .list(let element): return element.readList(member)
        }
    }

    private func readList(_ member: String) -> String {
        switch form {
        case .array: "fields.list(\(member), count: 0...Int.max, of: \"a list\", \(type).init(from:))"
        case .object: "fields.elements(\(member), \(type).init(from:))"
        case .int: "fields.list(\(member), count: 0...Int.max, of: \"a number\") { $0.int.map { Int($0) } }"
        case .word: "fields.texts(\(member))?.compactMap { \(type)(rawValue: $0) }"
        case .identifier where type == "EntryID": "fields.entries(\(member), count: 0...Int.max)"
        case .identifier: "fields.texts(\(member))?.map { \(type)($0) }"
        default: "fields.texts(\(member))"
        }
    }

    /// An expression for the value that throws if it is missing.
    func required(_ name: String) -> String {
        switch (form, unknown) {
        case (.inline, _): read(name)
        case (.word, let unknown?): "\(type)(rawValue: fields.required(\"\(name)\", fields.text(\"\(name)\"))) ?? .\(unknown)"
        case (.word, nil): "fields.required(\"\(name)\", fields.choice(\"\(name)\"))"
        case (.code, let unknown?): "\(type)(rawValue: fields.required(\"\(name)\", fields.count(\"\(name)\"))) ?? .\(unknown)"
        default: "fields.required(\"\(name)\", \(read(name)))"
        }
    }

    // MARK: values

    /// The value of a schema as Swift code.
    func code(_ node: Node) throws(Mistake) -> String {
        switch (form, node.value) {
        case (.word, .string(let word)): return ".\(word)"
        case (.identifier, .string(let word)): return "\(type)(\"\(word)\")"
        case (.list(let element), .array): return try "[\(node.elements().map(element.code).joined(separator: ", "))]"
        case (.names, .array(let elements)):
            if elements.isEmpty { return "[]" }
        case (.pair, .array(let ends)):
            if let least = ends.first?.int, let most = ends.last?.int, ends.count == 2 { return "\(least)...\(most)" }
        case (.text, .string), (.int, .int), (.int64, .int), (.bool, .bool), (.options, .object):
            if let code = node.value.code { return code }
        default: break
        }
        throw node.mistake("it is no value of this member")
    }
}
