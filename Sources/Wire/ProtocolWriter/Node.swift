import BatonJSON

/// The reason why no code can be generated, and its place.
struct Mistake: Error, Equatable {
    /// Path of the file below `Protocol/`.
    let file: String
    /// The names on the path to it, joined by points; empty for the whole file.
    let member: String
    let reason: String

    /// The message in a compiler's format, so that editors find the file.
    var sentence: String { "\(file): error: \(member.isEmpty ? "" : "\(member): ")\(reason)." }
}

/// A value of a file, with its place.
struct Node {
    let file: String
    let member: String
    let value: JSON

    private init(_ value: JSON, of file: String, at member: String) {
        (self.value, self.file, self.member) = (value, file, member)
    }

    /// A whole file.
    init(_ file: String, _ bytes: [UInt8]) throws(Mistake) {
        var limits = JSONLimits()
        (limits.depth, limits.members, limits.stringBytes) = (32, 1000, 1 << 16)
        do throws(JSONFault) { self.init(try JSON.parse(bytes, limits: limits), of: file, at: "") } catch {
            throw Mistake(file: file, member: "", reason: String(error.sentence.dropLast()))
        }
        _ = try members()
    }

    subscript(name: String) -> Node? { value[name].map { Node($0, of: file, at: member.isEmpty ? name : "\(member).\(name)") } }

    func mistake(_ reason: String) -> Mistake { Mistake(file: file, member: member, reason: reason) }

    /// The members of an object, in their order.
    func members() throws(Mistake) -> [(name: String, node: Node)] {
        guard let object = value.object else { throw mistake("it must be an object") }
        return object.members.compactMap { member in self[member.name].map { (member.name, $0) } }
    }

    func elements() throws(Mistake) -> [Node] {
        guard let elements = value.array else { throw mistake("it must be a list") }
        return elements.enumerated().map { Node($1, of: file, at: "\(member)[\($0)]") }
    }

    func needed(_ name: String) throws(Mistake) -> Node {
        guard let node = self[name] else { throw mistake("\(name) is missing") }
        return node
    }

    func text() throws(Mistake) -> String {
        guard let text = value.string, !text.isEmpty, !text.contains("\n") else { throw mistake("it must be text of one line") }
        return text
    }

    /// Whether a flag is present; it must be `true`.
    func isFlag(_ name: String) throws(Mistake) -> Bool {
        guard let flag = self[name] else { return false }
        guard flag.value == .bool(true) else { throw flag.mistake("it is true or left out") }
        return true
    }

    /// The Swift word for one of a few words of the definition.
    func word(_ words: [String: String]) throws(Mistake) -> String {
        guard let word = words[try text()] else { throw mistake("it must be one of \(words.keys.sorted().joined(separator: ", "))") }
        return word
    }
}
