/// Where a book stands in its series.
import BatonCore
import Testing

@Suite struct BookTagsTests {
    @Test func `books of a series stand in the order of their numbers, those without one behind`() {
        let numbers = ["10", "2", "", "1.5", "prequel", "1", "-3"]
        let inOrder = numbers.sorted { BookTags(number: $0).numberInSeries < BookTags(number: $1).numberInSeries }
        #expect(inOrder.prefix(4) == ["1", "1.5", "2", "10"])
    }
}
