import Testing

@testable import MPD

/// Regular expressions match as Perl's do.
@Suite struct PatternTests {
    private func matches(_ pattern: String, _ text: String, foldsCase: Bool = false) throws -> Bool {
        try Pattern(pattern, foldsCase: foldsCase).matches(Array(text.utf8)[...])
    }

    @Test(
        arguments: [
            ("", "", true), ("", "x", true), ("awn", "Dawn", true), ("^D.*n$", "Dawn", true), ("^D.*n$", "Dawns", false),
            ("^awn", "Dawn", false),
            ("a|b", "xb", true), ("^(a|bc)+$", "abcbca", true), ("^(a|bc)+$", "abca_", false), ("^a{2}$", "aa", true),
            ("^a{2}$", "aaa", false),
            ("^a{2,}$", "aaaa", true), ("^a{1,2}b?$", "aab", true), ("^a{1,2}$", "aaa", false), ("a{x", "a{x", true),
            ("x{,2}", "x{,2}", true),
            ("^[abc]+$", "cab", true), ("^[^abc]+$", "xyz", true), ("^[^abc]+$", "xaz", false), ("^[a-c-]+$", "b-", true),
            ("^[]x]+$", "]x", true),
            ("^[\\d-]+$", "20-1", true), ("^[[:alpha:]]+$", "Abc", true), ("^[[:alpha:]]+$", "Ab1", false),
            ("\\bnoon\\b", "at noon.", true),
            ("\\bnoon\\b", "afternoon", false), ("^\\w+\\s\\w+$", "two words", true), ("^\\S+$", "two words", false),
            ("\\.mp3$", "a.mp3", true),
            ("\\.mp3$", "amp3", false), ("^.$", "æ", true), ("^\\x41\\x{e6}$", "Aæ", true), ("(?:ab)+c", "xababc", true),
            ("(?i)dawn", "DAWN", true),
            ("^(a*)*$", "aaaa", true), ("(a?)*b", "b", true), ("^$", "", true), ("n$", "n\n", true), ("n\\z", "n\n", false),
            ("a+?b", "aab", true),
            ("()|x", "", true),
        ] as [(String, String, Bool)])
    func `an expression finds its text`(pattern: String, text: String, isFound: Bool) throws {
        #expect(try matches(pattern, text) == isFound)
    }

    @Test(arguments: [("dawn", "DAWN"), ("[a-c]X", "Bx"), ("æ", "Æ"), ("^\\x{c6}", "ær"), ("[^a]", "b")])
    func `case may not count`(pattern: String, text: String) throws {
        #expect(try matches(pattern, text, foldsCase: true))
    }

    @Test func `a set without a letter is without regard to case, too`() throws {
        #expect(try !matches("^[^a]$", "A", foldsCase: true))
        #expect(try matches("^[^a]$", "A"))
    }

    @Test(arguments: [
        ("(", 1, "missing closing parenthesis"), (")", 0, "unmatched closing parenthesis"), ("a)", 1, "unmatched closing parenthesis"),
        ("[a", 2, "missing terminating ] for character class"), ("*a", 0, "quantifier does not follow a repeatable item"),
        ("a|+", 2, "quantifier does not follow a repeatable item"), ("\\", 1, "\\ at end of pattern"),
        ("(a)\\1", 5, "unrecognized character follows \\"),
        ("[b-a]", 4, "range out of order in character class"), ("a{3,2}", 6, "numbers out of order in {} quantifier"),
        ("(?<=a)b", 2, "unrecognized character after (? or (?-"), ("a++", 2, "possessive quantifiers are not supported"),
    ])
    func `what is no expression is refused`(pattern: String, offset: Int, sentence: String) {
        #expect(throws: Ack(.argument, "Error in regex at offset \(offset): \(sentence)")) { try Pattern(pattern, foldsCase: false) }
    }

    @Test func `no expression takes long`() throws {
        let text = String(repeating: "a", count: 2_000)
        let start = ContinuousClock.now
        #expect(try !matches("^(a+)+$", text + "!"))
        #expect(try !matches(String(repeating: "a?", count: 200) + String(repeating: "a", count: 200) + "!", text))
        #expect(start.duration(to: .now) < .seconds(60))
        #expect(throws: Ack.self) { try Pattern("((a{100}){100}){100}", foldsCase: false) }
        #expect(throws: Ack.self) { try Pattern(String(repeating: "(", count: 4_000), foldsCase: false) }
    }

    @Test(arguments: 0..<100)
    func `noise is refused, or matches`(seed: UInt64) {
        var random = SystemRandomNumberGenerator()
        let letters: [Character] = [
            "a", "b", "(", ")", "[", "]", "*", "+", "?", "{", "}", "2", ",", "|", "^", "$", "\\", "-", ".", ":", "i",
        ]
        for _ in 0..<50 {
            let text = String((0..<Int.random(in: 0..<20, using: &random)).map { _ in letters.randomElement(using: &random)! })
            _ = try? matches(text, "abab-2", foldsCase: seed % 2 == 0)
        }
    }
}
