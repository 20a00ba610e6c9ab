import BatonJSON

/// A schema of an answer, a section, or a member of one, with the keywords of its shape in `common.json`.
struct Schema {
    let node: Node
    /// The name of the shape.
    let reference: String?
    private let shared: Node?
    let shapes: Node

    init(_ node: Node, among shapes: Node) throws(Mistake) {
        (self.node, self.shapes) = (node, shapes)
        reference = try node["$ref"]?.text().split(separator: "/").last.map(String.init)
        shared = reference.flatMap { shapes[$0] }
        if let reference, shared == nil { throw node.mistake("common.json has no shape \(reference)") }
    }

    subscript(keyword: String) -> Node? { node[keyword] ?? shared?[keyword] }

    /// A schema inside of this one.
    func inner(_ node: Node) throws(Mistake) -> Schema { try Schema(node, among: shapes) }

    /// The name for programs.
    func called() throws(Mistake) -> String? { try node["called"]?.text() }

    /// The name for programs of its shape.
    func shapeName() throws(Mistake) -> String? { try shared?["called"]?.text() }

    /// The type of its shape, if that is a text: one that is written by hand, or an enumeration without other words.
    func type() throws(Mistake) -> String? {
        guard let shared, shared["properties"] == nil else { return nil }
        if try shared.isFlag("x-strict"), let called = try shared["called"]?.text() { return Names.capitalised(called) }
        return try shared["x-type"]?.text()
    }

    /// The sentence about a member, as a comment.
    var comment: String { get throws(Mistake) { try Self.comment(node["title"], "    ") } }

    /// The sentence about a type, as a comment.
    func comment(_ indent: String) throws(Mistake) -> String { try Self.comment(node["description"] ?? node["title"], indent) }

    private static func comment(_ node: Node?, _ indent: String) throws(Mistake) -> String {
        guard let text = try node?.text() else { return "" }
        return "\(indent)/// \(text)\n"
    }

    func int(_ keyword: String) throws(Mistake) -> Int64? {
        guard let bound = self[keyword] else { return nil }
        guard let value = bound.value.int else { throw bound.mistake("it must be a whole number") }
        return value
    }

    /// The cases of an enumeration in Swift: its words, or its numbers with the words of `x-words`.
    func cases() throws(Mistake) -> [String] {
        var cases: [String] = []
        let words = try self["x-words"]?.elements(), values = try self["enum"]?.elements() ?? []
        if let words, words.count != values.count { throw node.mistake("x-words must name each value of enum") }
        for (place, value) in values.enumerated() {
            guard let words else {
                cases.append(try value.text())
                continue
            }
            guard let number = value.value.int else { throw value.mistake("it must be a whole number") }
            cases.append("\(try words[place].text()) = \(number)")
        }
        return cases
    }
}
