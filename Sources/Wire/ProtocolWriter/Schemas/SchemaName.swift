/// An enumeration of words in Swift, with a case for unknown words unless its readers refuse them.
struct SchemaName {
    private let name, comment: String
    private let words: [String]
    private let isStrict: Bool

    init(_ schema: Schema, named name: String) throws(Mistake) {
        (self.name, words, comment) = (name, try schema.cases(), try schema.comment(""))
        isStrict = try schema.node.isFlag("x-strict")
    }

    var declaration: String {
        if isStrict {
            let cases = words.map(Names.marked).joined(separator: ", ")
            return "\(comment)public enum \(name): String, Sendable, CaseIterable { case \(cases) }\n"
        }
        let reading = words.map { "        case \"\($0)\": .\($0)\n" }.joined(),
            writing = words.map { "        case .\($0): \"\($0)\"\n" }.joined()
        return """
            \(comment)public enum \(name): Equatable, Sendable {
                case \(words.joined(separator: ", "))
                /// It comes from a newer hub.
                case unrecognised(String)

                package init(name: String) {
                    self = switch name {
            \(reading)        default: .unrecognised(name)
                    }
                }

                public var name: String {
                    switch self {
            \(writing)        case .unrecognised(let name): name
                    }
                }
            }

            """
    }
}
