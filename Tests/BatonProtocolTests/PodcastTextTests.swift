/// The answers about podcasts: the exact text, and its way back.
import BatonCore
import BatonProtocol
import BatonWire
import Testing

@Suite struct PodcastTextTests {
    /// The answers that are tested here.
    static let contents: [any AnswerCoding.Type] = [PodcastList.self]

    /// BT-CMD-podcast.list, BT-CMD-podcast.add
    @Test func `a list of podcasts`() throws {
        let row = PodcastList.Row(
            uri: ItemURI("podcast:feed/3"), title: "Talk", author: "Anna", episodes: 2, keep: 1, art: "podcast:p3-1", url: "https://a/f",
            checkedMs: 5, dueMs: 6, sentence: "Gone.")
        let list = PodcastList([row], total: 2, cursor: "1")
        let expected =
            #"{"total":2,"podcasts":[{"uri":"podcast:feed/3","title":"Talk","author":"Anna","n":2,"keep":1,"art":"podcast:p3-1","url":"https://a/f","checkedMs":5,"dueMs":6,"msg":"Gone."}],"cursor":"1"}"#
        #expect(text { list.encode(into: &$0, bytes: 1_000) } == expected)
        #expect(try PodcastList(from: parse(expected)) == list)
    }
}
