/// The other places of an entry's track.
import BatonCore
import Testing

struct QueueEntryTests {
    @Test func `an entry keeps four other places at most, each once and never its own`() {
        let uri = ItemURI("lib:track/1")
        let places = ["lib:track/1", "a:1", "b:1", "a:1", "c:1", "d:1", "e:1"].map { ItemURI($0) }

        var entry = QueueEntry(id: EntryID(1), uri: uri, tags: Tags(), alternatives: places)
        #expect(entry.alternatives.map(\.text) == ["a:1", "b:1", "c:1", "d:1"])

        entry.alternatives = [uri]
        #expect(entry.alternatives.isEmpty)
    }
}
