import BatonClient
import BatonCore
import BatonProtocol
import BatonWire
import Configuration
import Glibc
import Testing

@testable import baton

@Suite struct `A playlist file is read and written where it lies` {
    private func stop(_ read: () throws -> Void) -> Stop? {
        do { try read() } catch { return error as? Stop }
        return nil
    }

    private static let lists: [PlaylistText] = [
        PlaylistText(
            title: "Sunday", [entry("/srv/music/Kid A/01 Everything.flac", "lib:track/8a1f", "Everything", ["Radiohead"], 251_000)]),
        PlaylistText([
            entry("/srv/music/100% é #1.mp3", "lib:track/1", "100% é", [], nil),
            entry("lib:track/2", "lib:track/2", "שלום", ["A", "B"], 1000),
        ]),
        PlaylistText(title: "Radio", [PlaylistText.Entry("http://radio.example/a b?c=d&e", tags: Tags(title: "A station"))]),
        PlaylistText(title: "\"quoted\" \\ and <odd>", []),
    ]

    private static func entry(_ name: String, _ item: String, _ title: String, _ artists: [String], _ ms: Milliseconds?)
        -> PlaylistText.Entry
    {
        PlaylistText.Entry(name, item: item, tags: Tags(title: title, artists: artists, durationMs: ms))
    }

    @Test(arguments: ["m3u", "m3u8", "pls"]) func `a list with more entries than a playlist holds is refused before the hub is asked`(
        form: String
    )
        throws
    {
        let path = "/tmp/baton-long-list-\(UInt64.random(in: 0 ... .max)).\(form)"
        defer { unlink(path) }
        func write(_ count: Int) throws {
            try PlaylistFile.write((1...count).map { form == "pls" ? "File\($0)=\($0).mp3\n" : "\($0).mp3\n" }.joined(), to: path)
        }
        try write(10_000)
        #expect(try PlaylistFile(path).read().entries.count == 10_000)
        try write(10_001)
        let refused = stop { _ = try PlaylistFile(path).read() }
        #expect(refused?.sentence.contains("10001 entries") == true)
    }

    @Test(arguments: 0..<4, ["x.jspf", "x.m3u8"]) func `what is written names the same things when it is read`(index: Int, name: String)
        throws
    {
        let list = Self.lists[index]
        let file = try PlaylistFile("/srv/music/lists/\(name)")

        let text = try file.text(of: list)
        let read = name.hasSuffix("jspf") ? try JSPF.read(Array(text.utf8)) : PlaylistText(m3u: text)

        #expect(read.title == list.title)
        #expect(read.entries.map { file.candidates($0) } == list.entries.map { file.candidates($0) })
        #expect(read.entries.map(\.tags?.title) == list.entries.map(\.tags?.title))
    }

    @Test func `what lies below the list is named from there, so that the folder can be carried away`() throws {
        let list = PlaylistText([PlaylistText.Entry("/srv/music/a/b c.flac"), PlaylistText.Entry("/srv/other/d.flac")])

        #expect(try PlaylistFile("/srv/music/x.m3u8").text(of: list) == "#EXTM3U\na/b c.flac\n/srv/other/d.flac\n")
        #expect(try PlaylistFile("/srv/music/x.jspf").text(of: list).contains(#""location":["a/b%20c.flac"]"#))
        // Carried elsewhere, it means what lies beside it there.
        let carried = try PlaylistFile("/mnt/usb/x.m3u8")
        #expect(carried.candidates(PlaylistText.Entry("a/b c.flac")) == ["/mnt/usb/a/b c.flac"])
    }

    @Test(arguments: [
        ("a.flac", ["/lists/a.flac"]), ("../a.flac", ["/lists/../a.flac"]), ("..\\sub\\a.flac", ["/lists/../sub/a.flac"]),
        ("/m/a.flac", ["/m/a.flac"]),
        ("file:///m/a%20b.flac", ["/m/a b.flac"]), ("FILE://localhost/m/a.flac", ["/m/a.flac"]), ("file://elsewhere/m/a.flac", []),
        ("http://radio.example/", ["http://radio.example/"]), ("lib:track/8a1f", ["lib:track/8a1f"]),
        ("Part 1: one.flac", ["/lists/Part 1: one.flac"]),
        ("C:\\music\\a.flac", ["/lists/C:/music/a.flac"]), ("100%.flac", ["/lists/100%.flac"]), ("", []),
    ])
    func `what a name means`(name: String, candidates: [String]) throws {
        #expect(try PlaylistFile("/lists/x.m3u8").candidates(PlaylistText.Entry(name)) == candidates)
    }

    @Test func `our own item comes before the name that other programs know`() throws {
        let entry = PlaylistText.Entry("a.flac", item: "lib:track/8a1f")

        #expect(try PlaylistFile("/lists/x.jspf").candidates(entry) == ["lib:track/8a1f", "/lists/a.flac"])
    }

    @Test func `a list in JSON of another program is read as far as it goes`() throws {
        let text = #"""
            {"@context":"x","playlist":{"title":"","creator":"me","track":[{"location":"one.mp3","duration":-5,"meta":[{"a":[1,{"b":null}]}]},
            {"title":"Only a title","creator":"Her"},{},{"location":[],"identifier":["urn:isrc:x","lib:track/9"]},7]}}
            """#

        let list = try JSPF.read([0xEF, 0xBB, 0xBF] + Array(text.utf8))

        #expect(list.title == nil)
        #expect(list.entries.map(\.name) == ["one.mp3", "", "lib:track/9"])
        #expect(list.entries[1].tags == Tags(title: "Only a title", artists: ["Her"]))
    }

    @Test(arguments: ["", "[]", "{}", #"{"playlist":3}"#, #"{"playlist":{"title":"a","title":"b"}}"#, "not json", "{\"playlist\":{}} x"])
    func `what is no list in JSON`(text: String) {
        #expect(throws: JSONFault.self) { try JSPF.read(Array(text.utf8)) }
    }

    @Test(arguments: 0..<300 as Range<UInt64>) func `noise in a list ends nothing`(seed: UInt64) {
        var random = SeededGenerator(seed)
        var bytes = Array(JSPF.text(of: Self.lists[1]).utf8)
        for _ in 0..<Int.random(in: 1..<6, using: &random) {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            if Bool.random(using: &random) { bytes[place] = UInt8.random(in: 0...255, using: &random) } else { bytes.remove(at: place) }
        }

        _ = try? JSPF.read(bytes)
    }

    @Test func `a file that does not say its form is asked for one`() {
        #expect(stop { _ = try PlaylistFile("list") }?.exit == .usage)
        #expect(stop { _ = try PlaylistFile("/a.b/list.txt") }?.sentence.contains(".m3u8 or .jspf") == true)
        #expect(stop { _ = try PlaylistFile("x.m3u8").read() }?.exit == .refused)
    }

    // MARK: Rules

    private func rule(_ words: String...) throws -> SmartRule {
        let options: [Arguments.Option] = [
            .init("any", .flag, help: ""), .init("order", .value("X"), help: ""), .init("desc", .flag, help: ""),
            .init("limit", .value("N"), help: ""),
        ]
        let arguments = try Arguments(words, options: options)
        return try SmartWords(arguments.words, arguments).rule
    }

    @Test func `a rule as people type it`() throws {
        #expect(
            try rule("stars>=4", "genre~jazz", "year!=1999")
                == SmartRule([.init(.stars, .atLeast, value: "4"), .init(.genre, .has, value: "jazz"), .init(.year, .isNot, value: "1999")])
        )
        #expect(
            try rule("stars<3", "year>1999", "genre in jazz, trip hop", "added since 2024-02-29")
                == SmartRule([
                    .init(.stars, .below, value: "3"), .init(.year, .above, value: "1999"), .init(.genre, .oneOf, value: "jazz|trip hop"),
                    .init(.addedDays, .since, value: "2024-02-29"),
                ]))
        #expect(
            try rule("title=a>=b", "--any", "--order", "plays", "--desc", "--limit", "20")
                == SmartRule([.init(.title, .is, value: "a>=b")], matchesAny: true, order: .plays, isDescending: true, limit: 20))
    }

    @Test(arguments: ["stars", "colour=red", ">=4", ""]) func `what is no rule`(word: String) {
        #expect(stop { _ = try rule(word) }?.exit == .usage)
    }

    @Test func `a number may stand behind a flag`() throws {
        let options: [Arguments.Option] = [.init("play", .number, help: ""), .init("all", .flag, help: "")]
        #expect(try Arguments(["kid", "--play", "3"], options: options)["play"] == "3")
        #expect(try Arguments(["kid", "--play", "a"], options: options).words == ["kid", "a"])
        #expect(try Arguments(["--play=7"], options: options)["play"] == "7")
        #expect(throws: Arguments.Fault.self) { try Arguments(["--play=x"], options: options) }
    }

    @Test func `two recordings of one song differ in their length`() {
        let one = Tags(title: "Kid A", artists: ["Radiohead"], durationMs: 251_000)
        #expect(PlaylistImport.isAlike(one, Tags(title: "kid a", artists: ["RADIOHEAD"])))
        #expect(!PlaylistImport.isAlike(one, Tags(title: "Kid A", artists: ["Radiohead"], durationMs: 300_000)))
        #expect(!PlaylistImport.isAlike(one, Tags(title: "Kid A", artists: ["Somebody"])))
    }
}
