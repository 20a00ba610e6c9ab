/// A JSON text as a value: what the parser makes and what messages are read from.
///
/// Numbers come in two cases so that no identifier, revision or microsecond is ever rounded. A
/// number without a fractional part is always `int`, however it was written: `1`, `1.0` and `1e0`
/// are the same value and have the same fingerprint.
package enum JSON: Equatable, Sendable {
    case null
    case bool(Bool)
    case int(Int64)
    case double(Double)
    case string(String)
    case array([JSON])
    case object(JSONObject)

    /// The largest magnitude a number may have: beyond it, readers that keep every number in a
    /// double would disagree with us.
    package static let largestNumber: Int64 = (1 << 53) - 1
}

extension JSON {
    package var isNull: Bool { if case .null = self { true } else { false } }
    package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    package var int: Int64? { if case .int(let value) = self { value } else { nil } }
    package var string: String? { if case .string(let value) = self { value } else { nil } }
    package var array: [JSON]? { if case .array(let value) = self { value } else { nil } }
    package var object: JSONObject? { if case .object(let value) = self { value } else { nil } }

    /// The member of an object; `nil` also when this is no object.
    package subscript(name: String) -> JSON? { object?[name] }
}

/// Members in the order they were written. Names are distinct; the parser refuses doubles.
///
/// A plain list: objects on the wire have few members, and comparing a handful of short names
/// costs less than hashing one.
package struct JSONObject: Equatable, Sendable {
    package struct Member: Equatable, Sendable {
        package var name: String
        package var value: JSON

        package init(name: String, value: JSON) {
            self.name = name
            self.value = value
        }
    }

    package internal(set) var members: [Member]

    package init() { members = [] }

    init(distinct members: [Member]) { self.members = members }

    package subscript(name: String) -> JSON? {
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
    package init(dictionaryLiteral elements: (String, JSON)...) {
        self.init()
        for (name, value) in elements { self[name] = value }
    }
}

extension JSON: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral, ExpressibleByStringLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
    package init(dictionaryLiteral elements: (String, JSON)...) {
        var object = JSONObject()
        for (name, value) in elements { object[name] = value }
        self = .object(object)
    }
    package init(arrayLiteral elements: JSON...) { self = .array(elements) }
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int64) { self = .int(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(nilLiteral: ()) { self = .null }
}
