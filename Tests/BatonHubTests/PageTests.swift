import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import Testing

@testable import BatonHub
@testable import BatonKernel
@testable import Companion

@Suite struct `Pages go on where they ended` {
    static let words = ["", "a", ";", "%", "%3B", "a;b=c%25", "ü;…", "=.;%"]

    @Test(arguments: words) func `a source's own word comes back as it was`(word: String) {
        let cursor = PageCursor([("lib", .page(word, skipping: 7)), ("radio", .from(80))])
        #expect(PageCursor(cursor.text) == cursor)
    }

    @Test func `what is written is what the documents show`() {
        #expect(PageCursor([("lib", .from(80)), ("pl", .page("x;y", skipping: 3))]).text == "lib=f80;pl=c3.x%3By")
    }

    private static func page(_ source: String, _ rows: Range<Int>, more: Bool, at position: PageCursor.Position = .from(0))
        -> PageShares.Part
    {
        let rows = rows.map { ItemRow(uri: ItemURI("\(source):track/\($0)"), tags: Tags()) }
        return PageShares.Part(source: source, position: position, page: ItemPage(rows, cursor: more ? "next" : nil))
    }

    @Test func `what one source leaves over goes to the others`() {
        let shares = PageShares([Self.page("a", 0..<3, more: false), Self.page("b", 0..<50, more: true)])
        let page = shares.page(limit: 20) { $0.fitting(.max) }
        #expect(page.rows.count == 20)
        #expect(page.rows.count { $0.uri.source == "a" } == 3)
        #expect(page.cursor == "b=f17")
        #expect(shares.page(limit: 53) { $0.fitting(.max) }.cursor == "b=c0.next")
    }

    @Test func `a page that is cut for its bytes goes on with the row that was cut off`() {
        let shares = PageShares([Self.page("a", 0..<50, more: true)])
        let page = shares.page(limit: 50) { $0.fitting(400 + 10 * ItemRow.mostMarkBytes) }
        #expect(5..<20 ~= page.rows.count)
        #expect(page.cursor == "a=f\(page.rows.count)")
    }

    @Test func `a page that begins inside a source's own skips what was shown`() {
        let shares = PageShares([Self.page("a", 0..<50, more: true, at: .page("word", skipping: 10))])
        let page = shares.page(limit: 20) { $0.fitting(.max) }
        #expect(page.rows.first?.uri.text == "a:track/10")
        #expect(page.cursor == "a=c30.word")
    }

    @Test func `a source that is asked in vain is asked more and more seldom`() {
        #expect((1...8).map(SourceHealth.pause(after:)) == [5, 10, 20, 40, 80, 160, 300, 300].map { .seconds($0) })
    }
}
