/// A strict parser for one JSON text, by RFC 8259 and the given limits.
///
/// It is our own because messages may be hostile: the depth of the recursion is limited, every index is checked, and any bytes yield a
/// value or a fault. The text is an argument of each call, so that no memory is borrowed longer than a call.
package struct JSONParser {
    /// The index of the next byte to read.
    package private(set) var position = 0
    /// The limits that were given, which stay the same for the whole text.
    package let limits: JSONLimits

    /// A parser at the beginning of a text.
    package init(limits: JSONLimits) { self.limits = limits }

    /// Reads a whole text: one value, with nothing but space around it.
    package mutating func document(_ text: Span<UInt8>) throws(JSONFault) -> JSON {
        skipSpace(text)
        let root = try value(text, depth: 1)
        skipSpace(text)
        guard position == text.count else { throw JSONFault(.syntax, at: position) }
        return root
    }

    private mutating func value(_ text: Span<UInt8>, depth: Int) throws(JSONFault) -> JSON {
        guard position < text.count else { throw JSONFault(.syntax, at: position) }
        switch text[position] {
        case UInt8(ascii: "\""): return .string(try string(text, limit: limits.stringBytes, tooLong: .stringTooLong))
        case UInt8(ascii: "{"): return .object(try object(text, depth: depth))
        case UInt8(ascii: "["): return .array(try array(text, depth: depth))
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number(text)
        case UInt8(ascii: "t"): return try literal("true", is: .bool(true), in: text)
        case UInt8(ascii: "f"): return try literal("false", is: .bool(false), in: text)
        case UInt8(ascii: "n"): return try literal("null", is: .null, in: text)
        default: throw JSONFault(.syntax, at: position)
        }
    }

    /// Reads an object at its opening brace. `depth` is that of the object itself, from 1.
    package mutating func object(_ text: Span<UInt8>, depth: Int) throws(JSONFault) -> JSONObject {
        try open(depth: depth)
        var members: [JSONObject.Member] = []
        var names = NameFilter()
        skipSpace(text)
        if accept(UInt8(ascii: "}"), text) { return JSONObject(distinct: members) }
        members.reserveCapacity(6)
        while true {
            let start = position
            guard members.count < limits.members else { throw JSONFault(.tooManyMembers, at: start) }
            guard start < text.count, text[start] == UInt8(ascii: "\"") else { throw JSONFault(.syntax, at: start) }
            let name = try string(text, limit: limits.nameBytes, tooLong: .nameTooLong)
            guard names.isNew(name, among: members) else { throw JSONFault(.duplicateName, at: start) }
            skipSpace(text)
            try expect(UInt8(ascii: ":"), text)
            skipSpace(text)
            members.append(JSONObject.Member(name: name, value: try value(text, depth: depth + 1)))
            skipSpace(text)
            if accept(UInt8(ascii: "}"), text) { return JSONObject(distinct: members) }
            try expect(UInt8(ascii: ","), text)
            skipSpace(text)
        }
    }

    private mutating func array(_ text: Span<UInt8>, depth: Int) throws(JSONFault) -> [JSON] {
        try open(depth: depth)
        var elements: [JSON] = []
        skipSpace(text)
        if accept(UInt8(ascii: "]"), text) { return elements }
        while true {
            guard elements.count < limits.elements else { throw JSONFault(.tooManyElements, at: position) }
            elements.append(try value(text, depth: depth + 1))
            skipSpace(text)
            if accept(UInt8(ascii: "]"), text) { return elements }
            try expect(UInt8(ascii: ","), text)
            skipSpace(text)
        }
    }

    private mutating func open(depth: Int) throws(JSONFault) {
        guard depth <= limits.depth else { throw JSONFault(.tooDeep, at: position) }
        position += 1
    }

    private mutating func literal(_ word: StaticString, is value: JSON, in text: Span<UInt8>) throws(JSONFault) -> JSON {
        let length = word.utf8CodeUnitCount
        guard length <= text.count - position else { throw JSONFault(.syntax, at: position) }
        for offset in 0..<length where text[position + offset] != word.utf8Start[offset] {
            throw JSONFault(.syntax, at: position)
        }
        position += length
        return value
    }

    /// Skips spaces, tabs and line ends, the only space of JSON.
    package mutating func skipSpace(_ text: Span<UInt8>) {
        while position < text.count {
            switch text[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }

    /// Skips this byte if it is the next one, and returns whether it was.
    package mutating func accept(_ byte: UInt8, _ text: Span<UInt8>) -> Bool {
        guard position < text.count, text[position] == byte else { return false }
        position += 1
        return true
    }

    /// Skips this byte, or throws where another one is.
    package mutating func expect(_ byte: UInt8, _ text: Span<UInt8>) throws(JSONFault) {
        guard accept(byte, text) else { throw JSONFault(.syntax, at: position) }
    }

    /// Continues at another byte, which must not be beyond the end of the text.
    package mutating func move(to position: Int) { self.position = position }
}

/// One bit recognises most new names, so that objects with few members compare no names.
private struct NameFilter {
    private var seen: UInt64 = 0

    /// Whether the name is new. Names are compared byte by byte, since Swift's `==` treats two spellings of é as equal.
    mutating func isNew(_ name: String, among members: [JSONObject.Member]) -> Bool {
        let bytes = name.utf8
        let mixed = UInt64(bytes.count) &* 11 &+ UInt64(bytes.first ?? 0) &* 7 &+ UInt64(bytes.last ?? 0) &* 3
        let bit: UInt64 = 1 << (mixed & 63)
        defer { seen |= bit }
        guard seen & bit != 0 else { return true }
        return !members.contains { $0.name.utf8.count == bytes.count && $0.name.utf8.elementsEqual(bytes) }
    }
}

extension JSON {
    /// Reads a whole text, which may come from anywhere: every text gives a value or a fault.
    package static func parse(_ text: Span<UInt8>, limits: JSONLimits = .standard) throws(JSONFault) -> JSON {
        var parser = JSONParser(limits: limits)
        return try parser.document(text)
    }

    /// The same for bytes in an array.
    package static func parse(_ text: [UInt8], limits: JSONLimits = .standard) throws(JSONFault) -> JSON {
        try parse(text.span, limits: limits)
    }

    /// The same for a part of an array. Positions in faults count from the beginning of that part.
    package static func parse(_ text: ArraySlice<UInt8>, limits: JSONLimits = .standard) throws(JSONFault) -> JSON {
        try parse(text.span, limits: limits)
    }
}
