/// The order on disk is the order of the model, whatever was done to it.
import BatonCore
import BatonSeams
import Testing

@testable import Store

struct QueueOrderTests {
    @Test(arguments: 0..<40) func `the stored queue equals the model after any edits and restarts`(seed: UInt64) throws {
        try withFolder { folder in
            var random = SeededGenerator(seed: seed)
            var model = QueueModel()
            var file = try StateFile(in: DataFolder(folder), freshEpoch: "e1", boot: "b1")
            defer { file.close() }

            for step in 0..<150 {
                let deltas = (0..<Int.random(in: 1...3, using: &random)).map { _ in model.edit(&random) }
                try file.commit([Change(room: living, queue: deltas, revision: step)])
                if Int.random(in: 0..<20, using: &random) == 0 {
                    file.close()
                    file = try StateFile(in: DataFolder(folder), freshEpoch: "e2", boot: "b1")
                }
                try #require(try file.queue() == model.order, "seed \(seed), step \(step): \(deltas)")
            }
        }
    }

    @Test func `a gap never runs out`() throws {
        try withFolder { folder in
            try withStore(in: folder) { file in
                var model = Array(UInt64(1)...1_000)
                try file.commit(.replaced(entries(model)))
                for number in UInt64(1_001)...1_400 {
                    // Always at the same spot, which halves the same gap each time.
                    try file.commit(.inserted(after: EntryID(500), [entry(number)]))
                    model.insert(number, at: 500)
                }
                try file.commit(.inserted(after: EntryID(500), entries(2_000..<2_500)))
                model.insert(contentsOf: 2_000..<2_500, at: 500)

                #expect(try file.queue() == model)
            }
        }
    }

    @Test func `an order at the end of its range is spread anew`() throws {
        try withFolder { folder in
            try withStore(in: folder) { file in
                try file.commit(.replaced(entries(1...300)))
                try file.database.run("UPDATE entry SET ord = ord + ?", [.int((1 << 61) - 300 * StateFile.stride)])
                try file.commit(.inserted(after: EntryID(300), entries(301...303)))
                try file.database.run("UPDATE entry SET ord = ord - ?", [.int(1 << 61)])
                try file.commit(.inserted(after: nil, entries(304...304)))

                #expect(try file.queue() == [304] + Array(1...303))
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

    @Test(arguments: [
        QueueDelta.removed([EntryID(9)]), .moved([EntryID(9)], after: nil), .moved([EntryID(1)], after: EntryID(1)),
        .moved([EntryID(1), EntryID(1)], after: nil), .inserted(after: EntryID(9), [entry(10)]), .inserted(after: nil, [entry(2)]),
        .described(entry(9)),
    ])
    func `a step that does not fit the queue changes nothing`(delta: QueueDelta) throws {
        try withFolder { folder in
            try withStore(in: folder) { file in
                try file.commit(.replaced(entries(1...3)))

                let fault = fault { try file.commit([Change(room: living, queue: [.removed([EntryID(3)]), delta], revision: 2)]) }

                #expect(fault?.code == .failed)
                #expect(try file.queue() == [1, 2, 3])
            }
        }
    }
}

/// A queue as an array, and random edits to it.
private struct QueueModel {
    var order: [UInt64] = []
    var next: UInt64 = 1

    mutating func edit(_ random: inout SeededGenerator) -> QueueDelta {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<45: insert(&random)
        case 45..<60: remove(&random)
        case 60..<92: move(&random)
        case 92..<95: replace(&random)
        default: describe(&random)
        }
    }

    private mutating func insert(_ random: inout SeededGenerator) -> QueueDelta {
        let rows = fresh(Int.random(in: 1...6, using: &random))
        // Half of them at one spot, as `play next` does.
        let index = Bool.random(using: &random) ? min(1, order.count) : Int.random(in: 0...order.count, using: &random)
        let anchor = index == 0 ? nil : EntryID(order[index - 1])
        order.insert(contentsOf: rows.map(\.id.number), at: index)
        return .inserted(after: anchor, rows)
    }

    private mutating func remove(_ random: inout SeededGenerator) -> QueueDelta {
        let gone = picked(&random)
        order.removeAll { gone.contains($0) }
        return .removed(gone.map { EntryID($0) })
    }

    private mutating func move(_ random: inout SeededGenerator) -> QueueDelta {
        let moved = picked(&random)
        order.removeAll { moved.contains($0) }
        let index = Int.random(in: 0...order.count, using: &random)
        let anchor = index == 0 ? nil : EntryID(order[index - 1])
        order.insert(contentsOf: moved, at: index)
        return .moved(moved.map { EntryID($0) }, after: anchor)
    }

    private mutating func replace(_ random: inout SeededGenerator) -> QueueDelta {
        let rows = fresh(Int.random(in: 0...20, using: &random))
        order = rows.map(\.id.number)
        return .replaced(rows)
    }

    private mutating func describe(_ random: inout SeededGenerator) -> QueueDelta {
        guard let number = order.randomElement(using: &random) else { return insert(&random) }
        return .described(entry(number, "described"))
    }

    private mutating func fresh(_ count: Int) -> [EntryRow] {
        defer { next += UInt64(count) }
        return (0..<UInt64(count)).map { entry(next + $0) }
    }

    private func picked(_ random: inout SeededGenerator) -> [UInt64] {
        Array(order.shuffled(using: &random).prefix(Int.random(in: 0...4, using: &random)))
    }
}
