/// Types and codecs of all answers and sections that can be generated.
struct SchemaFiles {
    private var types: [SchemaType] = []
    private var names: [SchemaName] = []
    private let shapes: Node

    /// `files` are the bytes of each file by its path below `Protocol`.
    init(_ files: [String: [UInt8]]) throws(Mistake) {
        shapes = try Node("schema/v1/common.json", files["schema/v1/common.json"] ?? []).needed("$defs")
        for (_, shape) in try shapes.members() {
            let schema = try Schema(shape, among: shapes)
            if let called = try shape["called"]?.text(), shape["enum"] != nil {
                names.append(try SchemaName(schema, named: Names.capitalised(called)))
            } else if let name = try (shape["called"] ?? shape["x-type"])?.text(), shape["properties"] != nil, shape["x-hand"] == nil {
                types.append(try SchemaType(schema, named: Names.capitalised(name), for: .part))
            }
        }
        let listed = try Self.listed(files)
        for (path, bytes) in files.sorted(by: { $0.key < $1.key }) {
            if path.hasPrefix("schema/v1/client/") || (path.hasPrefix("schema/v1/hub/") && !path.hasPrefix("schema/v1/hub/data/")) {
                let file = try Node(path, bytes)
                for form in [file] + (try file["oneOf"]?.elements() ?? []) { try add(message: form) }
                continue
            }
            let isSection = path.hasPrefix("schema/v1/section/")
            guard isSection || path.hasPrefix("schema/v1/hub/data/") else { continue }
            let file = try Node(path, bytes)
            guard file["x-hand"] == nil, file["$ref"] == nil else { continue }
            guard let called = try file["called"]?.text() else {
                throw file.mistake("it must be called something, or say why its code is written by hand")
            }
            let type = Names.capitalised(called) + (isSection && !called.hasPrefix("watch") ? "Section" : "")
            var shape = try SchemaType(Schema(file, among: shapes), named: type, for: isSection ? .section(called) : .answer)
            shape.isListed = listed.contains(path)
            try add(shape, at: file)
        }
    }

    /// The files of the sections that queries answer.
    private static func listed(_ files: [String: [UInt8]]) throws(Mistake) -> Set<String> {
        var paths: Set<String> = []
        for (path, bytes) in files where path.hasPrefix("schema/v1/hub/data/") {
            let file = try Node(path, bytes)
            for form in [file] + (try file["anyOf"]?.elements() ?? []) {
                guard let reference = try form["$ref"]?.text(), reference.hasPrefix("../../section/") else { continue }
                paths.insert("schema/v1/" + reference.dropFirst("../../".count))
            }
        }
        return paths
    }

    /// Adds a message, or a form of one, that is called something.
    private mutating func add(message node: Node) throws(Mistake) {
        guard let called = try (node["x-type"] ?? node["called"])?.text() else { return }
        let type = try node.needed("properties").needed("t").needed("const").text()
        types.append(try SchemaType(Schema(node, among: shapes), named: Names.capitalised(called), for: .message(type)))
    }

    /// Adds a type. Several commands may share one answer, which then has the members of all of them.
    private mutating func add(_ type: SchemaType, at file: Node) throws(Mistake) {
        guard let place = types.firstIndex(where: { $0.name == type.name }) else { return types.append(type) }
        guard types[place].join(type) else { throw file.mistake("it has other members than another schema that is called so") }
    }

    private static let head = "// Written by ProtocolWriter from the schemas of answers and sections in Protocol/schema/v1; edit those.\n"

    /// Code for BatonProtocol.
    var declarations: String {
        Self.head + "public import BatonCore\n"
            + (names.map(\.declaration) + types.map(\.declaration)).map { "\n\($0)" }.joined()
    }

    /// Code for BatonWire.
    var codecs: String {
        Self.head + "import BatonCore\npackage import BatonProtocol\n" + types.map { "\n\($0.codec)" }.joined()
    }
}
