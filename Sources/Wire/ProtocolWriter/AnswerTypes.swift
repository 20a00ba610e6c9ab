/// The types of answers that carry something: each passes itself to a codec under its own type.
struct AnswerTypes {
    private let definitions: [Definition]
    /// In the order in which the commands name them first.
    private let names: [String]

    init(_ definitions: [Definition]) {
        self.definitions = definitions
        var seen: Set<String> = []
        names = definitions.compactMap(\.answer).filter { seen.insert($0).inserted }
    }

    /// For BatonProtocol.
    var declarations: String {
        """

        /// A codec of answers.
        package protocol ReplyWriter: ~Copyable {
        \(names.map { "    mutating func write(_ content: \($0), bytes: Int)" }.joined(separator: "\n"))
        }

        """ + names.map(declaration).joined()
    }

    private func declaration(_ name: String) -> String {
        """

        extension \(name): ReplyContent {
            package func write(to writer: inout some ReplyWriter & ~Copyable, bytes: Int) { writer.write(self, bytes: bytes) }
        }

        """
    }

    /// For BatonWire.
    var codecs: String {
        """

        extension CommandKind {
            /// The type of what its answer carries; `nil` where the outcome says everything.
            package var content: (any AnswerCoding.Type)? {
                switch self {
        \(definitions.compactMap(row).joined(separator: "\n"))
                default: nil
                }
            }
        }

        \(names.map { "extension \($0): AnswerCoding {}" }.joined(separator: "\n"))

        """
    }

    private func row(_ command: Definition) -> String? {
        command.answer.map { "        case .\(Names.kind(of: command.name)): \($0).self" }
    }
}
