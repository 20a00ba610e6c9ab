/// The section `src` and the answers about accounts at servers: the exact text, and its way back.
import BatonCore
import BatonProtocol
import BatonWire
import Testing

@Suite struct SourceAnswerTests {
    /// The answers that are tested here.
    static let contents: [any AnswerCoding.Type] = [SourceList.self, SourceTested.self, PendingNotes.self]

    /// BT-SEC-src BT-SEC-020
    @Test func `the section of sources`() throws {
        let section = SourcesSection([
            .init(
                name: "attic", kind: "subsonic", title: "The attic", state: .ok, sinceMs: 1_700_000_000_123, latencyMs: 41, pending: 2,
                refused: 1, repeated: 3, abilities: ["browse", "plays"], mirror: .init(rows: 30412, atMs: 1_699_990_000_123),
                saved: .init(title: "Idioteque", positionMs: 133_000, atMs: 1_699_999_000_123)),
            .init(name: "cabin", kind: "subsonic", title: "cabin", state: .down, sentence: "It is away.", mirror: .init(rows: 0, done: 7)),
        ])
        let expected =
            #"{"list":[{"name":"attic","kind":"subsonic","title":"The attic","state":"ok","sinceMs":1700000000123,"ms":41,"pending":2,"refused":1,"repeated":3,"can":["browse","plays"],"mirror":{"rows":30412,"atMs":1699990000123},"continue":{"title":"Idioteque","ms":133000,"atMs":1699999000123}},{"name":"cabin","kind":"subsonic","title":"cabin","state":"down","msg":"It is away.","mirror":{"rows":0,"done":7}}]}"#
        #expect(text(section.encode) == expected)
        #expect(try SourcesSection(from: parse(expected)) == section)
    }

    @Test func `a state from a newer hub is kept as it is`() throws {
        let section = try SourcesSection(from: parse(#"{"list":[{"name":"a","kind":"b","title":"c","state":"dreaming"}]}"#))
        #expect(section.sources.first?.state == .unrecognised("dreaming"))
    }

    /// BT-SEC-001
    @Test func `sixteen accounts of the longest texts fit into the section or are counted`() throws {
        let long = String(repeating: "x", count: 300)
        let section = SourcesSection(
            (0..<16).map { .init(name: "attic-\($0)", kind: "subsonic", title: long, state: .down, sentence: long, abilities: ["browse"]) })
        let bytes = text(section.encode)
        let read = try SourcesSection(from: parse(bytes))
        #expect(bytes.utf8.count <= Section.sources.cap && read.sources.count + read.more == 16)
    }

    /// BT-SRC-001
    @Test func `the list of accounts`() throws {
        let list = SourceList(
            [.init(name: "attic", kind: "subsonic", title: "The attic", isConfigured: true, url: "http://a", options: ["q": "raw"])],
            kinds: [
                .init(name: "subsonic", title: "Subsonic", login: ["apiKey"], options: [.init(name: "q", about: "Quality.", usual: "raw")])
            ])
        let expected =
            #"{"kinds":[{"name":"subsonic","title":"Subsonic","login":["apiKey"],"options":[{"name":"q","about":"Quality.","usual":"raw"}]}],"sources":[{"name":"attic","kind":"subsonic","title":"The attic","on":true,"conf":1,"url":"http://a","options":{"q":"raw"}}]}"#
        #expect(text { list.encode(into: &$0, bytes: 48_000) } == expected)
        #expect(try SourceList(from: parse(expected)) == list)
    }

    @Test func `what a test of an account came to`() throws {
        let tested = SourceTested(state: .down, sentence: "It is away.", latencyMs: 41)
        let expected = #"{"state":"down","msg":"It is away.","ms":41}"#
        #expect(text(tested.encode) == expected)
        #expect(try SourceTested(from: parse(expected)) == tested)
    }

    /// BT-SRC-009
    @Test func `what waits for a server`() throws {
        let notes = PendingNotes(
            [.init(what: "played", uri: ItemURI("attic:track/1"), atMs: 5, tries: 2, isRefused: true, sentence: "No.")], total: 3,
            dropped: 1)
        let expected =
            #"{"total":3,"dropped":1,"notes":[{"what":"played","uri":"attic:track/1","atMs":5,"tries":2,"refused":1,"msg":"No."}]}"#
        #expect(text { notes.encode(into: &$0, bytes: 48_000) } == expected)
        #expect(try PendingNotes(from: parse(expected)) == notes)
    }

    @Test(arguments: [
        ("attic", true), ("a", true), ("a-1", true), ("", false), ("Attic", false), ("1a", false), ("-a", false), ("a_b", false),
        ("a:b", false),
        (String(repeating: "a", count: 33), false), ("ä", false),
    ]) func `a source has a plain name`(name: String, isOne: Bool) { #expect(SourceText.isName(name) == isOne) }

    @Test(arguments: [
        ("http://a", true), ("HTTPS://music.example.org:4533/sub/", true), ("http://[::1]:4533", true), ("ftp://a", false),
        ("http://", false), ("http://:80", false), ("http://user@host", false), ("http://user:word@host/", false),
        ("http://host/?u=anna", false), ("http://host/#x", false), ("http://ho st", false), ("http://host/\u{7}", false), ("host", false),
    ]) func `the url of a server has no user and no password in it`(url: String, isOne: Bool) {
        #expect(SourceText.isServerURL(url) == isOne)
    }

    /// BT-SRC-002
    @Test func `a login does not show its secrets`() {
        let source = Commands.SourceAdd("attic", kind: "subsonic", url: "http://a", login: SourceLogin(user: "anna", password: "sesame"))
        var dumped = "\(source) \(String(reflecting: source))"
        dump(source, to: &dumped)
        #expect(!dumped.contains("sesame") && !dumped.contains("anna"))
    }

    /// BT-SRC-002
    @Test func `a fault does not repeat what was wrong`() throws {
        for parameters in [#""password":7"#, #""url":"http://anna:sesame@host""#, #""options":{"Q":"sesame"}"#] {
            let text = #"{"t":"cmd","id":1,"m":"source.set","p":{"name":"attic",\#(parameters)}}"#
            guard case .command(let frame) = try ClientMessage.decode(Array(text.utf8)) else { continue }
            let fault = #expect(throws: ProtocolFault.self) { try frame.command() }
            #expect(fault?.sentence.contains("sesame") == false)
        }
    }
}
