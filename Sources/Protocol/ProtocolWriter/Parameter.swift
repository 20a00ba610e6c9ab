import BatonJSON

/// One parameter of a command, or a group of them that is one value, in Swift.
struct Parameter {
    /// As programs call it.
    private(set) var name: String
    let about: String
    let type: String
    /// The value that a missing one means. Without it the value is optional, or must be there.
    let usual: String?
    let isRequired: Bool
    /// How the coder `p` gets it from `value`, the command that is written.
    let coded: String
    /// The words of an enumeration that only this command knows.
    let words: [String]
    /// Fewer than the shape allows.
    let mostBytes: Int64?

    /// The name where a word of Swift needs marks.
    var marked: String { ["repeat", "for", "in", "is", "default"].contains(name) ? "`\(name)`" : name }
    var declared: String { type + (isOptional ? "?" : "") }
    var isOptional: Bool { usual == nil && !isRequired }

    /// The only word of an enumeration need not be said by programs.
    var onlyWord: String? { words.count == 1 ? words.first : nil }

    /// Which value it has when it is not named.
    var absent: String { isOptional ? "nil" : usual ?? "" }

    /// The same as a member of a group.
    func inside(_ group: String) -> Parameter {
        var member = self
        member.name = "\(group).\(name)"
        return member
    }
}

extension Parameter {
    /// Texts with a type of their own, by their names on the wire.
    private static let texts = ["token": "WorkerToken", "person": "Person"]

    init(_ wire: String, _ node: Node, isRequired: Bool, shapes: Node) throws(Mistake) {
        let shape = try ParameterShape(node, among: shapes), form = try shape.form()
        let name = try node["called"]?.text() ?? wire
        let text = form.type == "String" ? Self.texts[wire] : nil
        let usual = try shape.usual(form), absent = try node["absent"].map { (node) throws(Mistake) in try Self.absent(node, text) }

        self.name = name
        self.isRequired = isRequired
        self.usual = absent ?? usual?.code ?? (form.type.hasPrefix("Patch<") ? ".unchanged" : nil)
        if isRequired, self.usual != nil { throw node.mistake("a parameter that must be there has no default") }
        about = try node.needed("title").text()
        type = text ?? form.type
        words = form.words
        mostBytes = node["x-maxBytes"]?.value.int

        var value = absent.map { "value.flatMap { $0.\(name) == \($0) ? nil : $0.\(name) }" } ?? "value?.\(name)"
        if text != nil { value += isRequired ? ".text" : "?.text" }
        if form.isOutput { value += ".map { .set($0) }" }
        let call = "p.\(form.method)(\"\(wire)\", \(value)\(form.arguments)\(usual.map { ", default: \($0.bound)" } ?? ""))"
        var coded = "try " + (isRequired ? "p.required(\"\(wire)\", \(call))" : call)
        if form.isOutput { coded += ".value" }
        if let text { coded = isRequired ? "\(text)(\(coded))" : "\(coded).map { \(text)($0) }" }
        self.coded = coded + (absent.map { " ?? \($0)" } ?? "")
    }

    /// A value that stands for a missing one, and is not sent.
    private static func absent(_ node: Node, _ text: String?) throws(Mistake) -> String {
        guard let code = node.value.code else { throw node.mistake("there is no such value in Swift") }
        return text.map { "\($0)(\(code))" } ?? code
    }

    /// A group, by its name.
    init(group name: String, _ members: [Node], at node: Node) throws(Mistake) {
        self.name = name
        about = try members.first?["title"]?.text() ?? name
        words = []
        mostBytes = nil
        switch name {
        case "page":
            let limit = members.first { $0.member.hasSuffix(".limit") }?["default"]?.value.int ?? 100
            (type, usual, isRequired) = ("LibraryRequest.Page", "LibraryRequest.Page(limit: \(limit))", false)
            coded = "try p.page(value?.page, usual: \(limit))"
        case "place": (type, usual, isRequired, coded) = ("Place", ".end", false, "try p.place(value?.place)")
        case "anchor": (type, usual, isRequired, coded) = ("Place", nil, true, "try p.anchor(value?.anchor)")
        case "login": (type, usual, isRequired, coded) = ("SourceLogin", "SourceLogin()", false, "try p.login(value?.login)")
        case "cell": (type, usual, isRequired, coded) = ("ClipPlace", nil, true, "try p.cell(value?.cell)")
        default: throw node.mistake("there is no such group")
        }
    }
}

extension JSON {
    /// The value in Swift, where it is one of few simple ones.
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
