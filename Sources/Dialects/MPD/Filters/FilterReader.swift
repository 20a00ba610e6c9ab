import BatonSeams

/// Reads the filter of `find`, `search`, `list` and `count`: expressions in parentheses, and the older pairs of a tag and a value. All must hold.
///
/// The order of its checks is that of the original, since each has its own sentence.
struct FilterReader {
    /// Limit on nested parentheses, since each takes a part of the stack.
    static let mostDepth = 1_000

    private var rest: Substring.UTF8View
    private let foldsCase: Bool

    /// Reads all arguments of a command. `foldsCase` is for `search`, where older pairs also find parts of values.
    static func filter(of arguments: some Collection<String>, foldsCase: Bool) throws(Ack) -> SongFilter {
        var filters: [SongFilter] = []
        var rest = Array(arguments)[...]
        guard !rest.isEmpty else { throw wrongNumber }
        while let first = rest.first {
            if first.utf8.first == UInt8(ascii: "(") {
                var reader = FilterReader(rest: first[...].utf8, foldsCase: foldsCase)
                filters.append(try reader.expression(depth: 1))
                guard reader.rest.isEmpty else { throw Ack(.argument, "Unparsed garbage after expression") }
                rest = rest.dropFirst()
            } else {
                guard rest.count >= 2 else { throw wrongNumber }
                filters.append(try pair(first, rest[rest.startIndex + 1], foldsCase: foldsCase))
                rest = rest.dropFirst(2)
            }
        }
        return filters.count == 1 ? filters[0] : .all(filters)
    }

    private static let wrongNumber = Ack(.argument, "Incorrect number of filter arguments")

    // MARK: Pairs

    private static func pair(_ name: String, _ value: String, foldsCase: Bool) throws(Ack) -> SongFilter {
        guard let kind = Kind(name) else { throw Ack(.argument, "Unknown filter type") }
        let test = TextTest(relation: foldsCase ? .contains : .equals, value: value, foldsCase: foldsCase)
        switch kind {
        case .tag(let tag): return .tag(tag, test)
        case .anyTag: return .anyTag(test)
        // The original looks for a tag that no song has.
        case .format: return .not(.all([]))
        case .path: return .path(test)
        case .base:
            guard isPlain(path: value) else { throw Ack(.argument, "Bad URI") }
            return .base(value)
        case .changedSince: return .changedSince(try TimeStamp.seconds(value))
        case .addedSince: return .addedSince(try TimeStamp.seconds(value))
        }
    }

    /// True for a path that leads nowhere but below.
    static func isPlain(path: String) -> Bool {
        path.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
    }

    /// The property that a name stands for.
    private enum Kind {
        case tag(TagName)
        case anyTag, path, base, changedSince, addedSince, format

        init?(_ name: String) {
            switch name {
            case "base": self = .base
            case "modified-since": self = .changedSince
            case "added-since": self = .addedSince
            default:
                switch name.lowercased() {
                case "file", "filename": self = .path
                case "any": self = .anyTag
                case "audioformat": self = .format
                default:
                    guard let tag = TagName(anyCase: name) else { return nil }
                    self = .tag(tag)
                }
            }
        }
    }

    // MARK: Expressions

    /// Reads from an opening parenthesis to behind its closing one and the spaces after it.
    private mutating func expression(depth: Int) throws(Ack) -> SongFilter {
        guard depth <= Self.mostDepth else { throw Ack(.argument, "Filter is nested too deeply") }
        guard take("(") else { throw Ack(.argument, "Word expected") }
        skipSpaces()
        if rest.first == UInt8(ascii: "(") { return try conjunction(depth: depth) }
        if take("!") {
            skipSpaces()
            guard rest.first == UInt8(ascii: "(") else { throw Ack(.argument, "'(' expected") }
            let inner = try expression(depth: depth + 1)
            try close()
            // A filter that is denied twice is the filter, so what is left is not as deep.
            if case .not(let positive) = inner { return positive }
            return .not(inner)
        }
        let condition = try condition()
        try close()
        return condition
    }

    /// Expressions in parentheses that are joined by `AND`. A space may follow its end; the original refuses that within another conjunction.
    private mutating func conjunction(depth: Int) throws(Ack) -> SongFilter {
        var filters = [try expression(depth: depth + 1)]
        while rest.first != UInt8(ascii: ")") {
            guard try word() == "AND" else { throw Ack(.argument, "'AND' expected") }
            filters.append(try expression(depth: depth + 1))
        }
        try close()
        return filters.count == 1 ? filters[0] : .all(filters)
    }

    private mutating func condition() throws(Ack) -> SongFilter {
        let name = try word()
        guard let kind = Kind(name) else { throw Ack(.argument, "Unknown filter type: \(name)") }
        switch kind {
        case .tag(let tag): return .tag(tag, try test())
        case .anyTag: return .anyTag(try test())
        case .path: return .path(try test())
        case .base: return .base(try quoted())
        case .changedSince: return .changedSince(try TimeStamp.seconds(try quoted()))
        case .addedSince: return .addedSince(try TimeStamp.seconds(try quoted()))
        case .format: return .format(try format())
        }
    }

    private mutating func format() throws(Ack) -> FormatMask {
        let isMask = rest.starts(with: "=~".utf8)
        guard isMask || rest.starts(with: "==".utf8) else { throw Ack(.argument, "'==' or '=~' expected") }
        rest = rest.dropFirst(2)
        skipSpaces()
        return try FormatMask(try quoted(), isMask: isMask)
    }

    /// Operators in the order in which they are tried. Those of letters need a space behind them.
    private static let operators: [(text: String, relation: TextTest.Relation, isNegated: Bool)] = [
        ("contains ", .contains, false), ("!contains ", .contains, true), ("starts_with ", .startsWith, false),
        ("!starts_with ", .startsWith, true), ("=~", .matches, false), ("!~", .matches, true), ("==", .equals, false),
        ("!=", .equals, true),
    ]

    private mutating func test() throws(Ack) -> TextTest {
        for (text, relation, isNegated) in Self.operators where begins(with: text) {
            rest = rest.dropFirst(text.utf8.count)
            skipSpaces()
            return TextTest(relation: relation, value: try quoted(), isNegated: isNegated, foldsCase: foldsCase)
        }
        throw Ack(.argument, "'==' or '!=' expected")
    }

    // MARK: Bytes

    /// True where the text stands next, in any case.
    private func begins(with text: String) -> Bool {
        let next = rest.prefix(text.utf8.count)
        return next.count == text.utf8.count && zip(next, text.utf8).allSatisfy { Self.lower($0) == $1 }
    }

    private static func lower(_ byte: UInt8) -> UInt8 { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte }

    private mutating func word() throws(Ack) -> String {
        let word = rest.prefix { byte in
            let lower = Self.lower(byte)
            return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lower) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
        }
        guard !word.isEmpty else { throw Ack(.argument, "Word expected") }
        rest = rest.dropFirst(word.count)
        skipSpaces()
        return String(Substring(word))
    }

    private mutating func quoted() throws(Ack) -> String {
        guard let quote = rest.first, quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"") else {
            throw Ack(.argument, "Quoted string expected")
        }
        rest = rest.dropFirst()
        var bytes: [UInt8] = []
        while let byte = rest.first, byte != quote {
            if byte == UInt8(ascii: "\\") { rest = rest.dropFirst() }
            guard let taken = rest.first else { break }
            bytes.append(taken)
            rest = rest.dropFirst()
        }
        guard rest.first == quote else { throw Ack(.argument, "Closing quote not found") }
        guard bytes.count < 4_096 else { throw Ack(.argument, "Quoted value is too long") }
        rest = rest.dropFirst()
        skipSpaces()
        return String(decoding: bytes, as: UTF8.self)
    }

    private mutating func close() throws(Ack) {
        guard take(")") else { throw Ack(.argument, "')' expected") }
        skipSpaces()
    }

    private mutating func take(_ letter: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: letter) else { return false }
        rest = rest.dropFirst()
        return true
    }

    private mutating func skipSpaces() { rest = rest.drop { $0 <= 0x20 } }
}
