/// One exported record of a person's data: its kind and its named values.
public struct PersonRow: Equatable, Sendable {
    /// A value of one of the types that an export can hold.
    public enum Value: Equatable, Sendable {
        case text(String)
        /// A number, such as a time in milliseconds.
        case number(Int64)
        case yes(Bool)
    }

    /// A value with its name in the record.
    public struct Member: Equatable, Sendable {
        /// The name of the member in the exported JSON.
        public var name: String
        /// The value, of the type in which the store has it.
        public var value: Value

        public init(_ name: String, _ value: Value) {
            self.name = name
            self.value = value
        }
    }

    /// The kind of the record, such as `mark` or `play`, by which records of an export are told apart.
    public var kind: String
    /// The values in the order in which they are written.
    public var members: [Member]

    public init(_ kind: String, _ members: [Member] = []) {
        self.kind = kind
        self.members = members
    }

    /// A copy with one more member; a missing or empty text adds none.
    package func adding(_ name: String, _ text: String?) -> PersonRow {
        guard let text, !text.isEmpty else { return self }
        return PersonRow(kind, members + [Member(name, .text(text))])
    }

    /// A copy with one more member, which is a number.
    package func adding(_ name: String, _ number: Int64) -> PersonRow {
        PersonRow(kind, members + [Member(name, .number(number))])
    }
}
