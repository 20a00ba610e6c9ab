/// An enumeration of words in Swift, with a case for unknown words.
struct SchemaName {
    let name: String
    let words: [String]
    let comment: String

    var declaration: String {
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
