/// One command, as its file in `Protocol/commands` says it.
struct Definition: Equatable {
    let name: String
    /// A sentence about it.
    let about: String
    /// The cases of `CommandDefinition` in Swift.
    let `class`, role, keys, order: String
    let since: Int
    let isOfPerson, isReserved, controls, isOfRoom, namesPlaylists: Bool

    private static let classes = ["A": "absolute", "G": "guarded", "K": "keyed", "Q": "query"]
    private static let roles = ["listener": "listener", "guest": "guest", "remote": "remote", "admin": "admin"]
    private static let tables = ["shared": "shared", "apart": "apart", "none": "none"]
    private static let orders = ["servers": "ofServers", "none": "none"]

    private static let all: Set = ["name", "about", "class", "role", "since"]
    /// Members that a command has beside those when it is built. `Protocol/tools` reads more of them than this program.
    private static let built: Set = [
        "keys", "order", "person", "controls", "ofRoom", "privacy", "parameters", "required", "forms", "groups", "checks", "keyedWith",
        "reservedParameters", "result", "errors", "notes", "examples", "rules",
    ]

    /// The commands in the order of the registry. `files` are the bytes of each file by its path below `Protocol`.
    static func all(in files: [String: [UInt8]]) throws(Mistake) -> [Definition] {
        let registry = try Node("registries/commands.json", files["registries/commands.json"] ?? [])
        var definitions: [Definition] = [], left = files
        left["registries/commands.json"] = nil
        for group in try registry.needed("groups").elements() {
            for element in try group.needed("commands").elements() {
                let name = try element.text()
                guard let bytes = left.removeValue(forKey: "commands/\(name).json") else {
                    throw element.mistake("commands/\(name).json is missing, or named twice")
                }
                definitions.append(try Definition(Node("commands/\(name).json", bytes), named: name))
            }
        }
        if let file = left.keys.min() { throw Mistake(file: file, member: "", reason: "registries/commands.json must name it in a group") }
        return definitions
    }

    private init(_ file: Node, named name: String) throws(Mistake) {
        let written = try file.needed("name")
        guard try written.text() == name else { throw written.mistake("it must be \(name), as the file is called") }
        self.name = name
        about = try file.needed("about").text()
        `class` = try file.needed("class").word(Self.classes)
        role = try file.needed("role").word(Self.roles)
        keys = try file["keys"]?.word(Self.tables) ?? "shared"
        order = try file["order"]?.word(Self.orders) ?? "ofRooms"
        let change = try file.needed("since")
        guard let number = Int(try change.text().prefix(4)) else { throw change.mistake("it must be the name of a page in changes") }
        since = number
        isReserved = try file.isFlag("reserved")
        controls = try file.isFlag("controls")
        isOfRoom = try file.isFlag("ofRoom")
        namesPlaylists = try file.isFlag("privacy")
        let isUsual = `class` != "query"
        if let person = file["person"], person.value != .bool(!isUsual) {
            throw person.mistake("it must be \(!isUsual) for a command of this class, or left out")
        }
        isOfPerson = (file["person"] != nil) != isUsual
        for (member, node) in try file.members() where !Self.all.contains(member) && member != "reserved" {
            guard Self.built.contains(member) else { throw node.mistake("there is no such member") }
            if isReserved { throw node.mistake("a command that is reserved has none") }
        }
    }
}
