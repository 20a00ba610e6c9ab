/// One command, read from its file in `Protocol/commands`.
struct Definition {
    let name: String
    /// Its description, as one sentence.
    let about: String
    /// Values of the facts of `CommandKind` in Swift.
    let `class`, role, keys, order: String
    /// The profile that it is of.
    let level: String
    let isOfPerson, controls, isOfRoom, isRoomless, namesPlaylists: Bool
    /// The parameters on the wire.
    private(set) var names: [String] = []
    /// Parameters in the order of the file; those of a group are one.
    private(set) var parameters: [Parameter] = []
    /// The parameter whose presence requires a key.
    private(set) var keyedWith: Parameter?
    /// The type of the data in its answer; `nil` if the outcome is all.
    private(set) var answer: String?
    /// Code that throws if parameters do not fit together.
    private(set) var checks: [String] = []

    private static let classes = ["A": "absolute", "G": "guarded", "K": "keyed", "Q": "query"]
    private static let roles = ["listener": "listener", "guest": "guest", "remote": "remote", "admin": "admin"]
    private static let tables = ["shared": "shared", "apart": "apart", "memory": "memory", "none": "none"]
    private static let orders = ["servers": "ofServers", "none": "none"]

    /// `Protocol/tools` reads more of them than this program.
    private static let all: Set = [
        "name", "about", "level", "class", "role", "keys", "order", "person", "controls", "ofRoom", "roomless", "privacy", "parameters",
        "required", "forms", "groups", "checks", "keyedWith", "result", "errors", "notes", "examples", "rules",
    ]

    /// The commands in the order of the registry. `files` are the bytes of each file by its path below `Protocol`.
    static func all(in files: [String: [UInt8]]) throws(Mistake) -> [Definition] {
        let registry = try Node("registries/commands.json", files["registries/commands.json"] ?? [])
        let shapes = try Node("schema/v1/common.json", files["schema/v1/common.json"] ?? []).needed("$defs")
        var definitions: [Definition] = [], left = files.filter { $0.key.hasPrefix("commands/") }
        for group in try registry.needed("groups").elements() {
            for element in try group.needed("commands").elements() {
                let name = try element.text()
                guard let bytes = left.removeValue(forKey: "commands/\(name).json") else {
                    throw element.mistake("commands/\(name).json is missing, or named twice")
                }
                definitions.append(try Definition(Node("commands/\(name).json", bytes), named: name, shapes))
            }
        }
        if let file = left.keys.min() { throw Mistake(file: file, member: "", reason: "registries/commands.json must name it in a group") }
        return definitions
    }

    /// Whether the parameter has a label in Swift. A required first one has none: `VolumeSet(40)`.
    func hasLabel(_ place: Int, _ parameter: Parameter) -> Bool { place > 0 || !parameter.isRequired || parameter.onlyWord != nil }

    private init(_ file: Node, named name: String, _ shapes: Node) throws(Mistake) {
        let written = try file.needed("name")
        guard try written.text() == name else { throw written.mistake("it must be \(name), as the file is called") }
        self.name = name
        about = try file.needed("about").text()
        level = try file.needed("level").text()
        `class` = try file.needed("class").word(Self.classes)
        role = try file.needed("role").word(Self.roles)
        keys = try file["keys"]?.word(Self.tables) ?? "shared"
        order = try file["order"]?.word(Self.orders) ?? "ofRooms"
        controls = try file.isFlag("controls")
        isOfRoom = try file.isFlag("ofRoom")
        isRoomless = try file.isFlag("roomless")
        namesPlaylists = try file.isFlag("privacy")
        let isUsual = `class` != "query"
        if let person = file["person"], person.value != .bool(!isUsual) {
            throw person.mistake("it must be \(!isUsual) for a command of this class, or left out")
        }
        isOfPerson = (file["person"] != nil) != isUsual
        for (member, node) in try file.members() where !Self.all.contains(member) { throw node.mistake("there is no such member") }
        try read(file, shapes)
    }

    private mutating func read(_ file: Node, _ shapes: Node) throws(Mistake) {
        answer = try file["result"]?["called"]?.text()
        let nodes = try file.needed("parameters").members()
        names = nodes.map(\.name)
        func found(_ element: Node) throws(Mistake) -> String {
            guard case let name = try element.text(), nodes.contains(where: { $0.name == name }) else {
                throw element.mistake("the command has no such parameter")
            }
            return name
        }
        var needed: Set<String> = [], groups: [String: (name: String, node: Node)] = [:]
        // For a command with several forms, only parameters that every form requires are required.
        for (place, form) in (try file["forms"]?.elements() ?? [file]).enumerated() {
            var required: Set<String> = []
            for element in try form["required"]?.elements() ?? [] { required.insert(try found(element)) }
            needed = place == 0 ? required : needed.intersection(required)
        }
        for (group, node) in try file["groups"]?.members() ?? [] {
            for element in try node.elements() {
                let name = try found(element)
                groups[name] = (group, node)
            }
        }
        var byWire: [String: Parameter] = [:], seen: Set<String> = []
        for (name, node) in nodes {
            let parameter: Parameter
            if let (group, place) = groups[name] {
                // Checks refer only to texts and numbers among the members of a group.
                byWire[name] = (try? Parameter(name, node, isRequired: false, shapes: shapes))?.inside(group)
                guard seen.insert(group).inserted else { continue }
                let members = nodes.filter { groups[$0.name]?.name == group }
                parameter = try Parameter(group: group, members, needed, at: place, shapes: shapes)
            } else {
                parameter = try Parameter(name, node, isRequired: needed.contains(name), shapes: shapes)
                byWire[name] = parameter
            }
            if parameters.contains(where: { $0.name == parameter.name }) { throw node.mistake("two are called \(parameter.name)") }
            parameters.append(parameter)
        }
        let check = CheckCode(parameters: byWire)
        for node in try file["checks"]?.elements() ?? [] { checks.append(try check.code(of: node)) }
        if let key = file["keyedWith"] { keyedWith = byWire[try found(key)] }
    }
}
