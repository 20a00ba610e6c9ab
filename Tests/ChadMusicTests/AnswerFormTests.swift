import BatonCore
import BatonJSON
import Testing

@testable import ServerConnectors

/// Members of servers' answers in the forms in which they come, and numbers that no server means.
@Suite struct AnswerFormTests {
    @Test(
        arguments: [
            ("3", 3), (#""3/12""#, 3), ("3.9", 3), ("[1,2]", 2), ("-1", nil), (#""""#, nil), ("1099511627776", 1 << 40),
            ("1099511627777", nil), ("1e15", nil), ("true", nil),
        ] as [(String, Int?)])
    func `a count is read from numbers, texts and lists`(value: String, count: Int?) throws {
        let json = try JSON.parse(Array(#"{"n":\#(value)}"#.utf8))

        #expect(json.count("missing", "n") == count)
    }

    @Test(
        arguments: [
            ("2.5", 2_500), (#""4:01""#, 241_000), (#""1:00:00.5""#, 3_600_500), ("3456001", nil), (#""-1""#, nil), (#""1:-1""#, nil),
            ("1e15", nil), (#""inf""#, nil), ("null", nil),
        ] as [(String, Milliseconds?)])
    func `a time is read from seconds, and from text with colons`(value: String, milliseconds: Milliseconds?) throws {
        let json = try JSON.parse(Array(#"{"n":\#(value)}"#.utf8))

        #expect(json.milliseconds("n", mostDays: 40) == milliseconds)
    }
}
