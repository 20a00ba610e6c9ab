/// The order on disk is the order of the model, whatever was done to it.
import BatonCore
import BatonSeams
import Foundation
import Harness
import SQLite
import Testing

@testable import Stores

struct QueueOrderTests {
    @Test(arguments: 0..<40) func `the stored queue equals the model after any edits and restarts`(seed: UInt64) throws {
        try withFolder { folder in
            var random = SeededGenerator(seed)
            var model = QueueModel()
            var file = try StateFile(in: DataFolder(folder), freshEpoch: "e1", boot: "b1")
            defer { file.close() }

            for step in 0..<150 {
                let changes = (0..<Int.random(in: 1...3, using: &random)).map { _ in model.edit(&random) }
                try file.commit([Change(room: living, queue: QueueStep(changes, result: queue(model.order)), revision: step)])
                if Int.random(in: 0..<20, using: &random) == 0 {
                    file.close()
                    file = try StateFile(in: DataFolder(folder), freshEpoch: "e2", boot: "b1")
                }
                try #require(try file.queue() == model.order, "seed \(seed), step \(step): \(changes)")
            }
        }
    }

    @Test func `ten thousand entries are kept in order`() throws {
        try withFolder { folder in
            try withStore(in: folder) { try $0.commit(.replaced(entries(1...10_000))) }

            let found = try withStore(in: folder) { file in
                try file.commit(.moved([EntryID(9_999), EntryID(1)], after: EntryID(5_000)))
                return try file.queue()
            }

            #expect(found == Array(2...5_000) + [9_999, 1] + Array(5_001...9_998) + [10_000])
        }
    }

    @Test func `what is described and not there changes nothing`() throws {
        try withFolder { folder in
            try withStore(in: folder) { file in
                try file.commit(.replaced(entries(1...3)))

                let fault = fault {
                    try file.commit([Change(room: living, queue: file.step(.removed([EntryID(3)]), .described(entry(9))), revision: 2)])
                }

                #expect(fault?.code == .failed)
                #expect(try file.queue() == [1, 2, 3])
            }
        }
    }

    @Test func `the plain order of a shuffled queue comes back`() throws {
        try withFolder { folder in
            let plain = [EntryID(1), EntryID(2), EntryID(3)]
            try withStore(in: folder) { file in
                try file.commit(.replaced(entries(1...3)))
                let shuffled = queue([2, 3, 1], unshuffled: plain)
                try file.commit([
                    Change(room: living, queue: QueueStep([.moved(shuffled.entries.map(\.id), after: nil)], result: shuffled), revision: 2)
                ])
            }

            let found = try withStore(in: folder) { try $0.load().rooms[0].queue }
            #expect(found.entries.map(\.id.number) == [2, 3, 1] && found.unshuffled == plain)
            try withStore(in: folder) { file in
                try file.commit([Change(room: living, queue: QueueStep([], result: queue([2, 3, 1])), revision: 3)])
                #expect(try file.load().rooms[0].queue.unshuffled == nil)
            }
        }
    }

    @Test func `an entry's picture is there again`() throws {
        for art in [Artwork(id: "91c3f0"), Artwork(id: "91c3f0", width: 1000, height: 900, colours: [0x00000A, 0xFFFFFF]), nil] {
            try withFolder { folder in
                var entry = entry(1)
                entry.tags.art = art
                try withStore(in: folder) { try $0.commit(.inserted([entry], after: nil)) }
                #expect(try withStore(in: folder) { try $0.load().rooms[0].queue.entries.map(\.tags.art) } == [art])
            }
        }
    }

    @Test func `a file with a rank for each entry is brought up to date`() throws {
        try withFolder { folder in
            try withStore(in: folder) { _ in }
            let path = folder + "/state.db"
            try FileManager.default.removeItem(atPath: path)
            let old = try Database(path)
            try old.execute(Schema.state.steps[0].before)
            try old.execute("PRAGMA user_version = 1")
            try old.execute("INSERT INTO room VALUES ('living', 'Living room', 7, 3, 0, 0, 30, 0, 'all', 1, 1000, 0, 100, 50, NULL)")
            for (id, ord) in [(1, 30), (2, 10), (3, 20)] {
                try old.run(
                    "INSERT INTO entry VALUES (?, 'living', ?, 'file:track/1', 'track', 'T', '', '', '', NULL, NULL, NULL, NULL, NULL, 'Ana', 5)",
                    [.int(id), .int(ord)])
            }
            old.close()

            let found = try withStore(in: folder) { try $0.load().rooms[0].queue }

            #expect(found.entries.map(\.id.number) == [2, 3, 1])
            #expect(found.current == EntryID(3) && found.revision == 7 && found.entries.allSatisfy { $0.addedBy == "Ana" })
            #expect(found.history.edits.isEmpty)
        }
    }
}

/// A queue as an array, and random edits to it.
private struct QueueModel {
    var order: [UInt64] = []
    var next: UInt64 = 1

    mutating func edit(_ random: inout SeededGenerator) -> QueueChange {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<45: insert(&random)
        case 45..<60: remove(&random)
        case 60..<92: move(&random)
        case 92..<95: replace(&random)
        default: describe(&random)
        }
    }

    private mutating func insert(_ random: inout SeededGenerator) -> QueueChange {
        let rows = fresh(Int.random(in: 1...6, using: &random))
        // Half of them at one spot, as `play next` does.
        let index = Bool.random(using: &random) ? min(1, order.count) : Int.random(in: 0...order.count, using: &random)
        let anchor = index == 0 ? nil : EntryID(order[index - 1])
        order.insert(contentsOf: rows.map(\.id.number), at: index)
        return .inserted(rows, after: anchor)
    }

    private mutating func remove(_ random: inout SeededGenerator) -> QueueChange {
        let gone = picked(&random)
        order.removeAll { gone.contains($0) }
        return .removed(gone.map { EntryID($0) })
    }

    private mutating func move(_ random: inout SeededGenerator) -> QueueChange {
        let moved = picked(&random)
        order.removeAll { moved.contains($0) }
        let index = Int.random(in: 0...order.count, using: &random)
        let anchor = index == 0 ? nil : EntryID(order[index - 1])
        order.insert(contentsOf: moved, at: index)
        return .moved(moved.map { EntryID($0) }, after: anchor)
    }

    private mutating func replace(_ random: inout SeededGenerator) -> QueueChange {
        let rows = fresh(Int.random(in: 0...20, using: &random))
        order = rows.map(\.id.number)
        return .replaced(rows)
    }

    private mutating func describe(_ random: inout SeededGenerator) -> QueueChange {
        guard let number = order.randomElement(using: &random) else { return insert(&random) }
        return .described(entry(number, "described"))
    }

    private mutating func fresh(_ count: Int) -> [QueueEntry] {
        defer { next += UInt64(count) }
        return (0..<UInt64(count)).map { entry(next + $0) }
    }

    private func picked(_ random: inout SeededGenerator) -> [UInt64] {
        Array(order.shuffled(using: &random).prefix(Int.random(in: 0...4, using: &random)))
    }
}
