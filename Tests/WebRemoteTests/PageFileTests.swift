import Testing

@testable import PageEmbedder

@Suite struct `A file of the page is made smaller on its way into the hub` {
    @Test(arguments: [
        ("a\n  b\n", "a\nb"), ("// Why.\na", "a"), ("/* Why. */\na", "a"), ("/* Why:\n   because.\n*/\na\n\n\nb", "a\nb"),
        ("import '../parts/base.js'", "import './base.js'"), ("import('./base.js')", "import('./base.js')"),
        ("'../base.css'", "'../base.css'"),
        ("let a = 1; // stays", "let a = 1; // stays"), ("a /* stays */ b", "a /* stays */ b"), ("//host/path", "//host/path"), ("", ""),
    ])
    func `indentation, empty lines and lines that are a comment are not served`(text: String, served: String) throws {
        #expect(try PageFile(name: "a.js", text: text).served() == served)
    }

    @Test(arguments: [("a\n/* b */ c", 2), ("/* a\n b */ c\n", 2), ("/* a */ b /* c */", 1)])
    func `text behind a comment that begins its line is refused with the number of the line`(text: String, line: Int) {
        let refusal = #expect(throws: PageFile.Refusal.self) { try PageFile(name: "a.js", text: text).served() }
        #expect(refusal?.line == line)
    }

    @Test(arguments: [
        ("say(\"a\")", "\"say(\\\"a\\\")\""), ("a\tb\r\nc", "\"a\\u{9}b\\u{d}\\nc\""), ("\\(x) ${y}", "\"\\\\(x) ${y}\""),
        ("ü…🎵", "\"ü…🎵\""),
    ])
    func `every text is a literal that means the same`(text: String, literal: String) {
        #expect(PageFile.literal(text) == literal)
    }
}
