/// Parses the subset of XML in station lists: elements, attributes and text. Only the five predefined entities and
/// character references are decoded, so that a small file cannot expand into a large one. Nesting is limited.
import BatonSeams

struct XMLScanner {
    enum Event: Equatable {
        /// The name without its prefix, with the attributes.
        case start(String, [String: String])
        case end(String)
        case text(String)
    }

    static let mostDepth = 64
    private static let mostAttributes = 32

    private var rest: Substring.UTF8View
    /// Names of the open elements.
    private var open: [String] = []
    /// The end event that follows an element written as `<name/>`.
    private var pendingEnd: String?

    init(_ text: String) { rest = text[...].utf8 }

    /// The next event; `nil` at the end.
    mutating func next() throws(SourceFault) -> Event? {
        if let name = pendingEnd {
            pendingEnd = nil
            return .end(name)
        }
        while let first = rest.first {
            guard first == UInt8(ascii: "<") else { return .text(Self.decoded(take(until: "<"))) }
            if skip("<!--") {
                skipPast("-->")
            } else if skip("<![CDATA[") {
                let text = take(until: "]]>")
                _ = skip("]]>")
                return .text(String(text))
            } else if skip("<?") {
                skipPast("?>")
            } else if skip("<!") {
                try declaration()
            } else if skip("</") {
                let name = Self.local(take(until: ">"))
                _ = skip(">")
                // End tags without a start are ignored, and open elements inside the closed one are closed with it.
                guard let at = open.lastIndex(of: name) else { continue }
                open.removeSubrange(at...)
                return .end(name)
            } else {
                _ = skip("<")
                return try element()
            }
        }
        return nil
    }

    /// Skips `<!DOCTYPE …>` and refuses one that declares entities.
    private mutating func declaration() throws(SourceFault) {
        let text = take(until: ">")
        _ = skip(">")
        guard !text.utf8.contains(UInt8(ascii: "[")), !text.lowercased().contains("entity") else {
            throw SourceFault(.unsupported, "it declares entities of its own, which are not read.")
        }
    }

    private mutating func element() throws(SourceFault) -> Event? {
        let name = Self.local(take { $0 <= 0x20 || $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "/") })
        var attributes: [String: String] = [:]
        while let byte = rest.first {
            if byte == UInt8(ascii: ">") {
                rest.removeFirst()
                guard open.count < Self.mostDepth else {
                    throw SourceFault(.unsupported, "its elements stand more than \(Self.mostDepth) deep in each other.")
                }
                open.append(name)
                return .start(name, attributes)
            } else if byte == UInt8(ascii: "/") {
                rest.removeFirst()
                if skip(">") {
                    pendingEnd = name
                    return .start(name, attributes)
                }
            } else if byte <= 0x20 {
                rest.removeFirst()
            } else {
                let (key, value) = attribute()
                if attributes.count < Self.mostAttributes, attributes[key] == nil { attributes[key] = value }
            }
        }
        // The file ends inside a tag.
        return nil
    }

    private mutating func attribute() -> (String, String) {
        let name = String(take { $0 <= 0x20 || $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "/") })
        skipSpace()
        guard skip("=") else {
            // An empty name would loop for ever, so one character is skipped.
            if name.isEmpty { rest = rest.dropFirst() }
            return (name, "")
        }
        skipSpace()
        guard let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            return (name, Self.decoded(take { $0 <= 0x20 || $0 == UInt8(ascii: ">") }))
        }
        rest.removeFirst()
        let value = take { $0 == quote }
        rest = rest.dropFirst()
        return (name, Self.decoded(value))
    }

    // MARK: Text

    private mutating func take(upTo ends: (UInt8) -> Bool) -> Substring {
        let end = rest.firstIndex(where: ends) ?? rest.endIndex
        let text = Substring(rest[..<end])
        rest = rest[end...]
        return text
    }

    private mutating func take(until pattern: String) -> Substring {
        var end = rest
        while !end.isEmpty, !end.starts(with: pattern.utf8) {
            end = end.dropFirst()
            // Only positions with the pattern's first byte are compared.
            if let first = pattern.utf8.first { end = end.drop { $0 != first } }
        }
        let text = Substring(rest[..<end.startIndex])
        rest = end
        return text
    }

    private mutating func skip(_ pattern: String) -> Bool {
        guard rest.starts(with: pattern.utf8) else { return false }
        rest = rest.dropFirst(pattern.utf8.count)
        return true
    }

    private mutating func skipPast(_ pattern: String) {
        _ = take(until: pattern)
        _ = skip(pattern)
    }

    private mutating func skipSpace() { rest = rest.drop { $0 <= 0x20 } }

    private static func local(_ name: Substring) -> String {
        let name = name.prefix { !$0.isWhitespace }
        return String(name.lastIndex(of: ":").map { name[name.index(after: $0)...] } ?? name)
    }

    /// Decodes references. A bare ampersand stands for itself, as in addresses that were never escaped.
    static func decoded(_ text: Substring) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return String(text) }
        var result = ""
        var rest = text
        while let at = rest.utf8.firstIndex(of: UInt8(ascii: "&")) {
            result += rest[..<at]
            rest = rest[rest.utf8.index(after: at)...]
            let name = rest.utf8.prefix(10).prefix { $0 != UInt8(ascii: ";") }
            guard name.endIndex < rest.endIndex, rest.utf8[name.endIndex] == UInt8(ascii: ";"), let letter = reference(Substring(name))
            else {
                result += "&"
                continue
            }
            result.unicodeScalars.append(letter)
            rest = rest[rest.utf8.index(after: name.endIndex)...]
        }
        return result + rest
    }

    private static func reference(_ name: Substring) -> Unicode.Scalar? {
        switch name {
        case "amp": "&"
        case "lt": "<"
        case "gt": ">"
        case "quot": "\""
        case "apos": "'"
        default: number(name).flatMap { Unicode.Scalar($0) }
        }
    }

    private static func number(_ name: Substring) -> UInt32? {
        if name.hasPrefix("#x") { return UInt32(name.dropFirst(2), radix: 16) }
        return name.hasPrefix("#") ? UInt32(name.dropFirst()) : nil
    }
}
