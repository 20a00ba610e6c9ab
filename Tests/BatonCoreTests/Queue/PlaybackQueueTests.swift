import BatonCore
import Testing

struct PlaybackQueueTests {
    private func queue(_ count: Int, current: Int = 0) -> PlaybackQueue {
        PlaybackQueue(entries: .sample(count), current: EntryID(UInt64(current + 1)), revision: 10)
    }
    private func id(_ index: Int) -> EntryID { EntryID(UInt64(index + 1)) }
    private func order(_ queue: PlaybackQueue) -> String { queue.entries.map(\.tags.title).joined(separator: " ") }

    @Test func `the first entry of an empty queue becomes current`() throws {
        var queue = PlaybackQueue()

        let changes = try queue.insert(.sample(2), at: .end)

        #expect(changes == [.inserted(.sample(2), after: nil), .current(id(0))])
        #expect(queue.current == id(0) && queue.revision == 1)
    }

    @Test func `a queue that was kept with a current entry it has lost starts at its head`() {
        #expect(PlaybackQueue(entries: .sample(2), current: EntryID(99), revision: 1).current == id(0))
        #expect(PlaybackQueue(entries: [], current: EntryID(99), revision: 1).current == nil)
    }

    @Test func `an entry that is not there cannot become current`() {
        var queue = queue(3)

        #expect(queue.makeCurrent(EntryID(99)) == nil)
        #expect(queue == self.queue(3))
    }

    @Test func `what is added next stands behind the current entry, in the given order`() throws {
        var queue = queue(3, current: 1)
        let new = [QueueEntry]([50, 51].map { QueueEntry(id: EntryID($0), uri: ItemURI("a:b"), tags: Tags(title: "\($0)")) })

        let changes = try queue.insert(new, at: .next)

        #expect(order(queue) == "0 1 50 51 2")
        #expect(changes == [.inserted(new, after: id(1))])
    }

    @Test func `a vanished anchor refuses, unless the end will do`() throws {
        var queue = queue(2)
        let new = [QueueEntry(id: EntryID(50), uri: ItemURI("a:b"), tags: Tags(title: "new"))]

        #expect(throws: Refusal.self) { try queue.insert(new, at: .after(EntryID(99))) }
        #expect(queue == self.queue(2))
        _ = try queue.insert(new, at: .after(EntryID(99), orEnd: true))
        #expect(order(queue) == "0 1 new")
    }

    @Test func `a queue takes ten thousand entries and not one more`() throws {
        var queue = queue(PlaybackQueue.limit - 1)
        let new = (0..<2).map { QueueEntry(id: EntryID(UInt64(50_000 + $0)), uri: ItemURI("a:b"), tags: Tags()) }

        let refusal = #expect(throws: Refusal.self) { try queue.insert(new, at: .end) }
        #expect(refusal?.code == .quota && queue.count == PlaybackQueue.limit - 1)
        _ = try queue.insert([new[0]], at: .end)
        #expect(queue.count == PlaybackQueue.limit)
    }

    @Test func `removing the current entry makes the one behind it current`() {
        var queue = queue(4, current: 1)

        let (removed, changes, lost) = queue.remove([id(1), id(2), EntryID(99)])

        #expect(changes == [.removed([id(1), id(2)]), .current(id(3))] && removed.map(\.id) == [id(1), id(2)])
        #expect(lost == .current && queue.current == id(3))
    }

    @Test func `removing the current entry and all behind it goes back to the head`() {
        var queue = queue(3, current: 1)

        let (_, _, lost) = queue.remove([id(2), id(1)])

        #expect(lost == .currentAndRest && queue.current == id(0))
        #expect(queue.remove([id(0)]).lost == .currentAndRest)
        #expect(queue.current == nil && queue.isEmpty)
    }

    @Test func `removing what is gone changes nothing`() {
        var queue = queue(2)

        #expect(queue.remove([EntryID(99)]).changes.isEmpty)
        #expect(queue == self.queue(2))
    }

    @Test func `moved entries stand behind the anchor in the order they were named`() throws {
        var queue = queue(5)

        let changes = try queue.move([id(3), id(0)], to: .after(id(1)))

        #expect(order(queue) == "1 3 0 2 4")
        #expect(changes == [.moved([id(3), id(0)], after: id(1))])
        #expect(queue.current == id(0))
    }

    @Test(arguments: [
        (InsertionPoint.end, "0 2 4 1 3"), (.after(nil), "1 3 0 2 4"), (.next, "0 1 3 2 4"), (.after(EntryID(5)), "0 2 4 1 3"),
        (.after(EntryID(4)), "0 2 1 3 4"), (.after(EntryID(2)), "0 1 3 2 4"), (.after(EntryID(99), orEnd: true), "0 2 4 1 3"),
    ])
    func `a place is counted in what stays, even when it is named by an entry that moves`(place: InsertionPoint, expected: String) throws {
        var queue = queue(5)

        _ = try queue.move([id(1), id(3)], to: place)

        #expect(order(queue) == expected)
    }

    @Test func `moving the current entry to play next leaves it where it is`() throws {
        var queue = queue(3, current: 1)

        #expect(try queue.move([id(1)], to: .next).isEmpty)
        #expect(queue == self.queue(3, current: 1))
    }

    @Test func `an entry named twice moves once, to where it was named first`() throws {
        var queue = queue(3)

        let changes = try queue.move([id(2), id(1), id(2)], to: .after(nil))

        #expect(order(queue) == "2 1 0")
        #expect(changes == [.moved([id(2), id(1)], after: nil)])
    }

    @Test func `moving an entry that is gone refuses the whole move`() {
        var queue = queue(3)

        let refusal = #expect(throws: Refusal.self) { try queue.move([id(2), EntryID(99)], to: .after(nil)) }

        #expect(refusal?.code == .gone)
        #expect(queue == self.queue(3))
    }

    @Test func `clearing may keep the current entry`() {
        var queue = queue(3, current: 1)

        #expect(queue.clear(keeping: .current) == [.replaced([[QueueEntry].sample(3)[1]]), .current(id(1))])
        #expect(queue.clear(keeping: .current).isEmpty)
        #expect(queue.clear(keeping: .none) == [.replaced([]), .current(nil)])
        #expect(queue.clear(keeping: .none).isEmpty)
    }

    @Test func `looking ahead wraps only when asked to, and never traps`() {
        let queue = queue(3, current: 1)

        #expect(queue.entry(ahead: 1, wrapping: false)?.id == id(2))
        #expect(queue.entry(ahead: 2, wrapping: false) == nil)
        #expect(queue.entry(ahead: 2, wrapping: true)?.id == id(0))
        #expect(queue.entry(ahead: -2, wrapping: true)?.id == id(2))
        #expect(queue.entry(ahead: .max, wrapping: false) == nil)
        #expect(queue.entry(ahead: .max, wrapping: true) != nil)
        #expect(queue.entry(ahead: .min, wrapping: true) != nil)
        #expect(PlaybackQueue().entry(ahead: 1, wrapping: true) == nil)
    }

    @Test func `what is learned about an entry is a change, but none of order`() {
        var queue = queue(2)

        #expect(queue.describe(id(1), Tags(title: "New"), format: nil) != nil)
        #expect(queue.describe(id(1), Tags(title: "New"), format: nil) == nil)
        #expect(queue.revision == 10)
    }
}
