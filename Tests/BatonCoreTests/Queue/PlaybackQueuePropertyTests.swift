import BatonCore
import Testing

/// Laws of a queue that many hands edit.
struct PlaybackQueuePropertyTests {
    @Test(arguments: seeds) func `a copy that applies the changes equals the queue at every revision`(seed: UInt64) throws {
        var random = SeededGenerator(seed)
        var numbers = EntryNumbers()
        var queue = PlaybackQueue()
        var mirror = MirroredQueue()

        for _ in 0..<100 {
            let before = queue
            let changes = edit(&queue, &numbers, &random)

            for change in changes { mirror.follow(change) }
            #expect(mirror == MirroredQueue(queue))
            #expect(changes.isEmpty ? queue == before : queue.revision > before.revision)
            #expect(Set(mirror.ids).count == queue.count)
            #expect(queue.isEmpty == (queue.current == nil) && (queue.isEmpty || queue.currentEntry != nil))
            #expect(queue.currentIndex == queue.entries.firstIndex { $0.id == queue.current })
        }
    }

    @Test(.tags(.specification), arguments: seeds)
    func `edits at anchors end in the same entries, in whatever order they arrive`(seed: UInt64) throws {
        // Protocol 2.10.
        var random = SeededGenerator(seed)
        let start = try LiveRoom(tracks: 6)
        let edits: [Command] = (0..<8).map { number in
            let anchor = random.one(of: start.ids)
            switch random.number(0..<3) {
            case 0: return .add(.tracks(2, from: 100 + 2 * number), at: .after(anchor, orEnd: true))
            case 1: return .remove(random.some(of: start.ids, atMost: 2))
            default: return .move(random.some(of: start.ids, atMost: 3), to: .after(anchor, orEnd: true))
            }
        }

        let outcomes = (0..<5).map { _ in
            var live = start
            for edit in edits.shuffled(using: &random) { _ = try? live.ask(edit) }  // A move of what is gone is refused.
            return live.titles.sorted()
        }

        #expect(Set(outcomes).count == 1)
    }

    private func edit(_ queue: inout PlaybackQueue, _ numbers: inout EntryNumbers, _ random: inout SeededGenerator) -> [QueueChange] {
        let ids = queue.entries.map(\.id)
        let anchor = random.chance(10) || ids.isEmpty ? EntryID(UInt64(random.number(1..<500))) : random.one(of: ids)
        let place = random.one(of: [.next, .end, .after(nil), .after(anchor), .after(anchor, orEnd: true)] as [InsertionPoint])
        let before = queue
        do throws(Refusal) {
            switch random.number(0..<10) {
            case 0..<4:
                let new = (0..<random.number(0..<4)).map { _ in
                    QueueEntry(id: numbers.take(), uri: ItemURI("a:b"), tags: Tags())
                }
                return try queue.insert(new, at: place)
            case 4..<6: return queue.remove(random.some(of: ids, atMost: 3) + [anchor]).changes
            case 6..<8: return try queue.move(random.some(of: ids, atMost: 3) + (random.chance(20) ? [anchor] : []), to: place)
            case 8: return queue.makeCurrent(anchor).map { [$0] } ?? []
            default: return random.chance(20) ? queue.clear(keeping: random.one(of: QueueRemainder.allCases)) : []
            }
        } catch {
            #expect(queue == before)
            return []
        }
    }
}
