import Testing

@testable import MPD

/// Lines are cut into words as mpd 0.23.12 was seen to do.
@Suite struct LineWordsTests {
    private func words(_ line: String) -> [String]? { words(Array(line.utf8)) }

    private func words(_ line: [UInt8]) -> [String]? {
        guard let words = try? LineWords(line) else { return nil }
        return [words.command] + words.arguments
    }

    private func fault(_ line: String) -> LineWords.Fault? {
        do throws(LineWords.Fault) {
            _ = try LineWords(Array(line.utf8))
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        ("ping", ["ping"]), ("ping ", ["ping"]), ("ping\t", ["ping"]), ("ping\u{1}", ["ping"]), ("pinG", ["pinG"]), ("p9_", ["p9_"]),
        ("find  artist   \"Amber Lane\"  ", ["find", "artist", "Amber Lane"]), ("find artist\t\"a\"", ["find", "artist", "a"]),
        ("find artist \"\"", ["find", "artist", ""]), ("find \"artist\" C++", ["find", "artist", "C++"]),
        ("find title \"\\\"Quoted\\\"\"", ["find", "title", "\"Quoted\""]),
        ("find title \"Back\\\\slash\"", ["find", "title", "Back\\slash"]),
        ("find title \"It's\"", ["find", "title", "It's"]), ("find artist \"Amber\\Lane\"", ["find", "artist", "AmberLane"]),
        ("find artist Amber\\ Lane", ["find", "artist", "Amber\\", "Lane"]), ("find artist \"a\tb\"", ["find", "artist", "a\tb"]),
        ("find artist a\u{1}b", ["find", "artist", "a", "b"]), ("find title Ærø", ["find", "title", "Ærø"]),
    ])
    func `words are read with and without quotes`(line: String, expected: [String]) {
        #expect(words(line) == expected)
    }

    @Test(arguments: ["", " ping", "\tping", "PING", "GET / HTTP/1.1", "1", "_", "éping", "\"ping\""])
    func `a line that begins with no small letter ends the connection`(line: String) {
        #expect(fault(line) == .foreign)
    }

    @Test(arguments: ["pi-ng", "ping!", "add\"x\"", "pi\u{E9}"])
    func `a command that is no word ends the connection after its answer`(line: String) {
        #expect(fault(line) == .farewell(Ack(.unknown, "Invalid word character")))
    }

    @Test(arguments: [
        ("find artist 'Amber Lane'", "Invalid unquoted character"), ("find title It's", "Invalid unquoted character"),
        ("find artist Amb\"er", "Invalid unquoted character"), ("find artist \\\"Amber", "Invalid unquoted character"),
        ("find artist \"Amber\" Lane\"", "Invalid unquoted character"), ("find artist \"Amber Lane", "Missing closing '\"'"),
        ("find artist \"\\", "Missing closing '\"'"), ("find artist \"a\" \"", "Missing closing '\"'"),
        ("find \"a\\\"", "Missing closing '\"'"),
        ("find artist \"Amber Lane\"x", "Space expected after closing '\"'"), ("find \"\"\"\"", "Space expected after closing '\"'"),
    ])
    func `a wrong quote has its sentence`(line: String, sentence: String) {
        #expect(fault(line) == .refused(Ack(.unknown, sentence)))
    }

    @Test func `there may be 63 arguments`() {
        #expect(words("find" + String(repeating: " x", count: 63))?.count == 64)
        #expect(fault("find" + String(repeating: " x", count: 64)) == .refused(Ack(.argument, "Too many arguments")))
    }

    @Test func `a line ends with its first zero`() {
        #expect(words(Array("ping\0 x".utf8)) == ["ping"])
        #expect(fault("find artist \"a\0b\"") == .refused(Ack(.unknown, "Missing closing '\"'")))
        #expect(fault("\0ping") == .foreign)
    }

    @Test func `bytes that are no text are replaced`() {
        #expect(words(Array("find artist \"".utf8) + [0xFF] + Array("\"".utf8)) == ["find", "artist", "\u{FFFD}"])
        #expect(words(Array("ping ".utf8) + [0xA0]) == ["ping", "\u{FFFD}"])
    }

    @Test(arguments: 0..<50 as Range<UInt64>) func `what is quoted is read as it was`(seed: UInt64) {
        var state = seed
        func next(_ below: UInt64) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % below)
        }
        let letters = Array("ab \"'\\\t()=Æ")
        let texts = (0..<next(9) + 1).map { _ in String((0..<next(12)).map { _ in letters[next(UInt64(letters.count))] }) }
        let quoted = texts.map { "\"" + $0.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\"" }

        #expect(words("find " + quoted.joined(separator: " ")) == ["find"] + texts, "seed \(seed)")
    }
}
