/// The types and codecs of all answers and sections that have regular ones.
struct SchemaFiles {
    private var types: [SchemaType] = []

    /// `files` are the bytes of each file by its path below `Protocol`.
    init(_ files: [String: [UInt8]]) throws(Mistake) {
        let shapes = try Node("schema/v1/common.json", files["schema/v1/common.json"] ?? []).needed("$defs")
        for (path, bytes) in files.sorted(by: { $0.key < $1.key }) {
            let isSection = path.hasPrefix("schema/v1/section/")
            guard isSection || path.hasPrefix("schema/v1/hub/data/") else { continue }
            let file = try Node(path, bytes)
            guard let called = try file["called"]?.text() else { continue }
            let schema = try Schema(file, among: shapes)
            let name = Names.capitalised(called)
            let type = isSection && !called.hasPrefix("watch") ? name + "Section" : name
            try add(SchemaType(schema, named: type, for: isSection ? .section(called) : .answer), at: file)
        }
    }

    /// Several commands may have one answer; it has all members that it has in one of them.
    private mutating func add(_ type: SchemaType, at file: Node) throws(Mistake) {
        guard let place = types.firstIndex(where: { $0.name == type.name }) else { return types.append(type) }
        let known = types[place].members.map(\.wire), new = type.members.map(\.wire)
        guard known.filter(new.contains) == (known.count < new.count ? known : new) else {
            throw file.mistake("it has other members than another schema that is called so")
        }
        if new.count > known.count { types[place] = type }
    }

    private static let head = "// Written by ProtocolWriter from the schemas of answers and sections in Protocol/schema/v1; edit those.\n"

    /// For BatonProtocol.
    var declarations: String { Self.head + "public import BatonCore\n" + types.map { "\n\($0.declaration)" }.joined() }

    /// For BatonWire.
    var codecs: String { Self.head + "import BatonCore\npackage import BatonProtocol\n" + types.map { "\n\($0.codec)" }.joined() }
}
