/// A queue followed step by step, from any part of its head.
import BatonClient
import BatonCore
import BatonProtocol
import Testing

@Suite struct QueueMirrorTests {
    private func id(_ number: Int) -> EntryID { EntryID(UInt64(number)) }
    private func row(_ number: Int) -> QueueRow { QueueRow(entry: id(number), uri: nil, tags: Tags(title: "\(number)")) }

    private func page(_ numbers: [Int], from: Int? = 0, of length: Int, revision: Int = 1) -> QueuePage {
        QueuePage(numbers.map(row), revision: revision, length: length, current: id(1), from: from)
    }

    private func news(_ from: Int, _ ops: QueueOps.Op..., rows: [Int] = []) -> QueueOps {
        QueueOps(room: RoomID("main"), from: from, revision: from + 1, ops: ops, rows: rows.map(row))
    }

    @Test func `it asks page by page, until it has what is wanted`() {
        var list = QueueMirror(wanted: 5)
        #expect(list.need == .page(from: 0))
        list.take(page([1, 2, 3], of: 9))
        #expect(list.need == .page(from: 3))
        list.take(page([4, 5], from: 3, of: 9))
        #expect(list.need == .nothing && !list.isWhole && list.current == id(1))
    }

    @Test func `a page of another revision is of no use`() {
        var list = QueueMirror()
        list.take(page([1, 2], of: 4))
        list.apply(news(1, .delete([id(2)])))
        list.take(page([3, 4], from: 2, of: 4))

        #expect(list.ids == [id(1)] && list.length == 3 && list.need == .page(from: 1))
    }

    @Test func `rows without a text are asked for, those that came along are not`() {
        var list = QueueMirror()
        list.take(page([1, 2], of: 2))
        list.apply(news(1, .insert(after: id(1), [id(7), id(8)]), rows: [7]))
        #expect(list.ids.map(\.number) == [1, 7, 8, 2] && list.need == .rows([id(8)]))
        list.take(page([8], from: nil, of: 4, revision: 2))
        #expect(list.need == .nothing && list.isWhole)
    }

    @Test func `a gap, a reset and a word from a newer hub mean starting over`() {
        for news in [
            news(5, .delete([id(1)])), news(1, .unrecognised("spin")),
            QueueOps(room: RoomID("main"), revision: 2, isReset: true, length: 3),
        ] {
            var list = QueueMirror()
            list.take(page([1, 2], of: 2))
            list.apply(news)
            #expect(list.need == .page(from: 0) && list.ids.isEmpty)
        }
    }

    @Test(arguments: UInt64(0)..<200) func `the head it knows is the head of the queue, whatever happens where`(seed: UInt64) throws {
        // Protocol 2.10: every client that has applied the operations up to R equals the hub's queue at R.
        var random = SeededGenerator(seed)
        var queue = PlaybackQueue()
        var next: UInt64 = 1
        func fresh(_ count: Int) -> [QueueEntry] {
            defer { next += UInt64(count) }
            return (0..<count).map { QueueEntry(id: EntryID(next + UInt64($0)), uri: ItemURI("a:b"), tags: Tags()) }
        }
        _ = try queue.insert(fresh(20), at: .end)
        var list = QueueMirror()
        let known = Int.random(in: 0...20, using: &random)
        list.take(
            QueuePage(
                queue.entries.prefix(known).map { QueueRow(entry: $0.id, uri: nil, tags: Tags()) }, revision: queue.revision,
                length: queue.count, current: queue.current, from: 0))

        for _ in 0..<60 {
            let before = queue.revision
            let anchor = queue.entries.randomElement(using: &random)?.id
            let some = Array(queue.entries.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random)).map(\.id))
            let changes: [QueueChange]
            switch Int.random(in: 0..<4, using: &random) {
            case 0: changes = try queue.insert(fresh(2), at: .after(anchor))
            case 1 where queue.count > 5: changes = queue.remove(some).changes
            case 2: changes = try queue.move(some, to: .after(anchor))
            default: changes = anchor.flatMap { queue.makeCurrent($0) }.map { [$0] } ?? []
            }
            guard queue.revision != before else { continue }
            let ops = changes.compactMap { change -> QueueOps.Op? in
                switch change {
                case .inserted(let entries, let anchor), .restored(let entries, let anchor): .insert(after: anchor, entries.map(\.id))
                case .removed(let ids): .delete(ids)
                case .moved(let ids, let anchor): .move(ids, after: anchor)
                case .current(let entry): .current(entry)
                case .replaced, .described, .forgotten: nil
                }
            }
            list.apply(QueueOps(room: RoomID("main"), from: before, revision: queue.revision, ops: ops))

            #expect(list.ids == queue.entries.prefix(list.ids.count).map(\.id))
            #expect(list.length == queue.count && list.current == queue.current && list.revision == queue.revision)
        }
    }
}
