import BatonJSON

/// One member of an answer or a section.
struct SchemaMember {
    /// The wire name.
    let wire: String
    /// The name for programs.
    let name: String
    let comment: String
    private let schema: Schema
    let shape: Shape
    let isRequired: Bool
    /// The default for a missing value: writers leave it out, and older hubs do not send it.
    private(set) var usual: String?
    /// The default of the initialiser's parameter; the member is sent with any value.
    private var assumed: String?
    /// Minimum number of elements of a list in an answer, so that a client that requests further pages reaches the end.
    private var least: Int64 = 1
    /// Number of bytes that a list leaves free behind it.
    private(set) var spare: Int64?
    /// The list whose other elements it counts, in Swift.
    private(set) var counted: String?

    /// The lines with which a strict reader reads it from `p`, into a constant of its name.
    private(set) var strict: [String] = []

    /// `wire` is its place where the value is a list, and `name` what it is called then.
    init(_ wire: String, _ schema: Schema, of owner: String, named name: String? = nil, isRequired: Bool) throws(Mistake) {
        let name = if let name { name } else { try schema.called() ?? wire }
        (self.wire, self.name, self.schema, self.isRequired) = (wire, name, schema, isRequired)
        comment = try schema.comment
        shape = try Shape(schema, of: owner, named: name)
        for flag in ["x-terse", "x-unbound", "x-lenient", "x-bare", "x-cursor", "x-package", "x-reasons"] {
            _ = try schema.node.isFlag(flag)
        }
        if let usual = node["x-usual"] { assumed = try shape.code(usual) }
        spare = schema["x-page"]?.value.bool == true ? nil : try schema.int("x-page")
        least = try schema.int("x-least") ?? 1
        let left = node["x-omit"]
        if isRequired, let left { throw left.mistake("a member that must be there is never left out") }
        if case .flag = shape.form {
            usual = "false"
        } else if let value = left ?? node["default"] {
            usual = try shape.code(value)
        } else if spare != nil, !isRequired {
            usual = "[]"
        }
    }

    /// A value whose members stand among those of the object around it.
    init(_ name: String, inline type: String, comment: String, _ schema: Schema) {
        (self.name, wire, self.comment, self.schema, isRequired) = (name, "", comment, schema, true)
        shape = Shape(form: .inline, type: type)
    }

    /// The same member of an object whose reader refuses what does not fit.
    func strict(among shapes: Node) throws(Mistake) -> SchemaMember {
        var member = self
        switch shape.form {
        case .constant:
            guard shape.type.hasPrefix("\"") else { break }
            let word = shape.type.dropFirst().dropLast()
            member.strict = [
                "guard p.object[\"\(wire)\"] == .string(\(shape.type)) else {",
                "    throw p.has(\"\(wire)\") ? p.fault(\"\(wire)\", \"\(wire) must be one of \(word).\") : p.missing(\"\(wire)\")", "}",
            ]
        case .int, .text, .word, .identifier, .list, .names:
            var form = try ParameterShape(node, among: shapes).form()
            form.type = shape.type
            if shape.isTime { form.wrapper = shape.type }
            member.strict = form.reading(wire, into: marked, isRequired: isRequired && usual == nil, usual: usual)
        default: member.strict = ["let \(marked) = \(reading.drop { $0 != " " }.dropFirst())".replacing("fields.", with: "p.")]
        }
        return member
    }

    /// The same member as the one that counts the rest of a list.
    func counting(_ list: SchemaMember) -> SchemaMember {
        var member = self
        member.counted = list.name
        return member
    }

    var node: Node { schema.node }
    /// The condition in the generated code for a member that some messages leave out.
    private var bound: String? {
        if node["x-reasons"] != nil { return "w.givesReasons" }
        return node["x-terse"] != nil ? "!w.bounds.isTerse" : node["x-unbound"] != nil ? "w.bounds.text == .max" : nil
    }
    /// Whether only this package needs it.
    var isOfPackage: Bool { schema["x-package"] != nil }
    /// True if it names the row with which the next page begins.
    var isCursor: Bool { node["x-cursor"] != nil }
    /// Whether an initialiser that is written by hand takes it without a label.
    private var isBare: Bool { node["x-bare"] != nil }
    /// The wire name of the member that counts the elements left out.
    var counter: String? { node["x-more"]?.value.string }
    var marked: String { Names.marked(name) }
    /// Whether the value may be missing.
    var isOptional: Bool { !isRequired && usual == nil && counted == nil }
    var declared: String { shape.type + (isOptional ? "?" : "") }
    /// The list that an initialiser takes first, without a label.
    var isMain: Bool {
        guard case .list = shape.form, value == nil else { return false }
        return isRequired && (schema["x-page"] != nil || name == "rows")
    }
    var isConstant: Bool { if case .constant = shape.form { true } else { false } }
    /// The value that it is a part of.
    var value: String? { name.contains(".") ? name.split(separator: ".").first.map(String.init) : nil }

    var argument: String {
        let value = isOptional ? "nil" : counted == nil ? assumed ?? usual : "0"
        return "\(isMain || isBare ? "_ " : "")\(marked): \(declared)\(value.map { " = \($0)" } ?? "")"
    }

    /// Statements that write it.
    func writing(in type: SchemaType) -> [String] {
        if isCursor, let list = type.members.first(where: { $0.spare != nil }) {
            let total = type.members.contains { $0.name == "total" } ? "total" : "nil"
            let next = "Fields.cursor(\(marked), of: \(list.marked).count, written: written, total: \(total))"
            return ["if let \(marked) = \(next) { w.member(\"\(wire)\", \(marked)) }"]
        }
        if let counted {
            return ["let left = \(marked) + \(counted).count - written", "if left > 0 { w.member(\"\(wire)\", left) }"]
        }
        if spare != nil, case .list(let element) = shape.form {
            let least = type.isListed ? ", atLeast: least" : type.use.isSection || least == 0 ? "" : ", atLeast: \(least)"
            let isCounted = counter != nil || type.members.contains(where: \.isCursor)
            return [
                "\(isCounted ? "let written" : "_") = w.member(\"\(wire)\", \(marked), upTo: end\(least)) { each, w in "
                    + element.element("each") + " }"
            ]
        }
        var line = shape.member(wire, isOptional && value != nil ? "value" : marked)
        if isOptional { line = "if let \(value == nil ? marked : "value = \(marked)") { \(line) }" }
        if node["x-omit"] != nil, let usual { line = "if \(test(usual)) { \(line) }" }
        return [bound.map { "if \($0) { \(line) }" } ?? line]
    }

    /// The statement that writes it as an element of a list.
    var element: String {
        let line = shape.element(marked)
        guard !isRequired else { return line }
        if case .flag = shape.form { return "if \(marked) { w.int(1) }" }
        return "if let \(marked) { \(line) }"
    }

    private func test(_ usual: String) -> String {
        switch usual {
        case "false": marked
        case "\"\"", "[]", "[:]": "!\(marked).isEmpty"
        default: "\(marked) != \(usual)"
        }
    }

    /// The argument with which an initialiser gets it.
    var reading: String {
        let value: String
        if counted != nil {
            value = "fields.count(\"\(wire)\") ?? 0"
        } else if case .flag = shape.form {
            value = shape.read(wire)
        } else {
            value = isRequired && usual == nil ? shape.required(wire) : shape.read(wire) + (usual.map { " ?? \($0)" } ?? "")
        }
        if !strict.isEmpty { return "\(name): \(marked)" }
        return "\(isMain || isBare ? "" : "\(name.split(separator: ".").last ?? ""): ")try \(value)"
    }
}
