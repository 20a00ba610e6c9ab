import Testing

@testable import MPD

/// Arguments are accepted and refused as by mpd 0.23.12.
@Suite struct ArgumentTests {
    private func outcome<Value>(_ read: () throws(Ack) -> Value) -> (value: Value?, sentence: String?) {
        do throws(Ack) {
            return (try read(), nil)
        } catch {
            return (nil, error.sentence)
        }
    }

    @Test(arguments: [("5", 5), ("07", 7), ("+5", 5), ("-0", 0), (" 5", 5), ("100", 100)])
    func `a number may have a sign and zeros in front`(text: String, value: Int) {
        #expect(outcome { () throws(Ack) in try Argument.count(text, most: 100) }.value == value)
    }

    @Test(arguments: [
        ("x", "Integer expected: x"), ("", "Integer expected: "), ("50x", "Integer expected: 50x"), ("1.5", "Integer expected: 1.5"),
        ("0x5", "Integer expected: 0x5"), ("5 ", "Integer expected: 5 "), ("-", "Integer expected: -"), ("++5", "Integer expected: ++5"),
        ("101", "Number too large: 101"), ("-1", "Number too large: -1"),
        ("99999999999999999999", "Number too large: 99999999999999999999"),
    ])
    func `what is no number within the limit has its sentence`(text: String, sentence: String) {
        #expect(outcome { () throws(Ack) in try Argument.count(text, most: 100) }.sentence == sentence)
    }

    @Test func `a number with a sign has a limit on both sides`() {
        #expect(outcome { () throws(Ack) in try Argument.integer("-100", in: -100...100) }.value == -100)
        #expect(outcome { () throws(Ack) in try Argument.integer("-101", in: -100...100) }.sentence == "Number too large: -101")
        #expect(outcome { () throws(Ack) in try Argument.integer("-5000000000") }.sentence == "Number too large: -5000000000")
    }

    @Test func `a version may be any number`() {
        #expect(outcome { () throws(Ack) in try Argument.version("-1") }.value == .max)
        #expect(outcome { () throws(Ack) in try Argument.version("4294967296") }.value == 0)
        #expect(outcome { () throws(Ack) in try Argument.version("x") }.sentence == "Integer expected: x")
    }

    @Test(arguments: [("0", false), ("1", true), ("01", true), ("+1", true)])
    func `a flag is 0 or 1`(text: String, value: Bool) {
        #expect(outcome { () throws(Ack) in try Argument.flag(text) }.value == value)
    }

    @Test(arguments: ["2", "-1", "x", "true", "", "1x"]) func `another flag is refused`(text: String) {
        #expect(outcome { () throws(Ack) in try Argument.flag(text) }.sentence == "Boolean (0/1) expected: \(text)")
    }

    @Test(arguments: [
        ("3", 3..<4), ("0:2", 0..<2), ("1:1", 1..<1), ("2:", 2..<Int(Int32.max)), ("-1", 0..<Int(Int32.max)), ("0: 1", 0..<1),
        ("0:+1", 0..<1),
        ("+0", 0..<1), (" 0", 0..<1),
    ])
    func `a range has a start, and perhaps an end`(text: String, value: Range<Int>) {
        #expect(outcome { () throws(Ack) in try Argument.range(text) }.value == SongRange(start: value.lowerBound, end: value.upperBound))
    }

    @Test(arguments: [
        ("x", "Integer or range expected: x"), (":2", "Integer or range expected: :2"), (":", "Integer or range expected: :"),
        ("0:1:2", "Integer or range expected: 0:1:2"), ("2:x", "Integer or range expected: 2:x"), ("0x", "Integer or range expected: 0x"),
        ("0:0x", "Integer or range expected: 0:0x"), ("1:0", "Malformed range: 1:0"), ("-2", "Number is negative: -2"),
        ("-1:", "Number is negative: -1:"), ("-1:3", "Number is negative: -1:3"), ("1:-1", "Number is negative: 1:-1"),
        ("5000000000", "Number too large: 5000000000"), ("1:4294967296", "Number too large: 1:4294967296"),
    ])
    func `what is no range has its sentence`(text: String, sentence: String) {
        #expect(outcome { () throws(Ack) in try Argument.range(text) }.sentence == sentence)
    }

    @Test func `a range is cut to the list`() {
        #expect(SongRange.everything.within(3) == 0..<3)
        #expect(SongRange(start: 1, end: 99).within(3) == 1..<3)
        #expect(SongRange(5).within(3) == 3..<3)
    }

    @Test(arguments: [("0", 0), ("4", 4), ("+0", 2), ("+2", 4), ("-0", 1), ("-1", 0)])
    func `a place may be relative to the current song`(text: String, place: Int) {
        #expect(outcome { () throws(Ack) in try Argument.place(text, current: 1, length: 4) }.value == place)
    }

    @Test(arguments: [
        ("5", "Number too large: 5"), ("+3", "Number too large: 3"), ("-2", "Number too large: 2"), ("+", "Integer expected: "),
        ("-x", "Integer expected: x"), ("x", "Integer expected: x"),
    ])
    func `a place beyond the queue is refused`(text: String, sentence: String) {
        #expect(outcome { () throws(Ack) in try Argument.place(text, current: 1, length: 4) }.sentence == sentence)
    }

    @Test(arguments: ["+0", "-1", "+x"]) func `without a current song no place is relative`(text: String) {
        do throws(Ack) {
            _ = try Argument.place(text, current: nil, length: 4)
            Issue.record("\(text) was accepted")
        } catch {
            #expect(error == Ack(.playerState, "No current song"))
        }
    }

    @Test(arguments: [("0", 0), ("40.5", 40_500), ("1.", 1000), (".5", 500), (" 5", 5000), ("0x10", 16_000), ("nan", 0), ("inf", 0)])
    func `a time has fractions of a second`(text: String, ms: Int) {
        #expect(outcome { () throws(Ack) in try Argument.time(text) }.value == ms)
    }

    @Test(arguments: [
        ("x", "Float expected: x"), ("", "Float expected: "), ("1.5.5", "Float expected: 1.5.5"), ("1,5", "Float expected: 1,5"),
        ("5 ", "Float expected: 5 "), (":", "Float expected: :"), ("-1", "Negative value not allowed: -1"),
    ])
    func `what is no time has its sentence`(text: String, sentence: String) {
        #expect(outcome { () throws(Ack) in try Argument.time(text) }.sentence == sentence)
    }

    @Test func `a sign makes a time relative`() {
        #expect(outcome { () throws(Ack) in try Argument.jump("+5") }.value == .by(5000))
        #expect(outcome { () throws(Ack) in try Argument.jump("-1e2") }.value == .by(-100_000))
        #expect(outcome { () throws(Ack) in try Argument.jump("30") }.value == .to(30_000))
        #expect(outcome { () throws(Ack) in try Argument.jump("++5") }.sentence == "Float expected: ++5")
    }

    @Test func `a refusal is written as a line`() {
        #expect(Ack(.missing, "No such song").line(index: 2, command: "playid") == "ACK [50@2] {playid} No such song")
    }
}
