/// The answers about places: the exact text, and its way back.
import BatonCore
import BatonProtocol
import BatonWire
import Testing

@Suite struct PlaceTextTests {
    /// The answers that are tested here.
    static let contents: [any AnswerCoding.Type] = [ProgressList.self, AsleepPlaces.self]

    private var place: ItemPlace {
        ItemPlace(positionMs: 615_000, isFinished: true, session: SessionID("s1"), device: "Phone", room: RoomID("den"), atMs: 7)
    }

    /// BT-CMD-progress.list
    @Test func `places of an item`() throws {
        let item = ItemRow(uri: ItemURI("podcast:episode/1"), tags: Tags(title: "Tide", durationMs: 9))
        let bare = PlacedItem(uri: ItemURI("a:b"))
        let list = ProgressList([.init(uri: item.uri, item: item, place: place, sides: [place]), bare], cursor: "2")
        let written = #"{"posMs":615000,"fin":1,"session":"s1","dev":"Phone","room":"den","atMs":7}"#
        let expected =
            #"{"rows":[{"uri":"podcast:episode/1","item":{"uri":"podcast:episode/1","kind":"track","title":"Tide","durMs":9},"place":\#(written),"#
            + #""sides":[\#(written)]},{"uri":"a:b"}],"cursor":"2"}"#
        #expect(text { list.encode(into: &$0, bytes: 1_000) } == expected)
        #expect(try ProgressList(from: parse(expected)) == list)
        #expect(text { list.encode(into: &$0, bytes: 10) }.hasSuffix(#""cursor":"1"}"#), "what does not fit is asked for again")
    }

    /// BT-CMD-progress.asleep
    @Test func `where a person fell asleep`() throws {
        let places = AsleepPlaces([.init(moment: .begin, entry: EntryID(1), title: "Tide", positionMs: 5)], atMs: 7)
        let expected = #"{"places":[{"what":"begin","entry":"q1","title":"Tide","posMs":5}],"atMs":7}"#
        #expect(text { places.encode(into: &$0) } == expected)
        #expect(try AsleepPlaces(from: parse(expected)) == places)
        #expect(try AsleepPlaces(from: parse(#"{"places":[]}"#)) == AsleepPlaces([]))
    }
}
