import BatonJSON

/// A parameter with the keywords of its shape in `common.json`: the method of `Fields` that reads it, and its Swift type.
struct ParameterShape {
    /// The way in which it is read.
    struct Form {
        var type: String
        /// The method of `Fields` in BatonWire, and its arguments behind the name.
        var method: String
        var arguments = ""
        /// The type that wraps the text.
        var wrapper: String?
        var isOutput = false
        var words: [String] = []

        var isChoice: Bool { method == "choice" }
        /// Whether the value can also be left unchanged or removed.
        var isPatch: Bool { type.hasPrefix("Patch<") }
    }

    private let schema: Schema
    private var node: Node { schema.node }
    private var reference: String? { schema.reference }

    init(_ node: Node, among shapes: Node) throws(Mistake) { schema = try Schema(node, among: shapes) }

    private subscript(keyword: String) -> JSON? { schema[keyword]?.value }

    func form() throws(Mistake) -> Form {
        var form = try unwrapped()
        if form.type == "String", let type = try schema.type() { (form.type, form.wrapper) = (type, type) }
        return form
    }

    private func unwrapped() throws(Mistake) -> Form {
        if let reference {
            if self["enum"] != nil, let type = try schema.type() { return Form(type: type, method: "choice") }
            if let type = Self.known[reference] { return Form(type: type, method: reference) }
            if reference == "output" { return Form(type: "String", method: "output", isOutput: true) }
            if reference == "outputOrNull" { return Form(type: "Patch<String>", method: "output") }
        }
        if let words = self["enum"]?.array?.compactMap(\.string) {
            let name = node.member.split(separator: ".").last.map(String.init) ?? ""
            return Form(type: Names.capitalised(name), method: "choice", words: words)
        }
        switch self["type"]?.string {
        case "integer":
            return Form(type: "Int", method: "int", arguments: ", in: \(try int("minimum"))...\(try most("maximum"))")
        case "boolean": return Form(type: "Bool", method: "bool")
        case "string":
            let pattern = self["pattern"]?.string
            if let match = pattern?.wholeMatch(of: /\^\[A-Za-z0-9_-\]\{(\d+),(\d+)\}\$/) {
                return Form(type: "String", method: "token", arguments: ", length: \(match.1)...\(match.2)")
            }
            // A text that is not as its pattern says is judged by what it names, so its reader bounds the length alone.
            if pattern == nil || self["x-maxBytes"] != nil {
                return Form(type: "String", method: "string", arguments: ", bytes: \(try bytes())")
            }
        case "array":
            if let form = try list() { return form }
        default: break
        }
        throw node.mistake("no coder knows this shape")
    }

    /// How many bytes a text may have.
    private func bytes() throws(Mistake) -> String { "\(self["minLength"]?.int ?? 0)...\(try int("x-maxBytes"))" }

    /// Texts or numbers that have no name in `common.json`.
    private func plainList(_ items: ParameterShape) throws(Mistake) -> Form? {
        let count = "count: \(self["minItems"]?.int ?? 0)...\(try int("maxItems"))"
        switch items["type"]?.string {
        case "string": return Form(type: "[String]", method: "strings", arguments: ", \(count), bytes: \(try items.bytes())")
        case "integer":
            let bounds = "\(try items.int("minimum"))...\(try items.int("maximum"))", noun = items["title"]?.string ?? "a number"
            return Form(type: "[Int]", method: "ints", arguments: ", \(count), in: \(bounds), of: \"\(noun)\"")
        default: return nil
        }
    }

    private func list() throws(Mistake) -> Form? {
        let element = self["items"]?["$ref"]?.string?.split(separator: "/").last.map(String.init) ?? ""
        switch element {
        case "entry": return Form(type: "[EntryID]", method: "entries", arguments: ", count: 1...\(try most("maxItems"))")
        case "uri": return Form(type: "[ItemURI]", method: "uris", arguments: ", limits")
        case "station": return Form(type: "[Station]", method: "stations")
        case "listOp": return Form(type: "[PlaylistOp]", method: "edits", arguments: ", limits")
        case "room": return Form(type: "[RoomID]", method: "rooms")
        case "section": return Form(type: "SectionSet", method: "sections")
        case "":
            guard let items = node["items"] else { return nil }
            return try plainList(ParameterShape(items, among: schema.shapes))
        default:
            guard let items = node["items"], let type = try schema.inner(items).type(),
                let noun = try schema.shapes[element]?["title"]?.text()
            else { return nil }
            return Form(type: "[\(type)]", method: "choices", arguments: ", of: \"\(noun)\"")
        }
    }

    /// The default for a missing value. A default that is a configurable limit is read from the limits.
    func usual(_ form: Form) throws(Mistake) -> (code: String, bound: String)? {
        guard let usual = node["default"] else { return nil }
        let fits: Bool =
            switch usual.value {
            case .int(let value): value >= self["minimum"]?.int ?? 0 && value <= self["maximum"]?.int ?? .max
            case .bool: self["type"]?.string == "boolean"
            case .string: self["enum"]?.array?.contains(usual.value) == true
            default: false
            }
        guard fits, let code = form.isChoice ? usual.value.string.map({ ".\($0)" }) : usual.value.code else {
            throw usual.mistake("it is none of the values that the parameter may have")
        }
        return (code, try node["limit"] != nil && usual.value == self["maximum"] ? most("maximum") : code)
    }

    private func int(_ keyword: String) throws(Mistake) -> Int64 {
        guard let bound = self[keyword]?.int else { throw node.mistake("\(keyword) is missing") }
        return bound
    }

    /// An upper bound, which a hub's configuration may change.
    private func most(_ keyword: String) throws(Mistake) -> String {
        guard let limit = node["below"] ?? node["limit"] else { return "\(try int(keyword))" }
        guard let code = Self.limits[try limit.text()] else { throw limit.mistake("there is no such limit") }
        return node["below"] == nil ? code : "(\(code) - 1)"
    }

    /// Shapes that `Fields` reads by their names.
    private static let known = [
        "entry": "EntryID", "uri": "ItemURI", "personalName": "String", "sourceName": "String", "serverURL": "String", "folder": "String",
        "span": "ClosedRange<Int>", "rule": "SmartRule", "options": "[String: String]",
    ]

    /// Limits of a hub, as expressions in the code that reads.
    private static let limits = [
        "queueLength": "limits.queueLength", "queueWindow": "limits.queueWindow", "queueAdd": "limits.queueAdd",
        "playlistLength": "limits.playlistLength", "playlistOps": "limits.playlistOps", "elements": "limits.json.elements",
    ]
}
