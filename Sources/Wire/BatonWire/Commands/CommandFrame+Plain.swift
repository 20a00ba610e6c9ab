import BatonCore
import BatonProtocol

/// Reads ordinary commands in one pass over the text, without a tree of JSON values.
///
/// Between two key presses other programs fill the processor's caches, so the cost of an answer is the amount of code and memory that it
/// touches. A text with an unknown member, an escape in a name or a value of another type goes to the general decoder, which reports
/// faults. Both read the same frame from the same text; a test compares them.
extension CommandFrame {
    /// `nil` if the text is not a plain command.
    init?(plain text: Span<UInt8>, limits: JSONLimits) {
        var reader = PlainCommand(limits)
        guard let frame = try? reader.read(text) else { return nil }
        self = frame
    }
}

private struct PlainCommand {
    private struct Members: OptionSet {
        let rawValue: UInt8

        static let type = Members(rawValue: 1)
        static let id = Members(rawValue: 2)
        static let method = Members(rawValue: 4)
        static let key = Members(rawValue: 8)
        static let room = Members(rawValue: 16)
        static let ct = Members(rawValue: 32)
        static let ttl = Members(rawValue: 64)
        static let params = Members(rawValue: 128)
    }

    private var parser: JSONParser
    private var seen = Members(rawValue: 0)

    init(_ limits: JSONLimits) { parser = JSONParser(limits: limits) }

    mutating func read(_ text: Span<UInt8>) throws(JSONFault) -> CommandFrame? {
        var frame = CommandFrame(id: 0, method: "")
        guard parser.limits.depth > 1, parser.limits.members >= 8, parser.limits.nameBytes >= 4 else { return nil }
        parser.skipSpace(text)
        try parser.expect(UInt8(ascii: "{"), text)
        repeat {
            parser.skipSpace(text)
            guard let member = name(text), seen.isDisjoint(with: member) else { return nil }
            parser.skipSpace(text)
            try parser.expect(UInt8(ascii: ":"), text)
            parser.skipSpace(text)
            guard try read(member, text, into: &frame) else { return nil }
            seen.formUnion(member)
            parser.skipSpace(text)
        } while parser.accept(UInt8(ascii: ","), text)
        try parser.expect(UInt8(ascii: "}"), text)
        parser.skipSpace(text)
        guard parser.position == text.count, seen.isSuperset(of: Members(rawValue: 7)) else { return nil }
        return consume frame
    }

    /// Reads the name of a member that has no escapes.
    private mutating func name(_ text: Span<UInt8>) -> Members? {
        guard parser.accept(UInt8(ascii: "\""), text) else { return nil }
        var letters: UInt32 = 0
        var index = parser.position
        while index < text.count, index - parser.position <= 4, text[index] != UInt8(ascii: "\"") {
            letters = letters << 8 | UInt32(text[index])
            index += 1
        }
        guard index - parser.position <= 4 else { return nil }
        parser.move(to: index)
        guard parser.accept(UInt8(ascii: "\""), text) else { return nil }
        return switch letters {
        case 0x74: .type
        case 0x6964: .id
        case 0x6D: .method
        case 0x6B: .key
        case 0x726F_6F6D: .room
        case 0x6374: .ct
        case 0x74746C: .ttl
        case 0x70: .params
        default: nil
        }
    }

    /// Reads the value that belongs to `member`; false if a command cannot have this value there.
    private mutating func read(_ member: Members, _ text: Span<UInt8>, into frame: inout CommandFrame) throws(JSONFault) -> Bool {
        switch member {
        // No string is created for a value that every command has.
        case .type: return isCommand(text)
        case .id:
            guard let id = try int(text, in: CommandFrame.idRange) else { return false }
            frame.id = id
        case .method:
            guard let method = try string(text, 1...64) else { return false }
            frame.method = method
        case .key:
            guard let key = try string(text, 4...16), Token.isToken(key, length: 4...16) else { return false }
            frame.key = key
        case .room:
            guard let room = try string(text, 1...64) else { return false }
            frame.room = RoomID(room)
        case .ct:
            guard let ct = try number(text) else { return false }
            frame.ct = Milliseconds(ct)
        case .ttl:
            guard let ttl = try int(text, in: CommandFrame.ttlRange) else { return false }
            frame.ttl = Milliseconds(ttl)
        default:
            guard parser.position < text.count, text[parser.position] == UInt8(ascii: "{") else { return false }
            frame.params = try parser.object(text, depth: 2)
        }
        return true
    }

    private mutating func isCommand(_ text: Span<UInt8>) -> Bool {
        for byte in "\"cmd\"".utf8 where !parser.accept(byte, text) { return false }
        return true
    }

    private mutating func string(_ text: Span<UInt8>, _ bytes: ClosedRange<Int>) throws(JSONFault) -> String? {
        guard parser.position < text.count, text[parser.position] == UInt8(ascii: "\"") else { return nil }
        let limit = min(bytes.upperBound, parser.limits.stringBytes)
        let string = try parser.string(text, limit: limit, tooLong: .stringTooLong)
        return string.utf8.count >= bytes.lowerBound ? string : nil
    }

    private mutating func number(_ text: Span<UInt8>) throws(JSONFault) -> Int64? {
        guard parser.position < text.count else { return nil }
        switch text[parser.position] {
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try parser.number(text).int
        default: return nil
        }
    }

    private mutating func int(_ text: Span<UInt8>, in range: ClosedRange<Int>) throws(JSONFault) -> Int? {
        guard let number = try number(text), let int = Int(exactly: number) else { return nil }
        return range.contains(int) ? int : nil
    }
}
