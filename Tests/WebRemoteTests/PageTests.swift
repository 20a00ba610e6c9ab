import Foundation
import Testing

@testable import PageEmbedder
@testable import WebRemote

@Suite struct `The files of the page on their way into the hub` {
    /// What gzip, a program that is not ours, makes of the bytes.
    private func unpacked(_ bytes: [UInt8]) throws -> [UInt8] {
        let input = FileManager.default.temporaryDirectory.appending(path: "baton-\(UUID().uuidString).gz")
        try Data(bytes).write(to: input)
        defer { try? FileManager.default.removeItem(at: input) }
        let program = Process(), output = Pipe()
        program.executableURL = URL(filePath: "/usr/bin/env")
        program.arguments = ["gzip", "-dc", input.path]
        program.standardOutput = output
        try program.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        program.waitUntilExit()
        #expect(program.terminationStatus == 0)
        return Array(data)
    }

    @Test func `each text has a compressed form that another program reads as the same text`() throws {
        let all = WebRemote.embedded.compactMap { WebRemote.file(at: "/page/\(WebRemote.version)/\($0.name)") }.filter(\.isText)
        #expect(all.count > 50)

        // Members of gzip may follow one another, so one call reads all of them.
        #expect(try unpacked(all.flatMap(\.gzipped)) == all.flatMap(\.bytes))
        #expect(all.allSatisfy { $0.gzipped.count < $0.bytes.count })
    }

    @Test(arguments: [[], [0], [255, 0], [1, 2, 3], Array(0...255)] as [[UInt8]])
    func `bytes survive the way through base64`(bytes: [UInt8]) {
        #expect(base64(bytes) == Data(bytes).base64EncodedString())
        let page = Page(texts: [], pictures: [("a.png", bytes)])
        #expect(page.entries.map(\.content) == [Data(bytes).base64EncodedString()])
    }

    @Test func `any change of a text, a picture or a name is another version`() {
        let texts = [("a.js", "a"), ("b.js", "b")], pictures = [("c.png", [UInt8(1)])]
        let versions = [
            Page(texts: texts, pictures: pictures), Page(texts: [("a.js", "A"), ("b.js", "b")], pictures: pictures),
            Page(texts: texts, pictures: [("c.png", [2])]), Page(texts: [("a.js", "a"), ("d.js", "b")], pictures: pictures),
        ].map(\.version)

        #expect(Set(versions).count == 4)
        #expect(Page(texts: texts.reversed(), pictures: pictures).version == versions[0])
    }

    @Test func `two files of one name are refused, in whatever folders they lie`() {
        #expect(Page.clash(among: ["page/rooms/line.js", "page/queue/row.js", "page/lang/en.json", "page/en.json"]) == nil)

        let clash = Page.clash(among: ["page/rooms/line.js", "page/queue/row.js", "page/queue/line.js"])
        #expect(clash?.hasPrefix("page/queue/line.js:1: error: it would be served as line.js, as page/rooms/line.js is") == true)
    }

    @Test func `a text names the version and all files`() {
        let page = Page(texts: [("a.js", "'/page/@/b.js' '@version' '@files'"), ("b.js", "b")], pictures: [("c.png", [1])])

        #expect(page.entries.first?.content == "'/page/\(page.version)/b.js' '\(page.version)' 'a.js b.js c.png'")
    }

    @Test func `the sheet of all parts is named by no text, for a release has none of it`() {
        let page = Page(texts: [("a.js", "'@files'"), ("design.js", "b")], pictures: [], design: ["design.js"])

        #expect(page.entries.map(\.content) == ["'a.js'", "b"])
        #expect(["page/design/a.js", "page/parts/design.js"].map(Page.isOfDesign) == [true, false])
    }

    @Test func `a text names the modules that begin with the remote, each once, those of Home, and not those that are loaded later`() {
        let texts = [
            ("a.js", "'@modules' '@home'"), ("library.js", "import './parts.js';\nimport './rows.js'"), ("rows.js", ""),
            ("parts.js", "import './state.js';\nexport const a = () => import('./late.js')"), ("late.js", ""),
            ("remote.js", "import { a,\nb } from './deck.js';\nimport { c } from './parts.js';\nc()"), ("state.js", ""),
            ("deck.js", "import { c } from './parts.js';\n// import d from './no.js'"),
        ]

        #expect(Page(texts: texts, pictures: []).entries.first?.content == "'remote.js deck.js parts.js state.js' 'library.js rows.js'")
    }

    @Test func `a text names the languages, and how many texts the English one has`() {
        let english = "{\n\"a\": \"A\",\n\"b\": { \"one\": \"B\", \"other\": \"Bs\" }\n}"
        let texts = [
            ("a.js", "'@languages' @texts"), (Page.name(of: "page/lang/en.json"), english), (Page.name(of: "page/lang/de.json"), "{}"),
        ]
        let page = Page(texts: texts, pictures: [])

        #expect(page.entries.map(\.name) == ["a.js", "lang-de.json", "lang-en.json"])
        #expect(page.entries.first?.content == "'de en' 2")
    }
}
