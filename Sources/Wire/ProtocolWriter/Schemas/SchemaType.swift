import BatonJSON

/// The Swift type of an answer, a section, or an object inside one.
struct SchemaType {
    /// The purpose of the type.
    enum Use: Equatable {
        case answer, part
        /// A message, by the word that names it.
        case message(String)
        /// The case of `Section`.
        case section(String)
    }

    /// The name, prefixed by the outermost type, in which all others of a file are declared.
    let name: String
    let outer: String
    let use: Use
    let comment: String
    private(set) var members: [SchemaMember] = []
    /// Enumerations that only this type has.
    private(set) var words: [(name: String, type: String, cases: [String], comment: String)] = []
    /// Minimum number of elements, for a type that is a list on the wire and not an object.
    private(set) var least: Int?
    /// Members of which at least one is required.
    private(set) var alternatives: [String] = []
    /// Objects inside of it, each declared in the outermost type.
    private(set) var parts: [SchemaType] = []
    /// Values that several members are parts of.
    private(set) var values: [Value] = []
    /// Whether a section is the answer of a query too, which reads on where the section was cut.
    var isListed = false
    /// The member without which it is empty.
    let key: String?
    /// Whether the type is not written by hand, and neither is the code that writes it as JSON.
    let isDeclared, hasWriter: Bool
    /// Whether it is a text on the wire, and no object.
    let isText: Bool
    /// Whether only this package needs it, whether its reader refuses what does not fit, and whether programs of others make it.
    let isOfPackage, isStrict, isMade: Bool

    /// A value of programs that members of the object stand for.
    struct Value { let name, type, comment: String }

    init(_ schema: Schema, named name: String, in outer: String? = nil, for use: Use) throws(Mistake) {
        (self.name, self.outer, self.use) = (name, outer ?? name, use)
        comment = try schema.comment("")
        isDeclared = schema["x-type"] == nil
        hasWriter = schema["x-writer"] == nil
        isStrict = try schema.node.isFlag("x-strict")
        isOfPackage = try schema.node.isFlag("x-package")
        isMade = try schema.node.isFlag("x-public")
        key = try schema["x-key"]?.text()
        for (name, node) in try schema["x-values"]?.members() ?? [] {
            values.append(Value(name: name, type: try node.needed("type").text(), comment: try schema.inner(node).comment))
        }
        isText = schema["properties"] == nil && schema["type"]?.value.string == "string"
        if isText {
            let name = try schema.node.needed("x-pair").elements().first?.text()
            members = [try SchemaMember("", schema, of: name ?? "", named: name, isRequired: true)]
        } else if let places = schema["prefixItems"] {
            try read(places: places, schema)
        } else {
            try read(members: schema)
        }
        for list in members {
            guard let counter = list.counter else { continue }
            guard let place = members.firstIndex(where: { $0.wire == counter }) else {
                throw list.node.mistake("x-more names no member")
            }
            members[place] = members[place].counting(list)
        }
        if hasWriter, members.count(where: { $0.spare != nil }) > 1 || members.count(where: \.isMain) > 1 {
            throw schema.node.mistake("only one list may be called rows, or have x-page")
        }
        if use == .part, isPaged { throw schema.node.mistake("x-page stands at a list of an answer or a section itself") }
    }

    private mutating func read(members schema: Schema) throws(Mistake) {
        var required: Set<String> = []
        guard let properties = schema["properties"] else { throw schema.node.mistake("properties is missing") }
        for element in try schema["required"]?.elements() ?? [] {
            guard properties[try element.text()] != nil else { throw element.mistake("there is no such member") }
            required.insert(try element.text())
        }
        for element in try schema["x-required"]?.elements() ?? [] { required.insert(try element.text()) }
        for form in try schema["anyOf"]?.elements() ?? [] {
            let members = try form.needed("required").elements()
            guard members.count == 1, let member = try members.first?.text(), properties[member] != nil else {
                throw form.mistake("each form requires one member")
            }
            alternatives.append(member)
        }
        let inline = try schema["x-inline"]?.members().first
        let shape = try inline.map { (inline) throws(Mistake) in try schema.inner(inline.node) }
        if let shape, shape["properties"] == nil { throw shape.node.mistake("it must be a shape with members") }
        for (wire, node) in try properties.members() {
            if let inline, let shape, shape["properties"]?[wire] != nil {
                guard !members.contains(where: { $0.name == inline.name }) else { continue }
                let type = Names.capitalised(try (shape["x-type"] ?? shape["called"])?.text() ?? "")
                members.append(SchemaMember(inline.name, inline: type, comment: try shape.comment, shape))
                continue
            }
            // The name of a message, and the sections inside of it, are no values of its type.
            if use.isMessage, wire == "t" || node["$ref"]?.value.string?.hasSuffix(".json") == true { continue }
            let inner = try schema.inner(node)
            // An object of which nothing is said is for later versions.
            if inner["type"]?.value.string == "object", inner["properties"] == nil, inner["x-type"] == nil,
                inner["patternProperties"] == nil
            {
                continue
            }
            var member = try SchemaMember(wire, inner, of: outer, isRequired: required.contains(wire))
            if isStrict { member = try member.strict(among: schema.shapes) }
            if let value = member.value, !values.contains(where: { $0.name == value }) { throw node.mistake("x-values has no \(value)") }
            members.append(member)
            try add(inner, of: member.shape)
        }
    }

    private mutating func read(places: Node, _ schema: Schema) throws(Mistake) {
        let names = try schema.node.needed("x-pair").elements(), nodes = try places.elements()
        guard names.count == nodes.count else { throw schema.node.mistake("x-pair must name each of prefixItems") }
        let least = Int(try schema.int("minItems") ?? 0)
        self.least = least
        for (place, node) in nodes.enumerated() {
            let inner = try schema.inner(node)
            let member = try SchemaMember("\(place)", inner, of: outer, named: names[place].text(), isRequired: place < least)
            members.append(member)
            try add(inner, of: member.shape)
        }
    }

    /// Adds the types that a member needs.
    private mutating func add(_ schema: Schema, of shape: Shape) throws(Mistake) {
        switch shape.form {
        case .list(let element): if let items = schema["items"] { try add(schema.inner(items), of: element) }
        case .object where schema.node["properties"] != nil && schema["x-hand"] == nil:
            let part = try SchemaType(schema, named: shape.type, in: outer, for: .part)
            parts += [part.alone] + part.parts
            words += part.words
        case .word where schema.node["enum"] != nil && schema["x-type"] == nil:
            words.append((String(shape.type.dropFirst(outer.count + 1)), "String", try schema.cases(), try schema.comment("    ")))
        case .code:
            words.append((String(shape.type.dropFirst(outer.count + 1)), "Int", try schema.cases(), try schema.comment("    ")))
        default: break
        }
    }

    /// Adds the members of another schema of the same type, in their order. Returns false if the two differ in a member that both have, or if
    /// one requires a member that the other lacks.
    mutating func join(_ other: SchemaType) -> Bool {
        let shared = members.filter { member in other.members.contains { $0.wire == member.wire } }
        let same = other.members.filter { member in members.contains { $0.wire == member.wire } }
        let needed = (members + other.members).filter(\.isRequired).map(\.wire)
        guard shared.map(\.wire) == same.map(\.wire), shared.map(\.argument) == same.map(\.argument),
            needed.allSatisfy(shared.map(\.wire).contains)
        else { return false }
        var place = 0
        for member in other.members {
            let known = members.firstIndex { $0.wire == member.wire }
            if known == nil { members.insert(member, at: place) }
            place = (known ?? place) + 1
        }
        parts += other.parts.filter { part in !parts.contains { $0.name == part.name } }
        return true
    }

    /// The type without the types inside of it.
    private var alone: SchemaType {
        var copy = self
        (copy.parts, copy.words) = ([], [])
        return copy
    }

    /// Whether a list in it ends at the limit of its page.
    var isPaged: Bool { members.contains { $0.spare != nil } }

    /// Members in the order of an initialiser: the list first, then the count of its rest.
    var arguments: [SchemaMember] {
        guard let list = members.first(where: \.isMain) else { return members }
        let counters = members.filter { $0.wire == list.counter }
        return [list] + counters + members.filter { !$0.isMain && $0.wire != list.counter }
    }
}
