/// A JSON value, as the parser returns it.
///
/// Numbers come in two cases so that no identifier, revision or microsecond is ever rounded. A
/// number without a fractional part is always `int`, however it was written: `1`, `1.0` and `1e0`
/// are the same value and have the same fingerprint.
public enum JSON: Equatable, Sendable {
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
    public var isNull: Bool { if case .null = self { true } else { false } }
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    public var int: Int64? { if case .int(let value) = self { value } else { nil } }
    public var string: String? { if case .string(let value) = self { value } else { nil } }
    public var array: [JSON]? { if case .array(let value) = self { value } else { nil } }
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
        public var name: String
        public var value: JSON

        public init(name: String, value: JSON) {
            self.name = name
            self.value = value
        }
    }

    public internal(set) var members: [Member]

    public init() { members = [] }

    init(distinct members: [Member]) { self.members = members }

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
    public init(dictionaryLiteral elements: (String, JSON)...) {
        self.init()
        for (name, value) in elements { self[name] = value }
    }
}

extension JSON: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral, ExpressibleByStringLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
    public init(dictionaryLiteral elements: (String, JSON)...) {
        var object = JSONObject()
        for (name, value) in elements { object[name] = value }
        self = .object(object)
    }
    public init(arrayLiteral elements: JSON...) { self = .array(elements) }
    public init(stringLiteral value: String) { self = .string(value) }
    public init(integerLiteral value: Int64) { self = .int(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(nilLiteral: ()) { self = .null }
}
