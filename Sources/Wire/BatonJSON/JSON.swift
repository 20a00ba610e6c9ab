/// A JSON value, as the parser returns it.
///
/// Numbers come in two cases so that no identifier, revision or microsecond is ever rounded. A
/// number without a fractional part is always `int`, however it was written: `1`, `1.0` and `1e0`
/// are the same value and have the same fingerprint.
public enum JSON: Equatable, Sendable {
    /// The word `null`. A member that is missing is no value at all.
    case null
    case bool(Bool)
    case int(Int64)
    case double(Double)
    case string(String)
    case array([JSON])
    case object(JSONObject)

    /// Largest magnitude of a number. Beyond it, readers that store numbers as doubles would read a different one.
    package static let largestNumber: Int64 = (1 << 53) - 1
}

extension JSON {
    /// True for `null`; false for any other value.
    public var isNull: Bool { if case .null = self { true } else { false } }
    /// The value of a boolean; `nil` for any other value.
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    /// The value of a number without a fraction; `nil` for any other value, also for one with a fraction.
    public var int: Int64? { if case .int(let value) = self { value } else { nil } }
    /// The text of a string; `nil` for any other value.
    public var string: String? { if case .string(let value) = self { value } else { nil } }
    /// The elements of an array; `nil` for any other value.
    public var array: [JSON]? { if case .array(let value) = self { value } else { nil } }
    /// The object itself; `nil` for any other value.
    public var object: JSONObject? { if case .object(let value) = self { value } else { nil } }

    /// The member of an object; `nil` also for other values.
    public subscript(name: String) -> JSON? { object?[name] }
}

/// Members in their written order. Names are distinct; the parser refuses duplicates.
///
/// A plain list: objects on the wire have few members, and comparing a handful of short names
/// costs less than hashing one.
public struct JSONObject: Equatable, Sendable {
    /// One name with its value.
    public struct Member: Equatable, Sendable {
        /// The name, with its escapes undone.
        public var name: String
        /// The value, which is never absent: `null` is a value too.
        public var value: JSON

        public init(name: String, value: JSON) {
            self.name = name
            self.value = value
        }
    }

    /// The members in the order of the text, and then of insertion.
    public internal(set) var members: [Member]

    /// An object without members.
    public init() { members = [] }

    init(distinct members: [Member]) { self.members = members }

    /// The value of a member; `nil` where there is none. Setting a value adds or replaces it in its position, and `nil` removes it.
    public subscript(name: String) -> JSON? {
        get {
            let length = name.utf8.count
            for member in members where member.name.utf8.count == length && member.name == name { return member.value }
            return nil
        }
        set {
            let place = members.firstIndex { $0.name == name }
            switch (place, newValue) {
            case (let place?, let value?): members[place].value = value
            case (let place?, nil): members.remove(at: place)
            case (nil, let value?): members.append(Member(name: name, value: value))
            case (nil, nil): break
            }
        }
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// The members of a literal; of two with the same name the last value counts.
    public init(dictionaryLiteral elements: (String, JSON)...) {
        self.init()
        for (name, value) in elements { self[name] = value }
    }
}

extension JSON: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral, ExpressibleByStringLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
    /// An object; of two members with the same name the last value counts.
    public init(dictionaryLiteral elements: (String, JSON)...) {
        var object = JSONObject()
        for (name, value) in elements { object[name] = value }
        self = .object(object)
    }
    public init(arrayLiteral elements: JSON...) { self = .array(elements) }
    public init(stringLiteral value: String) { self = .string(value) }
    /// A number as given; that it is within `largestNumber` is not checked.
    public init(integerLiteral value: Int64) { self = .int(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(nilLiteral: ()) { self = .null }
}
