/// Types and codecs of all answers and sections that can be generated.
struct SchemaFiles {
    private var types: [SchemaType] = []
    private var names: [SchemaName] = []
    /// Types inside of types that are written by hand.
    private var parts: [SchemaType] = []
    private let shapes: Node

    /// `files` are the bytes of each file by its path below `Protocol`.
    init(_ files: [String: [UInt8]]) throws(Mistake) {
        shapes = try Node("schema/v1/common.json", files["schema/v1/common.json"] ?? []).needed("$defs")
        for (_, shape) in try shapes.members() {
            guard let called = try (shape["called"] ?? shape["x-type"])?.text(), shape["x-hand"] == nil else { continue }
            let schema = try Schema(shape, among: shapes), name = Names.capitalised(called)
            guard schema["enum"] == nil else {
                names.append(SchemaName(name: name, words: try schema.cases(), comment: try schema.comment("")))
                continue
            }
            types.append(try SchemaType(schema, named: name, for: .part))
        }
        for (path, bytes) in files.sorted(by: { $0.key < $1.key }) {
            if path.hasPrefix("schema/v1/client/") || (path.hasPrefix("schema/v1/hub/") && !path.hasPrefix("schema/v1/hub/data/")) {
                let file = try Node(path, bytes)
                for form in try file["oneOf"]?.elements() ?? [file] { try add(message: form) }
                continue
            }
            let isSection = path.hasPrefix("schema/v1/section/")
            guard isSection || path.hasPrefix("schema/v1/hub/data/") else { continue }
            let file = try Node(path, bytes), called = try file["called"]?.text()
            let type = called.map { Names.capitalised($0) + (isSection && !$0.hasPrefix("watch") ? "Section" : "") }
            if file["x-hand"] != nil {
                try add(partsOf: file, in: type)
            } else if let called, let type {
                try add(SchemaType(Schema(file, among: shapes), named: type, for: isSection ? .section(called) : .answer), at: file)
            } else if file["$ref"] == nil {
                throw file.mistake("it must be called something, or say why its code is written by hand")
            }
        }
    }

    /// Adds a message, or a form of one, that is called something.
    private mutating func add(message node: Node) throws(Mistake) {
        guard let called = try (node["x-type"] ?? node["called"])?.text() else { return }
        let type = try node.needed("properties").needed("t").needed("const").text()
        types.append(try SchemaType(Schema(node, among: shapes), named: Names.capitalised(called), for: .message(type)))
    }

    /// Adds the objects inside of one that is written by hand, where they are called something. `outer` is its type.
    private mutating func add(partsOf node: Node, in outer: String?) throws(Mistake) {
        let forms = try node["oneOf"]?.elements() ?? []
        for form in [node] + forms {
            for (_, member) in try form["properties"]?.members() ?? [] {
                let value = member["items"] ?? member
                guard value["properties"] != nil else { continue }
                if value["x-hand"] != nil {
                    try add(partsOf: value, in: value["x-type"]?.text())
                    continue
                }
                guard let called = try (value["x-type"] ?? value["called"])?.text() else { continue }
                let name = value["x-type"] == nil ? "\(outer ?? "").\(Names.capitalised(called))" : called
                guard value["x-type"] != nil || outer != nil, !parts.contains(where: { $0.name == name }) else { continue }
                parts.append(try SchemaType(Schema(value, among: shapes), named: name, in: outer, for: .part))
            }
        }
    }

    /// Adds a type. Several commands may share one answer, which then has the members of all of them.
    private mutating func add(_ type: SchemaType, at file: Node) throws(Mistake) {
        guard let place = types.firstIndex(where: { $0.name == type.name }) else { return types.append(type) }
        let known = types[place].members.map(\.wire), new = type.members.map(\.wire)
        let isSame = type.members.allSatisfy { member in
            types[place].members.allSatisfy { $0.wire != member.wire || $0.argument == member.argument }
        }
        guard isSame, known.filter(new.contains) == (known.count < new.count ? known : new) else {
            throw file.mistake("it has other members than another schema that is called so")
        }
        if new.count > known.count { types[place] = type }
    }

    private static let head = "// Written by ProtocolWriter from the schemas of answers and sections in Protocol/schema/v1; edit those.\n"

    /// Code for BatonProtocol.
    var declarations: String {
        Self.head + "public import BatonCore\n"
            + (names.map(\.declaration) + types.map(\.declaration) + parts.map(\.inside)).map { "\n\($0)" }.joined()
    }

    /// Code for BatonWire.
    var codecs: String {
        Self.head + "import BatonCore\npackage import BatonProtocol\n" + (types + parts).map { "\n\($0.codec)" }.joined()
    }
}
