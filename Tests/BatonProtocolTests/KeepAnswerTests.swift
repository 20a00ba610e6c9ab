/// The section `keep`, the answer of `keep.list` and the marks of kept rows: the exact text, and its way back.
import BatonCore
import BatonProtocol
import BatonWire
import Testing

@Suite struct KeepAnswerTests {
    /// The answers that are tested here.
    static let contents: [any AnswerCoding.Type] = [KeptList.self]

    /// BT-SEC-keep BT-SEC-021
    @Test func `the section of what is kept`() throws {
        let section = KeepingSection(
            revision: 7, tracks: 60, whole: 22, bytes: 402_653_184, limit: 21_474_836_480,
            fetching: [.init(title: "Idioteque", percent: 41), .init(title: "Morning Bell", percent: 3)], sentence: "The disk is full.")
        let expected =
            #"{"rev":7,"tracks":60,"whole":22,"bytes":402653184,"limit":21474836480,"now":[{"title":"Idioteque","pct":41},{"title":"Morning Bell","pct":3}],"msg":"The disk is full."}"#
        #expect(text(section.encode) == expected)
        #expect(try KeepingSection(from: parse(expected)) == section)
    }

    /// BT-SEC-001
    @Test func `the section with the longest texts is no longer than it may be`() {
        let long = String(repeating: "\"", count: 500)
        let section = KeepingSection(
            revision: 1 << 53 - 1, tracks: 20_000, whole: 20_000, bytes: 1 << 53 - 1, limit: 1 << 53 - 1,
            fetching: [.init(title: long, percent: 100), .init(title: long, percent: 100)], sentence: long)
        #expect(text(section.encode).utf8.count <= Section.keeping.cap)
    }

    /// BT-KEEP-003
    @Test func `the list of what is kept`() throws {
        let list = KeptList(
            [
                .init(wish: .item(ItemURI("attic:album/2f")), title: "Kid A", kind: .album, tracks: 10, whole: 10, bytes: 312_475_648),
                .init(wish: .mostPlayed(50), title: "50 most played", tracks: 50, whole: 12, bytes: 9, left: 1, sentence: "It is away."),
                .init(wish: .favourites, title: "Favourites", tracks: 0, whole: 0, bytes: 0),
            ], bytes: 312_475_657, limit: 21_474_836_480, spare: 5)
        let expected =
            #"{"bytes":312475657,"limit":21474836480,"spare":5,"rows":[{"uri":"attic:album/2f","title":"Kid A","kind":"album","tracks":10,"whole":10,"bytes":312475648},{"rule":"played","n":50,"title":"50 most played","tracks":50,"whole":12,"bytes":9,"left":1,"msg":"It is away."},{"rule":"favourites","title":"Favourites","tracks":0,"whole":0,"bytes":0}]}"#
        #expect(text { list.encode(into: &$0, bytes: 48_000) } == expected)
        #expect(try KeptList(from: parse(expected)) == list)
    }

    @Test func `rows beyond a page are counted`() throws {
        let rows = (0..<500).map { number in
            KeptList.Row(
                wish: .item(ItemURI("attic:album/\(number)")), title: "Album \(number)", kind: .album, tracks: 1, whole: 0, bytes: 0)
        }
        let bytes = JSONWriter.bytes { KeptList(rows, bytes: 0, limit: 1).encode(into: &$0, bytes: 8_000) }
        let read = try KeptList(from: JSON.parse(bytes, limits: .init()))
        #expect(bytes.count <= 8_000 && read.rows.count > 50 && read.rows.count + read.more == 500)
    }

    /// BT-KEEP-005
    @Test func `a row says how much of it is kept, and whether its server has it`() throws {
        var row = ItemRow(uri: ItemURI("attic:track/1"), tags: Tags(title: "Song"))
        row.kept = KeepMark(percent: 41, hasLeft: true)
        let written = text(row.encode)
        #expect(written.contains(#""kept":41,"left":1"#))
        row.kept = nil
        #expect(!text(row.encode).contains("kept"))
    }

    /// BT-CMD-keep.set
    @Test(arguments: [
        #"{"on":true}"#, #"{"uri":"a:b/c","rule":"favourites","on":true}"#, #"{"rule":"favourites","n":3,"on":true}"#,
        #"{"rule":"played","n":1001,"on":true}"#, #"{"rule":"newest","on":true}"#, #"{"uri":"a:b/c"}"#,
    ]) func `what names nothing, two things or no rule is refused`(parameters: String) throws {
        let text = #"{"t":"cmd","id":1,"m":"keep.set","p":\#(parameters)}"#
        guard case .command(let frame) = try ClientMessage.decode(Array(text.utf8)) else { return #expect(Bool(false)) }
        #expect(throws: ProtocolFault.self) { try frame.command() }
    }
}
