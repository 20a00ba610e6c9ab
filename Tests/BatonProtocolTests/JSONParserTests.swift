/// What the parser takes, what it refuses, and that it survives everything.
import BatonProtocol
import BatonWire
import Testing

@Suite struct JSONParserTests {
    static let accepted: [(String, JSON)] = [
        ("null", nil), ("true", true), ("false", false), ("0", 0), ("-0", 0), ("-17", -17),
        ("9007199254740991", 9_007_199_254_740_991), ("-9007199254740991", -9_007_199_254_740_991),
        ("1.0", 1), ("1e3", 1000), ("-2.50E+1", -25), ("1E-1", .double(0.1)), ("0.5", .double(0.5)), ("10e-1", 1),
        ("0.10e1", 1), ("-0.0", 0), ("0e-400", 0), ("1200E-2", 12), ("1e-400", .double(0)), ("1e-99999999999999999999", .double(0)),
        ("1.00000000000000000000001", .double(1)), ("0.1e0", .double(0.1)), ("12e-1", .double(1.2)),
        ("\"\"", ""), ("\"a\"", "a"), (" \t\r\n[ ] \n", []), ("{}", [:]), ("[1,[2],{}]", [1, [2], [:]]),
        (#"{"b":1,"a":[true,null]}"#, ["b": 1, "a": [true, nil]]),
        (#""\"\\\/\b\f\n\r\t""#, .string("\"\\/\u{8}\u{C}\n\r\t")),
        (#""\u0041\u00e9\u20AC\ud83c\udfb5\u0000""#, .string("A\u{E9}\u{20AC}\u{1F3B5}\u{0}")),
        ("\"é€🎵\u{7F}\u{10FFFF}\"", .string("é€🎵\u{7F}\u{10FFFF}")),
    ]

    @Test(arguments: accepted) func `valid text becomes its value`(text: String, value: JSON) throws {
        #expect(try parse(text) == value)
    }

    @Test func `numbers beyond 2^53 become their digits where a server writes ids so`() throws {
        var limits = JSONLimits()
        limits.largeNumbers = .text
        let text = Array("[-9223372036854775809,9007199254740992,7,1e30]".utf8)
        #expect(throws: JSONFault(.numberOutOfRange, at: 41)) { try JSON.parse(text, limits: limits) }
        #expect(try JSON.parse(text[..<40] + Array("]".utf8), limits: limits) == ["-9223372036854775809", "9007199254740992", 7])
    }

    static let refused: [(String, JSONFault)] = [
        ("", .init(.syntax, at: 0)), (" ", .init(.syntax, at: 1)), ("nul", .init(.syntax, at: 0)), ("True", .init(.syntax, at: 0)),
        ("nulls", .init(.syntax, at: 4)), ("1 2", .init(.syntax, at: 2)), ("{}x", .init(.syntax, at: 2)), ("NaN", .init(.syntax, at: 0)),
        ("Infinity", .init(.syntax, at: 0)), ("-Infinity", .init(.syntax, at: 1)), ("+1", .init(.syntax, at: 0)),
        ("01", .init(.syntax, at: 2)), ("-01", .init(.syntax, at: 3)), ("-", .init(.syntax, at: 1)), (".5", .init(.syntax, at: 0)),
        ("1.", .init(.syntax, at: 2)), ("1.e3", .init(.syntax, at: 2)), ("1e", .init(.syntax, at: 2)), ("1e+", .init(.syntax, at: 3)),
        ("0x10", .init(.syntax, at: 1)), ("1_000", .init(.syntax, at: 1)),
        ("9007199254740992", .init(.numberOutOfRange, at: 0)), ("-9007199254740992", .init(.numberOutOfRange, at: 0)),
        ("[99999999999999999999999]", .init(.numberOutOfRange, at: 1)), ("1e16", .init(.numberOutOfRange, at: 0)),
        ("1e999", .init(.numberOutOfRange, at: 0)), ("-1e999", .init(.numberOutOfRange, at: 0)),
        ("9007199254740991.9", .init(.numberOutOfRange, at: 0)),
        ("[1,]", .init(.syntax, at: 3)), ("[,1]", .init(.syntax, at: 1)), ("[1", .init(.syntax, at: 2)), ("[1}", .init(.syntax, at: 2)),
        ("{\"a\":1,}", .init(.syntax, at: 7)), ("{a:1}", .init(.syntax, at: 1)), ("{'a':1}", .init(.syntax, at: 1)),
        ("{\"a\" 1}", .init(.syntax, at: 5)), ("{\"a\":}", .init(.syntax, at: 5)), ("{1:1}", .init(.syntax, at: 1)),
        ("{\"a\":1", .init(.syntax, at: 6)), ("{\"a\"", .init(.syntax, at: 4)), ("{", .init(.syntax, at: 1)),
        ("// a\n1", .init(.syntax, at: 0)), ("[1]/**/", .init(.syntax, at: 3)), ("\u{A0}1", .init(.syntax, at: 0)),
        ("\u{FEFF}{}", .init(.syntax, at: 0)),
        ("\"a", .init(.syntax, at: 2)), ("\"a\\", .init(.syntax, at: 2)), ("\"\\x41\"", .init(.syntax, at: 1)),
        ("\"\\u12\"", .init(.syntax, at: 1)), ("\"\\u12g4\"", .init(.syntax, at: 5)), ("\"\\u", .init(.syntax, at: 1)),
        ("\"a\nb\"", .init(.syntax, at: 2)), ("\"a\u{0}b\"", .init(.syntax, at: 2)), ("\"\\n\u{1F}\"", .init(.syntax, at: 3)),
        (#""\ud800""#, .init(.loneSurrogate, at: 1)), (#""\udc00""#, .init(.loneSurrogate, at: 1)),
        (#""\ud800\ud800""#, .init(.loneSurrogate, at: 1)), (#""\udc00\ud800""#, .init(.loneSurrogate, at: 1)),
        (#""\ud800x""#, .init(.loneSurrogate, at: 1)), (#""\ud83c\n""#, .init(.loneSurrogate, at: 1)),
        (#"{"a":1,"a":1}"#, .init(.duplicateName, at: 7)), (#"{"a":1,"\u0061":2}"#, .init(.duplicateName, at: 7)),
        (#"[{"":1,"":1}]"#, .init(.duplicateName, at: 7)),
    ]

    @Test(arguments: refused) func `anything else is refused where it went wrong`(text: String, expected: JSONFault) {
        #expect(fault(text) == expected)
        #expect(!expected.sentence.isEmpty)
    }

    static let notUTF8: [(String, [UInt8])] = [
        ("a byte that never occurs", [0xFF]), ("a lone continuation", [0x80]), ("a cut sequence", [0xE2, 0x82]),
        ("an overlong slash", [0xC0, 0xAF]), ("an overlong null", [0xE0, 0x80, 0x80]), ("a surrogate", [0xED, 0xA0, 0x80]),
        ("beyond Unicode", [0xF4, 0x90, 0x80, 0x80]), ("five bytes", [0xF8, 0x88, 0x80, 0x80, 0x80]),
    ]

    @Test(arguments: notUTF8) func `a string that is not UTF-8 is refused, with and without escapes`(name: String, bytes: [UInt8]) {
        let quote = UInt8(ascii: "\"")

        #expect(fault([quote, 0x61] + bytes + [quote]) == JSONFault(.notUTF8, at: 2), "\(name)")
        #expect(fault(utf8(#""\n"#) + bytes + [quote])?.kind == .notUTF8, "\(name)")
        #expect(fault(bytes)?.kind == .syntax, "\(name)")
    }

    @Test func `names that only look alike are different names`() throws {
        let object = try #require(try parse("{\"\u{E9}\":1,\"e\u{301}\":2}").object)
        #expect(object.members.map(\.value) == [1, 2])
    }

    @Test func `depth counts the root as one`() {
        #expect(fault(String(repeating: "[", count: 8) + "1" + String(repeating: "]", count: 8)) == nil)
        #expect(fault(String(repeating: "[", count: 9) + String(repeating: "]", count: 9)) == JSONFault(.tooDeep, at: 8))
        #expect(fault(String(repeating: "{\"a\":", count: 8) + "{}")?.kind == .tooDeep)
        #expect(fault(String(repeating: "[", count: 100_000))?.kind == .tooDeep)
    }

    @Test func `an object has at most 64 members`() {
        func object(_ count: Int) -> String { "{" + (0..<count).map { "\"m\($0)\":0" }.joined(separator: ",") + "}" }
        #expect(fault(object(64)) == nil)
        #expect(fault(object(65))?.kind == .tooManyMembers)
    }

    @Test func `an array has at most 1000 elements`() {
        func array(_ count: Int) -> String { "[" + Array(repeating: "0", count: count).joined(separator: ",") + "]" }
        #expect(fault(array(1000)) == nil)
        #expect(fault(array(1001))?.kind == .tooManyElements)
    }

    @Test func `a string has at most 4096 bytes after its escapes were undone`() {
        func string(_ count: Int, _ unit: String = "a") -> String { "\"" + String(repeating: unit, count: count) + "\"" }
        #expect(fault(string(4096)) == nil)
        #expect(fault(string(4097)) == JSONFault(.stringTooLong, at: 0))
        #expect(fault(string(4096, "\\n")) == nil)
        #expect(fault(string(4097, "\\n")) == JSONFault(.stringTooLong, at: 0))
        #expect(fault(string(2048, "é")) == nil)
        #expect(fault(string(2049, "é"))?.kind == .stringTooLong)
    }

    @Test func `a name has at most 64 bytes`() {
        func object(_ count: Int) -> String { "{\"" + String(repeating: "n", count: count) + "\":0}" }
        #expect(fault(object(64)) == nil)
        #expect(fault(object(65)) == JSONFault(.nameTooLong, at: 1))
    }

    @Test func `the limits are the caller's to choose`() {
        var limits = JSONLimits.standard
        limits.depth = 2
        limits.elements = 1
        #expect(fault("[[1]]", limits: limits) == nil)
        #expect(fault("[[[]]]", limits: limits)?.kind == .tooDeep)
        #expect(fault("[1,2]", limits: limits)?.kind == .tooManyElements)
    }

    @Test func `a slice is read as if it stood alone`() throws {
        #expect(try JSON.parse(utf8("xx[1]yy")[2..<5]) == [1])
    }

    @Test(arguments: 0..<300) func `what is written is read back as the same value`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let value = JSON.random(using: &random)

        let bytes = JSONWriter.bytes { $0.value(value) }

        #expect(try JSON.parse(bytes) == value)
        #expect(String(validating: bytes, as: UTF8.self) != nil)
    }

    static let seeds = [
        #"{"t":"cmd","id":17,"m":"next","k":"c3f1a9","p":{"from":"q7f3"}}"#,
        #"{"t":"hello","core":"1.0","view":"watch","client":{"id":"k3Jr0vYx2mQ","run":"9fQ2","name":"Ana wätch \ud83c\udfb5"},"caps":["art"],"t1":-5.25e3}"#,
        #"{"t":"cmd","id":9,"m":"queue.add","k":"abcd","p":{"uris":["file:track/a","http://b/\u00e9"],"at":{"after":null},"else":"end"}}"#,
    ]

    /// Every byte replaced by every other, every prefix, every byte left out or doubled.
    @Test(arguments: seeds) func `no mutation of a message makes a decoder trap`(text: String) {
        let bytes = utf8(text)
        for index in bytes.indices {
            for replacement in UInt8.min...UInt8.max {
                var mutant = bytes
                mutant[index] = replacement
                decodeAll(mutant)
            }
            decodeAll(Array(bytes[..<index]))
            decodeAll(Array(bytes[..<index] + bytes[(index + 1)...]))
            decodeAll(Array(bytes[...index] + bytes[index...]))
        }
    }

    @Test(arguments: 0..<200) func `no mixture of fragments makes a decoder trap`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let fragments = [
            "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "d83c", "1", "-", ".", "e9", "true", "null", "\"t\":", "\"cmd\"", "\u{0}", "é",
        ]
        for _ in 0..<50 {
            let count = Int.random(in: 0...40, using: &random)
            decodeAll(utf8((0..<count).map { _ in fragments.randomElement(using: &random)! }.joined()))  // Never empty.
            decodeAll((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) })
        }
    }

    private func decodeAll(_ bytes: [UInt8]) {
        if let message = try? ClientMessage.decode(bytes), case .command(let frame) = message { _ = try? frame.command() }
        _ = try? HubMessage.decode(bytes)
    }
}
