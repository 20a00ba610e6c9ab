/// One thing that is kept for a person, as it is exported: its kind, and what belongs to it by name.
public struct PersonRow: Equatable, Sendable {
    /// What stands in one place of a row.
    public enum Value: Equatable, Sendable {
        case text(String)
        case number(Int64)
        case yes(Bool)
    }

    /// One name with its value.
    public struct Member: Equatable, Sendable {
        public var name: String
        public var value: Value

        public init(_ name: String, _ value: Value) {
            self.name = name
            self.value = value
        }
    }

    public var kind: String
    public var members: [Member]

    public init(_ kind: String, _ members: [Member] = []) {
        self.kind = kind
        self.members = members
    }

    /// A copy with one more member; a text that is missing or empty adds none.
    package func adding(_ name: String, _ text: String?) -> PersonRow {
        guard let text, !text.isEmpty else { return self }
        return PersonRow(kind, members + [Member(name, .text(text))])
    }

    package func adding(_ name: String, _ number: Int64) -> PersonRow {
        PersonRow(kind, members + [Member(name, .number(number))])
    }
}
