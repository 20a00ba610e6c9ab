import BatonJSON

/// One parameter of a command, or a group of parameters that form one value, in Swift.
struct Parameter {
    /// The name for programs.
    private(set) var name: String
    let about: String
    let type: String
    /// The default for a missing value. Without one the value is optional, or required.
    let usual: String?
    let isRequired: Bool
    /// Lines that read it from `p` into a constant of its name.
    let read: [String]
    /// Lines that write it into `p`, a JSON object.
    let written: [String]
    /// The words of an enumeration that only this command has.
    let words: [String]
    /// A limit below that of the shape.
    let mostBytes: Int64?

    var marked: String { Names.marked(name) }
    var declared: String { type + (isOptional ? "?" : "") }
    var isOptional: Bool { usual == nil && !isRequired }

    /// The only word of an enumeration, which programs need not state.
    var onlyWord: String? { words.count == 1 ? words.first : nil }

    /// The value if it is missing.
    var absent: String { isOptional ? "nil" : usual ?? "" }

    /// The parameter as a member of a group.
    func inside(_ group: String) -> Parameter {
        var member = self
        member.name = "\(group).\(name)"
        return member
    }
}

extension Parameter {
    /// Texts with a type of their own, by wire name.
    private static let texts = ["token": "WorkerToken", "person": "Person"]

    /// `group` is the name of the value that it is a part of.
    init(_ wire: String, _ node: Node, isRequired: Bool, of group: String? = nil, shapes: Node) throws(Mistake) {
        let shape = try ParameterShape(node, among: shapes)
        var form = try shape.form()
        let name = try node["called"]?.text() ?? wire
        // The generated code uses these names itself.
        if ["p", "params", "limits"].contains(name) { throw node.mistake("programs cannot call it \(name)") }
        let text = form.type == "String" ? Self.texts[wire] : nil
        let usual = try shape.usual(form), absent = try node["absent"].map { (node) throws(Mistake) in try Self.absent(node, text) }

        self.name = name
        self.isRequired = isRequired
        self.usual = absent ?? usual?.code ?? (form.isPatch ? ".unchanged" : nil)
        if isRequired, self.usual != nil { throw node.mistake("a parameter that must be there has no default") }
        about = try node.needed("title").text()
        let unit = form.method == "int" ? Names.unit(of: name) : nil
        type = text ?? unit ?? form.type
        words = form.words
        mostBytes = node["x-maxBytes"]?.value.int

        (form.type, form.wrapper) = (type, text ?? unit ?? form.wrapper)
        read = form.reading(wire, into: Names.marked(name), isRequired: isRequired, usual: absent ?? usual?.bound)
        let value = (group.map { "\($0)." } ?? "") + Names.marked(name)
        written = form.writing(value, as: wire, isRequired: isRequired, usual: self.usual)
    }

    /// The default for a missing value, which is not sent.
    private static func absent(_ node: Node, _ text: String?) throws(Mistake) -> String {
        guard let code = node.value.code else { throw node.mistake("there is no such value in Swift") }
        return text.map { "\($0)(\(code))" } ?? code
    }

    /// Groups, by their names: the type of the value that their members form.
    private static let groups = [
        "page": "PageRequest", "login": "SourceLogin", "cell": "ClipCell", "place": "InsertionPoint", "anchor": "InsertionPoint",
    ]

    /// A group. `needed` are the required parameters.
    init(
        group name: String, _ nodes: [(name: String, node: Node)], _ needed: Set<String>, at node: Node, shapes: Node
    ) throws(Mistake) {
        guard let type = Self.groups[name] else { throw node.mistake("there is no such group") }
        (self.name, self.type, words, mostBytes) = (name, type, [], nil)
        about = try nodes.first?.node["title"]?.text() ?? name
        if type == "InsertionPoint" {
            (usual, isRequired) = (name == "place" ? ".end" : nil, name == "anchor")
            (read, written) = (["let \(name) = try p.\(name)()"], ["p.write(\(name): \(name))"])
            return
        }
        var members: [Parameter] = []
        for (wire, node) in nodes {
            members.append(try Parameter(wire, node, isRequired: needed.contains(wire), of: name, shapes: shapes))
        }
        isRequired = members.contains(where: \.isRequired)
        let limit = members.first { $0.name == "limit" }?.usual.map { "limit: \($0)" }
        usual = isRequired ? nil : "\(type)(\(limit ?? ""))"
        let make = members.map { $0.isRequired ? $0.marked : "\($0.name): \($0.marked)" }
        read = members.flatMap(\.read) + ["let \(name) = \(type)(\(make.joined(separator: ", ")))"]
        written = members.flatMap(\.written)
    }
}

extension JSON {
    /// The value in Swift, if it is a simple one.
    var code: String? {
        switch self {
        case .int(let value): "\(value)"
        case .bool(let value): "\(value)"
        case .string(let value): "\"\(value)\""
        case .object(let value) where value.members.isEmpty: "[:]"
        default: nil
        }
    }
}
