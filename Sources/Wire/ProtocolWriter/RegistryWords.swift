/// Error codes and reasons in Swift, from their registries.
struct RegistryWords {
    private let codes, reasons: [Node]

    /// `files` are the bytes of each file by its path below `Protocol`.
    init(_ files: [String: [UInt8]]) throws(Mistake) {
        func entries(_ path: String) throws(Mistake) -> [Node] { try Node(path, files[path] ?? []).needed("entries").elements() }
        (codes, reasons) = (try entries("registries/errors.json"), try entries("registries/reasons.json"))
    }

    var text: String {
        get throws(Mistake) {
            """

            /// The error codes of the protocol. A code never changes its meaning. Clients translate by code, so the sentence beside it
            /// may change at any time.
            public enum ErrorCode: String, Sendable, CaseIterable {
            \(try cases(codes))
                /// Whether the same command may succeed later, unchanged.
                public var retry: Bool {
                    switch self {
                    case \(try again.joined(separator: ", ")): true
                    default: false
                    }
                }

                /// The status of an answer by HTTP that carries it.
                package var status: Int {
                    switch self {
            \(try statuses)        }
                }
            }

            /// The subjects of errors and problems, for clients that say it in their own words.
            public enum ReasonWord: String, Sendable, CaseIterable {
            \(try cases(reasons))}

            """
        }
    }

    private func cases(_ entries: [Node]) throws(Mistake) -> String {
        var text = ""
        for entry in entries {
            let word = try entry.needed("name").text()
            text += "    /// \(try entry.needed("about").text())\n    case \(Names.marked(Names.word(word))) = \"\(word)\"\n"
        }
        return text
    }

    private var again: [String] {
        get throws(Mistake) {
            var words: [String] = []
            for code in codes where try code.needed("retry").value == .int(1) {
                words.append(".\(Names.word(try code.needed("name").text()))")
            }
            return words
        }
    }

    private var statuses: String {
        get throws(Mistake) {
            var text = ""
            for code in codes {
                let status = try code.needed("http")
                guard let number = status.value.int, (400...599).contains(number) else { throw status.mistake("it must be 400 to 599") }
                text += "        case .\(Names.word(try code.needed("name").text())): \(number)\n"
            }
            return text
        }
    }
}
