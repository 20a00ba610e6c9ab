/// The answers about bookmarks: the exact text, and its way back.
import BatonCore
import BatonProtocol
import BatonWire
import Testing

@Suite struct BookmarkTextTests {
    /// The answers that are tested here.
    static let contents: [any AnswerCoding.Type] = [BookmarkList.self]

    /// BT-CMD-mark.list, BT-CMD-mark.add, BT-CMD-mark.edit
    @Test func `a list of bookmarks`() throws {
        let place = BookmarkPlace(uri: ItemURI("file:b"), positionMs: 5, title: "Harbour", album: "Tales", chapter: "One")
        let list = BookmarkList([Bookmark(id: 7, place: place, note: "who?", author: "Anna", atMs: 9)], total: 2, cursor: "1")
        let expected =
            #"{"total":2,"marks":[{"id":7,"uri":"file:b","posMs":5,"title":"Harbour","album":"Tales","chapter":"One","note":"who?","by":"Anna","atMs":9}],"cursor":"1"}"#
        #expect(text { list.encode(into: &$0, bytes: 1_000) } == expected)
        #expect(try BookmarkList(from: parse(expected)) == list)
    }

    @Test func `a page ends where its bytes do, and its cursor names the next row`() throws {
        let place = BookmarkPlace(uri: ItemURI("file:b"), positionMs: 5, title: "Harbour")
        let rows = (1...50).map { Bookmark(id: $0, place: place, atMs: 9) }
        let sent = text { BookmarkList(rows, total: 90, cursor: "70").encode(into: &$0, bytes: 400) }
        let page = try BookmarkList(from: parse(sent))
        #expect(page.rows == Array(rows.prefix(page.rows.count)) && page.rows.count < 50)
        #expect(page.cursor == "\(20 + page.rows.count)")
    }
}
