/// Pages of lists whose cursors are numbers, which remotes may send as they like.
import BatonCore
import BatonSeams
import Testing

@Suite struct PageWindowTests {
    private let list = (0..<5).map { ItemRow(uri: ItemURI("lib:track/\($0)"), tags: Tags(title: "\($0)")) }

    @Test func `pages follow each other to the end of a list`() {
        let first = ItemPage(of: list, in: PageWindow(limit: 2))
        #expect(first.rows == Array(list[0..<2]) && first.cursor == "2" && first.total == 5)
        #expect(ItemPage(of: list, in: PageWindow(limit: 2, cursor: "2")).cursor == "4")
        let last = ItemPage(of: list, in: PageWindow(limit: 2, cursor: "4"))
        #expect(last.rows == [list[4]] && last.cursor == nil)
    }

    @Test(arguments: ["-1", "9223372036854775807", "-9223372036854775808", "99999999999999999999", "x"])
    func `a number of a remote leads nowhere else and ends no hub`(cursor: String) {
        let page = ItemPage(of: list, in: PageWindow(limit: 500, cursor: cursor))
        #expect(page.rows == (cursor == "9223372036854775807" ? [] : list) && page.cursor == nil)
    }
}
